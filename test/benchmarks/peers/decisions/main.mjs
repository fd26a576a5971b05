// `npm run bench:peers -- --tables`: decisions of tables trained by Orchard and by libraries of boosted trees, or by two
// builds of Orchard in turns.
import { join, resolve } from 'node:path';
import { availableParallelism, loadavg } from 'node:os';
import { fileURLToPath } from 'node:url';
import { readCommandLine } from '../../../../infra/command-line.mjs';
import { markdownTable } from '../../markdown.mjs';
import { temporaryFolder } from '../../temporary-folder.mjs';
import { dataFolders } from '../data.mjs';
import { peersPython } from '../environment.mjs';
import { alternate, geometricMean } from '../measure.mjs';
import { canPin, Program } from '../program.mjs';
import { decisionsFor, LEAVES, lengths, locateTable, SHRINKAGE, tables, wholeTables } from './cases.mjs';
import { differences, entryOf, namesOf } from './entry.mjs';

const libraries = ['xgboost', 'lightgbm', 'catboost'];
const fractions = [1, 0.5];
const builtHere = fileURLToPath(new URL('../../../..', import.meta.url));

const usage = `npm run bench:peers -- --tables [options]

  --tables           decisions of tables instead of conditionals of rows of 0 and 1
  --whole            whole models instead, rounds by the same validation rows
  --table TEXT       only tables whose name contains TEXT (may be given more than once)
  --before DIR       another build of Orchard instead of the libraries, in turns: its folder, with what is built in it
  --peers A,B        some of ${libraries.join(',')}
  --quick            once, short runs alone
  --repeats N        repetitions, of which the fastest counts (3; whole models: 1)
  --rounds N         most rounds of whole models (400)
  --data DIR         folder of the data sets (or ORCHARD_DATA; ../shared/data)
  --core N           the core that every program is pinned to (the last)
  --list             print the tables and stop
  --json             one JSON document on standard output

Tables: ${tables.map(({ name }) => name).join(', ')}; whole: ${wholeTables.join(', ')}.`;

const say = (text) => process.stderr.write(`${text}\n`);

function options() {
  const flag = { type: 'boolean', default: false };
  const text = { type: 'string' };
  const given = readCommandLine('bench:peers', usage, {
    ...{ tables: flag, whole: flag, quick: flag, list: flag, json: flag },
    ...{ before: text, peers: text, repeats: text, rounds: text, data: text, core: text },
    table: { type: 'string', multiple: true, default: [] },
  });
  const { values } = given;
  const once = values.quick || values.whole;
  return {
    ...values,
    data: given.folder('data'),
    before: given.folder('before'),
    peers: values.before === undefined ? given.someOf('peers', libraries) : [],
    repeats: given.whole('repeats', { from: 1, otherwise: once ? 1 : 3 }),
    rounds: given.whole('rounds', { from: 1, otherwise: 400 }),
    core: given.whole('core', { otherwise: availableParallelism() - 1 }),
  };
}

/** Orchard first, or its build of before; every process on the same core. */
function startPrograms({ before, peers, core }) {
  const pinned = canPin(core);
  const here = (file) => fileURLToPath(new URL(file, import.meta.url));
  const orchard = (name, build) => {
    const command = [process.execPath, here('ours.mjs'), build];
    const all = pinned ? ['taskset', '-c', String(core), ...command] : command;
    return new Program(name, all[0], all.slice(1));
  };
  const python = peers.length > 0 ? peersPython(say) : null;
  return [
    ...(before === undefined ? [] : [orchard('before', resolve(before))]),
    orchard('ours', builtHere),
    ...peers.map(
      (peer) => new Program(peer, python, [here('libraries.py'), peer, ...(pinned ? ['--core', String(core)] : [])]),
    ),
  ];
}

/** Opens the table in every program; the libraries read what Orchard writes. @returns what Orchard says of it */
async function open(programs, path, folder, leaves) {
  let answer = null;
  for (const program of programs) {
    const isOurs = program.name === 'ours';
    const place = join(folder, program.name);
    const request = libraries.includes(program.name)
      ? { folder: join(folder, 'peers') }
      : { path, folder: isOurs ? join(folder, 'peers') : null, store: place, leaves };
    const opened = await program.ask({ open: request });
    if (opened.error !== undefined) throw new Error(`${program.name} could not open ${path}: ${opened.error}`);
    if (isOurs) answer = opened;
  }
  return answer;
}

