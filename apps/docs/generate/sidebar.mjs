// What the generated pages are called, for the navigation of the site.
import { readdirSync, readFileSync } from 'node:fs';

const generated = new URL('../generated/', import.meta.url);

/** @param {string} folder below `generated` */
function entriesOf(folder) {
  const names = readdirSync(new URL(folder, generated)).filter((name) => name.endsWith('.md') && name !== 'index.md');
  return names.sort().map((name) => {
    const [, title] = /^# (.*)$/m.exec(readFileSync(new URL(`${folder}${name}`, generated), 'utf8'));
    return { text: title.replaceAll('`', ''), link: `/${folder}${name.replace(/\.md$/, '')}` };
  });
}

export const commandPages = () => entriesOf('reference/commands/');
export const notebookPages = () => entriesOf('notebooks/');
export const measuredPages = () => entriesOf('measured/');
