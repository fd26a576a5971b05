// build.mjs [--small-model]: builds the site into apps/docs/dist: pages made of the sources, then VitePress, then a look
// at every link and at what the search finds. The model to try is the usual one, or one that takes a moment, for who
// only wants to know whether the site can be built.
import { copyFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vitepress';
import { commandPages } from './generate/commands.mjs';
import { brokenLinks } from './generate/links.mjs';
import { llmsText } from './generate/llms.mjs';
import { measuredPages } from './generate/measured.mjs';
import { notebookFiles, notebookPages } from './generate/notebooks.mjs';
import { pythonPage } from './generate/python.mjs';
import { schemaFiles, schemaPage } from './generate/schemas.mjs';
import { scoringFiles } from './generate/scoring.mjs';
import { unanswered } from './search.mjs';

const here = fileURLToPath(new URL('.', import.meta.url));

rmSync(`${here}generated`, { recursive: true, force: true });
const pages = [...(await commandPages()), ...pythonPage(), ...schemaPage(), ...measuredPages(), ...notebookPages()];
for (const [path, text] of pages) {
  const file = `${here}generated/${path}`;
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
const scoring = await scoringFiles(`${here}generated/scoring`, { smallModel: process.argv.includes('--small-model') });
// where the pages find them
process.env.ORCHARD_DOCS_SCORING = JSON.stringify(scoring.places);
await build(here);
for (const [name, file] of scoring.files) {
  mkdirSync(dirname(`${here}dist/${name}`), { recursive: true });
  copyFileSync(file, `${here}dist/${name}`);
}
copyFileSync(`${here}../dashboard/src/mark.svg`, `${here}dist/mark.svg`);
writeFileSync(`${here}dist/llms.txt`, llmsText(here));
for (const [name, text] of schemaFiles()) writeFileSync(`${here}dist/reference/documents/${name}`, text);
for (const [name, text] of notebookFiles()) writeFileSync(`${here}dist/notebooks/${name}`, text);
const broken = brokenLinks(`${here}dist`);
for (const { page, link } of broken) console.error(`${page}: ${link} leads nowhere`);
const lost = await unanswered(`${here}dist`);
for (const { question, wanted, hits } of lost)
  console.error(`the search for "${question}" does not find ${wanted} first: ${hits.join(', ')}`);
if (broken.length + lost.length > 0) process.exit(1);