/** Every decision at both lengths, with all predictors and with half of them. */
async function measureTable(programs, { name, kind }, opened, given, print) {
  const measured = [];
  for (const { share, position, decision, variable, rows } of decisionsFor(opened))
    for (const rounds of given.quick ? lengths.slice(0, 1) : lengths) {
      const entries = [];
      for (const featureFraction of fractions) {
        const request = { position, decision, leaves: LEAVES, rounds, shrinkage: SHRINKAGE, featureFraction };
        const best = await alternate(programs, { train: request }, given.repeats);
        const what = { table: name, kind, share, variable, rows, rounds, featureFraction };
        // half of the predictors are drawn otherwise everywhere: libraries count by what they reach with all of them
        const equal = entries[0]?.equal;
        entries.push(entryOf(what, best, { libraries: given.peers, equal, rounds }));
        print(entries.at(-1));
      }
      measured.push(...entries);
    }
  return measured;
}

async function measureWhole(programs, { name, kind }, opened, given, print) {
  const request = { leaves: LEAVES, rounds: given.rounds, shrinkage: SHRINKAGE, featureFraction: 0.5, patience: 40 };
  const best = await alternate(programs, { whole: request }, given.repeats);
  const what = { table: name, kind, rows: opened.rows, rounds: given.rounds, featureFraction: 0.5 };
  const entry = entryOf(what, best, { libraries: given.peers, equal: given.peers, rounds: 1000 });
  print(entry);
  return [entry];
}

/** Means by what differs: all or half of the predictors, short and long, kind of table. */
function summary(measured) {
  const lines = [];
  const groups = [
    (one) => `${one.featureFraction === 1 ? 'all' : 'half'} of the predictors, ${one.rounds} rounds`,
    (one) => `${one.kind} tables, ${one.featureFraction === 1 ? 'all' : 'half'} of the predictors`,
  ];
  for (const group of groups)
    for (const name of new Set(measured.map(group))) {
      const own = measured.filter((one) => group(one) === name && one.ratio !== null);
      if (own.length === 0) continue;
      const least = own.reduce((a, b) => (b.ratio < a.ratio ? b : a));
      const mean = geometricMean(own.map(({ ratio }) => ratio)).toFixed(2);
      lines.push(
        `${name}: ${mean}x in the geometric mean of ${own.length}, least ${least.ratio.toFixed(2)}x (${least.table}, ${least.rows} rows)`,
      );
    }
  return lines;
}

async function main() {
  const given = options();
  const asked = tables.filter(
    ({ name }) =>
      (!given.whole || wholeTables.includes(name)) &&
      (given.table.length === 0 || given.table.some((text) => name.includes(text))),
  );
  if (given.list) return asked.forEach(({ name }) => console.log(name));
  const folders = dataFolders(given.data);
  const print = given.json ? say : console.log;
  const programs = startPrograms(given);
  const names = namesOf(programs);
  const unit = given.whole ? 's' : 'ms a tree';
  print(
    `Processor time, ${unit}, one thread each, in turns, the least of up to ${given.repeats}; ${LEAVES} leaves, set-up counted. Load ${loadavg()[0].toFixed(1)}.`,
  );
  const measured = [];
  try {
    for (const table of asked) {
      const path = locateTable(table, folders);
      if (path === null) {
        say(`left out, no data in ${folders.join(' or ')}: ${table.name} (--data DIR)`);
        continue;
      }
      const opened = await open(programs, path, temporaryFolder('peers'), LEAVES);
      say(
        `${table.name}: ${opened.rows} rows x ${opened.columns} columns, ${opened.predictors} predictors, ${opened.decisions.length} decisions, ` +
          `arranged in ${opened.arranging.toFixed(0)} ms, ${(opened.bytes / 2 ** 20).toFixed(0)} MiB`,
      );
      const measure = given.whole ? measureWhole : measureTable;
      const show = ({ cells }) => say(cells.join('  '));
      measured.push(...(await measure(programs, table, opened, given, show)));
    }
    if (measured.length === 0) throw new Error('no table is left to measure');
    const heads = ['table', 'rows', 'rounds', 'predictors', ...names, given.before ? 'before / ours' : 'ratio'];
    print(
      `\n${markdownTable(
        heads,
        measured.map(({ cells }) => cells),
      )}\n`,
    );
    print([...summary(measured), ...differences(measured), `Load ${loadavg()[0].toFixed(1)}.`].join('\n'));
    if (given.json)
      console.log(JSON.stringify({ cases: measured }, (key, value) => (key === 'cells' ? undefined : value)));
  } finally {
    for (const program of programs) program.close();
  }
}

try {
  await main();
} catch (error) {
  say(`bench:peers: ${error.message}`);
  process.exitCode = 2;
}
