// npm run bench:models: every kind of model on the nine sets and the five tables, as one page of Markdown.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readCommandLine, runPlainly } from '../../infra/command-line.mjs';
import { published } from './accuracy/published.mjs';
import { dataFolders, locate } from './peers/data.mjs';
import { locateTable, tables } from './tables/tables.mjs';
import { temporaryFolder } from './temporary-folder.mjs';

// msnbc has no figure that others are held against
const sets = [...new Set(['nltcs', 'msnbc', ...Object.keys(published)])];
const known = [...sets, ...tables.map(({ name }) => name)];
const usage = `npm run bench:models [-- options] [set …]

  --data DIR      folder of the data sets, tables/ in it (or ORCHARD_DATA; ../shared/data)
  --keep DIR      keep the models in DIR/<set>: the same command goes on from there, and prints what is there at once
  --models LIST   of rows of 0 and 1, instead of every kind and lbarn:accurate
  --tables LIST   of tables, instead of every kind (tables,tables:leaves=4 tries settings)
  --threads N     threads of each training (all cores)

Prints what orchard compare-models says of each, as one page. Sets come with their own split; of a table a fifth of the rows tests.
Sets: ${known.join(', ')}; without any, all, which takes hours.`;

const orchard = fileURLToPath(new URL('../../apps/cli/program/main.js', import.meta.url));
const text = { type: 'string' };
const given = readCommandLine(
  'bench:models',
  usage,
  { data: text, keep: text, models: text, tables: text, threads: text },
  { allowPositionals: true },
);
const { values, positionals } = given;
const threads = given.whole('threads', { from: 1, otherwise: availableParallelism() });
const folders = dataFolders(given.folder('data'));
const unknown = positionals.filter((name) => !known.includes(name));
if (unknown.length > 0) given.refuse(`no such set: ${unknown.join(', ')}; there are ${known.join(', ')}.`);

/** The words of the command for one set; null where its files are not there. */
function wordsOf(name) {
  if (!sets.includes(name)) {
    const path = locateTable(name, folders);
    return path === null ? null : [path, ...(values.tables ? ['--models', values.tables] : [])];
  }
  const data = locate(name, folders);
  if (data === null) return null;
  const models = values.models ? ['--models', values.models] : ['--accurate'];
  return [data.train, '--valid', data.valid, '--test', data.test, ...models];
}

/** @returns whether all its models were trained */
function compare(words, out) {
  const args = ['compare-models', ...words, '--out', out, '--threads', String(threads), '--markdown', '--no-config'];
  const { status, signal } = spawnSync(process.execPath, [orchard, ...args], {
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  if (status !== 0 && status !== 1) throw new Error(`orchard compare-models ended with ${signal ?? status}`);
  return status === 0;
}

await runPlainly('bench:models', () => {
  if (!existsSync(orchard)) throw new Error('the command line is not built. Run npm run build.');
  const kept = values.keep ?? temporaryFolder('models');
  const incomplete = [];
  console.log('# Every kind of model on every set');
  for (const name of positionals.length > 0 ? positionals : known) {
    const words = wordsOf(name);
    if (words === null) {
      console.error(`${name}: left out, no data in ${folders.join(' or ')} (--data DIR)`);
      incomplete.push(name);
      continue;
    }
    console.log(`\n## ${name}\n`);
    if (!compare(words, join(kept, name))) incomplete.push(name);
  }
  if (incomplete.length > 0) throw new Error(`not all there: ${incomplete.join(', ')}`);
});
