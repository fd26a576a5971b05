// How fast finished trees score rows, beside the libraries' predictions by as many of their own: `node test/benchmarks/scoring.mjs [--data DIR]`.
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { dataFolders, locate } from './peers/data.mjs';
import { peersPython } from './peers/environment.mjs';
import { canPin, startPrograms } from './peers/program.mjs';

const REPEATS = 2;
const peers = ['xgboost', 'lightgbm'];

const cases = [
  { set: 'ocr_letters', dimension: 64, leaves: 64, rounds: 300, shrinkage: 0.02 },
  { set: 'ocr_letters', dimension: 127, leaves: 64, rounds: 300, shrinkage: 0.02 },
  { set: 'binarized_mnist', dimension: 300, leaves: 32, rounds: 300, shrinkage: 0.02 },
  { set: 'binarized_mnist', dimension: 500, leaves: 32, rounds: 300, shrinkage: 0.02 },
];

/** 10,000 rows from 784 conditionals of 100 trees each. */
const sampling = {
  rows: 10_000,
  from: { set: 'binarized_mnist', dimension: 500, leaves: 32, rounds: 100, shrinkage: 0.02 },
};

const thousands = (rate) => `${(rate / 1000).toFixed(0)}k`.padStart(12);

async function ask(program, request) {
  const answer = await program.ask(request);
  if (answer.error !== undefined) throw new Error(`${program.name}: ${answer.error}`);
  return answer;
}

/** The most rows a second of each program, asked in turn. */
async function rates(programs, measure) {
  const best = {};
  for (let repeat = 0; repeat < REPEATS; repeat++)
    for (const program of programs) {
      const { rowsPerSecond } = await ask(program, { predict: measure });
      best[program.name] = Math.max(best[program.name] ?? 0, rowsPerSecond);
    }
  return best;
}

/** Opens each set once and measures what is asked of it; says which sets are absent. */
async function bySet(programs, folders, measures, measure) {
  let opened = null;
  for (const { set, ...rest } of measures) {
    const data = locate(set, folders);
    if (data === null) {
      console.log(`${set}: left out, no data in ${folders.join(' or ')} (--data DIR)`);
      continue;
    }
    if (opened !== set) for (const program of programs) await ask(program, { open: data });
    opened = set;
    await measure(set, rest);
  }
}

async function score(programs, folders) {
  console.log('Rows a second of one conditional on the validation rows, one thread on one core:\n');
  console.log(`${''.padEnd(34)}     Orchard     XGBoost    LightGBM   ratio to the faster`);
  await bySet(programs, folders, cases, async (set, measure) => {
    const best = await rates(programs, measure);
    const cells = ['ours', ...peers].map((program) => thousands(best[program])).join('');
    const ratio = best.ours / Math.max(...peers.map((peer) => best[peer]));
    const name = `${set} d=${measure.dimension} J=${measure.leaves} T=${measure.rounds}`;
    console.log(`${name.padEnd(34)}${cells}   ${ratio.toFixed(1)}x`);
  });
}

/** Training 784 conditionals would take minutes: those of one stand at every position, their predictors modulo the position. */
async function sample([ours], folders) {
  const { rows, from } = sampling;
  await bySet([ours], folders, [from], async (set, measure) => {
    const { seconds } = await ask(ours, { sample: measure, rows });
    console.log(`\nSampling ${rows} rows like ${set}, ${measure.rounds} trees a dimension: ${seconds.toFixed(1)} s`);
  });
}

const { values } = parseArgs({ options: { data: { type: 'string' } } });
const folders = dataFolders(values.data);
const last = availableParallelism() - 1;
const core = canPin(last) ? last : null;
const programs = startPrograms({ python: peersPython(console.error), peers, core, clock: 'processor' });
try {
  await score(programs, folders);
  await sample(programs, folders);
} finally {
  for (const program of programs) program.close();
}
