// llms.txt (llmstxt.org): the pages of the site with a line each, for programs that read.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const sections = {
  tutorials: 'Tutorials',
  'how-to': 'How to',
  notebooks: 'Notebooks',
  '': 'Understand',
  reference: 'Reference',
  measured: 'Measured',
};

/** @param {string} here the folder of the pages */
export function llmsText(here) {
  const own = readdirSync(here, { recursive: true }).filter(
    (path) => path.endsWith('.md') && !/^(dist|node_modules|README\.md)/.test(path) && path !== 'index.md',
  );
  const pages = own.map((path) => {
    const text = readFileSync(join(here, path), 'utf8');
    return { path: path.replace(/^generated\//, ''), ...about(text) };
  });
  const lists = Object.entries(sections).map(([folder, title]) => {
    const inside = pages.filter(({ path }) => (path.includes('/') ? path.split('/')[0] : '') === folder);
    const lines = inside
      .sort((a, b) => a.path.localeCompare(b.path))
      .map((page) => `- [${page.title}](/${page.path.replace(/(index)?\.md$/, '')}): ${page.first}`);
    return `## ${title}\n\n${lines.join('\n')}\n`;
  });
  const { title, first } = about(readFileSync(join(here, 'index.md'), 'utf8'));
  return `# ${title}\n\n> ${first}\n\n${lists.join('\n')}`;
}

/** The heading of a page and its first paragraph, on one line. */
function about(text) {
  const body = text.replace(/^---\n[^]*?\n---\n/, '');
  const [, title = ''] = /^# (.*)$/m.exec(body) ?? [];
  const paragraph =
    body.split(/\n{2,}/).find((part) => !/^(#|```|!\[|<|- |\|)/.test(part.trim()) && part.trim() !== '') ?? '';
  const first = paragraph
    .replace(/\s+/g, ' ')
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .trim();
  return { title: title.replaceAll('`', ''), first };
}
