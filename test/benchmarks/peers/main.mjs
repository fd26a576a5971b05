// `npm run bench:peers`: the same conditionals trained by Orchard and by the libraries that people use for such trees.
import { availableParallelism } from 'node:os';
import { readCommandLine } from '../../../infra/command-line.mjs';
import { allCases, floorCases, wholeRuns } from './cases.mjs';
import { dataFolders, locate } from './data.mjs';
import { peersPython } from './environment.mjs';
import { alternate, entry, geometricMean, libraries } from './measure.mjs';
import { writePicture } from './picture.mjs';
import { canPin, startPrograms } from './program.mjs';
import { heading, lines, preface, summaries } from './report.mjs';

const usage = `npm run bench:peers -- [options]

  --floor            only the ten lines of the published table; exit code 1 below 1.3x on one or 2x in the geometric mean
  --quick            short runs of the listed cases, once
  --whole            whole runs, all dimensions (half an hour); --no-cases leaves the single conditionals out
  --tables           decisions of tables, or whole models of them; --tables --help has its options
  --case TEXT        only cases whose name contains TEXT (may be given more than once)
  --repeats N        repetitions, of which the fastest counts (3)
  --seed N           draws three more dimensions of each set (1)
  --peers A,B        some of ${libraries.join(',')}
  --data DIR         folder of the data sets (or ORCHARD_DATA; ../shared/data)
  --core N           the core that every program is pinned to (the last)
  --clock wall       time on the wall for single conditionals too, instead of the processor time of each program
  --list             print the cases and stop
  --json             one JSON document on standard output
  --picture FILE     the ratios as an SVG`;

function options() {
  const flag = { type: 'boolean', default: false };
  const text = { type: 'string' };
  const given = readCommandLine('bench:peers', usage, {
    ...{ floor: flag, quick: flag, whole: flag, 'no-cases': flag, list: flag, json: flag },
    ...{ repeats: text, seed: text, peers: text, data: text, core: text, clock: text, picture: text },
    case: { type: 'string', multiple: true, default: [] },
  });
  const { values } = given;
  return {
    ...values,
    data: given.folder('data'),
    peers: given.someOf('peers', libraries),
    clock: given.oneOf('clock', ['processor', 'wall'], 'processor'),
    repeats: given.whole('repeats', { otherwise: values.quick ? 1 : 3 }),
    seed: given.whole('seed', { otherwise: 1 }),
    core: given.whole('core', { otherwise: availableParallelism() - 1 }),
  };
}

const say = (text) => process.stderr.write(`${text}\n`);

/** Leaves out what was not asked for and what has no data, and says the latter. */
function available(measures, { case: wanted, data }) {
  const folders = dataFolders(data);
  const asked = measures.filter(({ name }) => wanted.length === 0 || wanted.some((text) => name.includes(text)));
  const absent = new Set(asked.map(({ set }) => set).filter((set) => locate(set, folders) === null));
  if (absent.size > 0) say(`left out, no data in ${folders.join(' or ')}: ${[...absent].join(', ')} (--data DIR)`);
  return asked
    .filter(({ set }) => !absent.has(set))
    .map((measure) => ({ ...measure, data: locate(measure.set, folders) }));
}

async function open(programs, data) {
  for (const program of programs) {
    const { error } = await program.ask({ open: data });
    if (error !== undefined) throw new Error(`${program.name} could not read ${data.train}: ${error}`);
  }
}

/** Single conditionals, set by set. */
async function measureCases(programs, cases, { repeats }, print) {
  const measured = [];
  let opened = null;
  for (const measure of cases) {
    const { set, data, name, rounds, dimension, leaves, shrinkage } = measure;
    if (set !== opened) await open(programs, data);
    opened = set;
    const best = await alternate(programs, { train: { dimension, leaves, rounds, shrinkage } }, repeats);
    const label = best.ours.constant ? `${name} (constant)` : name;
    measured.push({ measure, best, entry: entry(label, best, rounds) });
    print(measured.at(-1));
  }
  return measured;
}

async function measureRuns(programs, runs, print) {
  const measured = [];
  for (const measure of runs) {
    const { data, name, leaves, rounds, shrinkage } = measure;
    const best = await alternate(programs, { whole: { leaves, rounds, shrinkage }, data }, 1);
    measured.push({ measure, best, entry: entry(name, best, 1000) });
    print(measured.at(-1));
  }
  return measured;
}

function floorHolds(measured) {
  const ratios = measured.map(({ entry: { ratio } }) => ratio ?? Infinity);
  const holds = ratios.every((ratio) => ratio >= 1.3) && geometricMean(ratios) >= 2;
  say(holds ? 'The floor holds.' : 'The floor does not hold: 1.3x on every line and 2x in the geometric mean.');
  return holds;
}

async function main() {
  const given = options();
  const listed = given['no-cases'] ? [] : given.floor ? floorCases() : allCases(given);
  const runs = given.whole ? wholeRuns() : [];
  if (given.list) return [...listed, ...runs].forEach(({ name }) => console.log(name));

  const cases = available(listed, given);
  const wholes = available(runs, given);
  if (cases.length + wholes.length === 0) throw new Error('no case is left to measure');

  const core = canPin(given.core) ? given.core : null;
  const programs = startPrograms({ ...given, python: peersPython(say), core });
  const print = given.json ? say : console.log;
  const names = ['ours', ...given.peers];
  const show = ({ entry }) => print(lines(entry, names));
  try {
    print(
      preface({
        core,
        repeats: given.repeats,
        seed: given.floor || given.quick || cases.length === 0 ? null : given.seed,
      }),
    );
    if (cases.length > 0) print(heading('single conditionals', 'ms a tree', names));
    const measured = await measureCases(programs, cases, given, show);
    if (wholes.length > 0) print(heading('whole runs', 'seconds', names));
    const measuredRuns = await measureRuns(programs, wholes, show);
    print(`\n${summaries([...measured, ...measuredRuns]).join('\n')}`);

    const document = { cases: measured.map(({ entry }) => entry), runs: measuredRuns.map(({ entry }) => entry) };
    if (given.json) console.log(JSON.stringify(document));
    if (given.picture) writePicture(given.picture, document);
    if (given.floor && !floorHolds(measured)) process.exitCode = 1;
  } finally {
    for (const program of programs) program.close();
  }
}

try {
  // tables have options of their own
  if (process.argv.includes('--tables')) await import('./decisions/main.mjs');
  else await main();
} catch (error) {
  say(`bench:peers: ${error.message}`);
  process.exitCode = 2;
}
