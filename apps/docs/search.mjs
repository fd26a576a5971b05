// How the site's search ranks pages, and what it has to find.
import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/**
 * Instructions before figures: a measured page names most words many times. Words of a letter or two, such as J and R,
 * are looked for as they are: every page has a word that begins with r. VitePress writes these functions into the page,
 * so each stands alone.
 */
export const searchOptions = {
  fuzzy: (term) => (term.length > 3 ? 0.2 : false),
  prefix: (term) => term.length > 2,
  boost: { title: 4, text: 2, titles: 1 },
  boostDocument: (id) => {
    if (/^\/(tutorials|how-to)\/|^\/(questions|models)\./.test(id)) return 1.5;
    return /^\/(measured|notebooks)\//.test(id) ? 0.4 : 1;
  },
};

/** What people ask, and a page that answers it. */
export const questions = [
  ['how big', '/questions.html#how-large-may-a-table-be-how-big'],
  ['how long', '/questions.html#how-long-does-it-take-for-my-table'],
  ['which model', '/how-to/choose-a-model.html'],
  ['oddest rows weekly', '/tutorials/weekly-outliers.html'],
  ['Kubernetes', '/how-to/deploy-on-kubernetes.html'],
  ['J', '/how-to/choose-settings.html#what-j-does'],
  ['private', '/questions.html#are-samples-private'],
  ['cite', '/how-to/cite.html'],
  ['R', '/how-to/use-r.html'],
  ['resume', '/how-to/resume-a-run.html'],
];

/** Hits in which the answer has to be. */
const HITS = 3;

/**
 * The questions that the search of a built site does not answer in its first hits.
 *
 * @param {string} site folder of the build
 * @param {readonly (readonly [string, string])[]} [asked]
 * @returns {Promise<{ question: string, wanted: string, hits: string[] }[]>}
 */
export async function unanswered(site, asked = questions) {
  // the one that VitePress searches by
  const { default: MiniSearch } = await import(
    pathToFileURL(createRequire(import.meta.resolve('vitepress')).resolve('minisearch')).href
  );
  const chunks = join(site, 'assets/chunks');
  const name = readdirSync(chunks).find((each) => each.startsWith('@localSearchIndex'));
  const { default: written } = await import(pathToFileURL(join(chunks, name)).href);
  // as VitePress opens it (VPLocalSearchBox.vue)
  const fields = { fields: ['title', 'titles', 'text'], storeFields: ['title', 'titles'] };
  const index = MiniSearch.loadJSON(written, { ...fields, searchOptions });
  return asked.flatMap(([question, wanted]) => {
    const hits = index
      .search(question)
      .slice(0, HITS)
      .map(({ id }) => String(id));
    return hits.some((id) => id.startsWith(wanted)) ? [] : [{ question, wanted, hits }];
  });
}
