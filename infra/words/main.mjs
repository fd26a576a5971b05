// `npm run lint:words`: pages, help and messages in plain English. Says what is over each file's allowance, which
// `allowed.json` has.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { problemsOfPage, problemsOfSource } from './rules.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const allowedFile = new URL('allowed.json', import.meta.url);

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
const found = new Map(files.map((path) => [path, problemsOf(path)]));

if (process.argv[2] === '--allow') {
  const counts = [...found].filter(([, problems]) => problems.length > 0).map(([path, { length }]) => [path, length]);
  writeFileSync(allowedFile, `${JSON.stringify(Object.fromEntries(counts), null, 2)}\n`);
  process.exit(0);
}

const allowed = JSON.parse(readFileSync(allowedFile, 'utf8'));
const over = [...found].filter(([path, problems]) => problems.length > (allowed[path] ?? 0));
for (const [path, problems] of over) {
  console.error(`${path}: ${problems.length} where ${allowed[path] ?? 0} are allowed`);
  for (const problem of problems) console.error(`  ${problem}`);
}
const spare = Object.entries(allowed).filter(([path, count]) => (found.get(path)?.length ?? 0) < count);
if (spare.length > 0 && over.length === 0)
  console.log(`${spare.length} files are better than allowed: node infra/words/main.mjs --allow keeps it so`);
process.exitCode = over.length === 0 ? 0 : 1;
