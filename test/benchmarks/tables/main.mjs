// `npm run bench:tables`: Orchard's tables beside the libraries that people use for densities, drawn rows, missing
// values and outliers.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join, resolve } from 'node:path';
import { readCommandLine, runPlainly } from '../../../infra/command-line.mjs';
import { dataFolders } from '../peers/data.mjs';
import { canPin } from '../peers/program.mjs';
import { temporaryFolder } from '../temporary-folder.mjs';
import { runner } from './command.mjs';
import { tablesPython } from './environment.mjs';
import { writePicture } from './picture.mjs';
import { report } from './report.mjs';
import { densityPeers, measureTable } from './steps.mjs';
import { locateTable, tables } from './tables.mjs';

const names = tables.map(({ name }) => name);
const usage = `npm run bench:tables -- [options]

  --tables A,B          some of ${names.join(',')}
  --peers A,B           some of ${densityPeers.join(',')}: the models of the joint density
  --limit SECONDS       processor time of each program; one that reaches it is left out and said (1800)
  --memory MIB          address space of each peer, likewise (12288)
  --unmasking-rows N    cells times orders that UnmaskingTrees is trained on, at most 50 orders a row (200000)
  --seed N              draws the split, the missing values and the outliers, and is the seed of every program (1)
  --data DIR            folder with tables/ in it (or ORCHARD_DATA; ../shared/data)
  --core N              the core that every program is pinned to (0)
  --keep DIR            keep the splits, the drawn rows, the networks and the figures there
  --from DIR            measure nothing: print the figures that --keep left there
  --picture FILE        what each table's goals came to, as an SVG
  --json                one JSON document on standard output instead of Markdown`;

const say = (text) => process.stderr.write(`${text}\n`);

function options() {
  const text = { type: 'string' };
  const given = readCommandLine('bench:tables', usage, {
    ...{ tables: text, peers: text, limit: text, memory: text, 'unmasking-rows': text, seed: text },
    ...{ data: text, core: text, keep: text, picture: text, from: text, json: { type: 'boolean', default: false } },
  });
  return {
    json: given.values.json,
    keep: given.values.keep,
    picture: given.values.picture,
    from: given.folder('from'),
    data: given.folder('data'),
    tables: given.someOf('tables', names),
    peers: given.someOf('peers', densityPeers),
    limit: given.whole('limit', { from: 1, otherwise: 1800 }),
    memory: given.whole('memory', { from: 256, otherwise: 12288 }),
    unmaskingRows: given.whole('unmasking-rows', { from: 1, otherwise: 200_000 }),
    seed: given.whole('seed', { otherwise: 1 }),
    core: given.whole('core', { otherwise: 0 }),
  };
}

function located({ tables: asked, data }) {
  const folders = dataFolders(data);
  const found = tables
    .filter(({ name }) => asked.includes(name))
    .map((table) => ({ ...table, path: locateTable(table.name, folders) }));
  const absent = found.filter(({ path }) => path === null).map(({ name }) => name);
  if (absent.length > 0)
    say(`left out, no tables/NAME.csv in ${folders.join(' or ')}: ${absent.join(', ')} (--data DIR)`);
  const present = found.filter(({ path }) => path !== null);
  if (present.length === 0) throw new Error('no table is left to measure');
  return present;
}

/** Measures the tables, one after another; what is measured stays in the kept folder when a later one fails. */
function measureTables(given, root) {
  const { limit, seed, unmaskingRows, keep } = given;
  const found = located(given);
  const python = tablesPython(say);
  const core = canPin(given.core) ? given.core : null;
  return found.map((table) => {
    const folder = join(root, table.name);
    mkdirSync(folder, { recursive: true });
    const load = loadavg()[0];
    const run = runner({ ...given, python, core, folder });
    const figures = measureTable(table, { ...given, run, python, folder, say });
    const conditions = { core, limit, seed, unmaskingRows, load: { before: load, after: loadavg()[0] } };
    const result = { ...figures, measure: table.measure, conditions };
    if (keep) writeFileSync(join(folder, 'result.json'), JSON.stringify(result, null, 1));
    return result;
  });
}

/** What earlier runs measured, by their kept folder. */
function keptTables({ tables: asked, from }) {
  const files = tables.filter(({ name }) => asked.includes(name)).map(({ name }) => join(from, name, 'result.json'));
  const present = files.filter((file) => existsSync(file));
  if (present.length === 0)
    throw new Error(`got --from ${from}, expected a folder of --keep: no NAME/result.json there`);
  return present.map((file) => JSON.parse(readFileSync(file, 'utf8')));
}

function main() {
  const given = options();
  const root = given.keep ? resolve(given.keep) : temporaryFolder('bench-tables');
  const measured = given.from ? keptTables(given) : measureTables(given, root);
  console.log(given.json ? JSON.stringify({ tables: measured }) : report(measured));
  if (given.picture) writePicture(given.picture, measured);
}

await runPlainly('bench:tables', main);
