// `npm run lint:words`: pages, help and messages in plain English.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { problemsOfPage, problemsOfSource } from './rules.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** How many lines a page may have. */
function mostLinesOf(path) {
  if (path === 'README.md') return 70;
  return /^libs\/.*\/README\.md$/.test(path) ? 60 : Infinity;
}

function problemsOf(path) {
  const text = readFileSync(join(root, path), 'utf8');
  if (!path.endsWith('.md')) return problemsOfSource(text, path.endsWith('x'));
  return problemsOfPage(text, { isReadme: basename(path) === 'README.md', mostLines: mostLinesOf(path) });
}

const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: root,
  encoding: 'utf8',
})
  .trim()
  .split('\n')
  .filter((path) => /^(?!\.nx\/).*\.md$|^(apps|libs)\/.*\/src\/.*\.tsx?$/.test(path))
  .filter((path) => !/\.(test|suite)\.tsx?$|\/generated\//.test(path) && existsSync(join(root, path)));
const found = files.map((path) => [path, problemsOf(path)]).filter(([, problems]) => problems.length > 0);

for (const [path, problems] of found) {
  console.error(path);
  for (const problem of problems) console.error(`  ${problem}`);
}
process.exitCode = found.length === 0 ? 0 : 1;
