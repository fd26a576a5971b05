// Every measured.md of the repository as a page, so that figures are written once, where they were measured.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../../', import.meta.url));

function tracked() {
  const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '*measured.md'], {
    cwd: root,
    encoding: 'utf8',
  });
  return listed.split('\n').filter((path) => path !== '' && existsSync(join(root, path)));
}

/** `families-lbarn` of `libs/families/lbarn/measured.md`, `infra` of `infra/measured.md`. */
function slugOf(path) {
  const [top, ...folders] = dirname(path).split('/');
  return folders.length === 0 ? top : folders.join('-');
}

/** Pages by their path: an index, and one for each file. */
export function measuredPages() {
  const files = tracked().sort();
  const pages = files.map((path) => [`measured/${slugOf(path)}.md`, pageOf(path, files)]);
  const lines = pages.map(([path, text]) => `- [${titleOf(text)}](./${path.replace('measured/', '')})`);
  const index = `# Measured results

Each page has the date, the commit, the command and the machine of its figures. They stand in the repository as \`measured.md\`, beside what they
measure.

${lines.join('\n')}
`;
  return [['measured/index.md', index], ...pages];
}

const titleOf = (text) => /^# (.*)$/m.exec(text)?.[1] ?? 'Measured';

/** Links to other pages of figures are kept; what lies elsewhere in the repository is named. */
function pageOf(path, files) {
  const text = readFileSync(join(root, path), 'utf8');
  const named = text.replace(/(!?)\[([^\]]*)\]\(([^)\s]+)\)/g, (whole, picture, label, link) => {
    if (/^(https?:|#)/.test(link)) return whole;
    const [target, anchor] = link.split('#');
    const at = relative(root, join(root, dirname(path), target));
    if (picture === '!') return label === '' ? '' : `(picture: ${label})`;
    if (files.includes(at)) return `[${label}](./${slugOf(at)}.md${anchor === undefined ? '' : `#${anchor}`})`;
    return `${label} (\`${at}\`)`;
  });
  return `${withoutTags(named)}\n\nFrom \`${path}\`.\n`;
}

/** Vue would take `<x>` and `{{` outside of code for its own. */
function withoutTags(text) {
  return text
    .split(/(^```[^]*?^```$|`[^`\n]*`)/m)
    .map((part) =>
      part.startsWith('`') ? part : part.replace(/<(?!\/?(br|sub|sup)\b)/g, '&lt;').replaceAll('{{', '&#123;&#123;'),
    )
    .join('');
}
