// npm run bench:scoring: how fast finished trees score rows, beside the libraries' predictions by as many of their own.
import { availableParallelism } from 'node:os';
import { readCommandLine, runPlainly } from '../../infra/command-line.mjs';
import { dataFolders, locate } from './peers/data.mjs';
import { peersPython } from './peers/environment.mjs';
import { canPin, startPrograms } from './peers/program.mjs';

const usage = `npm run bench:scoring [-- options]

  --data DIR   folder of the data sets (or ORCHARD_DATA; ../shared/data)
  --json       one JSON document on standard output; the table then goes to standard error`;

const REPEATS = 2;
const peers = ['xgboost', 'lightgbm'];

/**
 * A whole network would take hours to train with the libraries: each position has the trees of the last of these before
 * it.
 */
const cases = [
  { set: 'ocr_letters', dimensions: [16, 64, 127], leaves: 64, rounds: 300, shrinkage: 0.02 },
  { set: 'binarized_mnist', dimensions: [150, 300, 500], leaves: 32, rounds: 300, shrinkage: 0.02 },
];

/** 10,000 rows from 784 conditionals of 100 trees each. */
const sampling = {
  rows: 10_000,
  from: { set: 'binarized_mnist', dimension: 500, leaves: 32, rounds: 100, shrinkage: 0.02 },
};

const thousands = (rate) => `${(rate / 1000).toFixed(rate < 100_000 ? 2 : 0)}k`.padStart(12);

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

/** Opens a set in every program; null, and said, where it is absent. */
async function open(programs, { folders, print }, set) {
  const data = locate(set, folders);
  if (data === null) {
    print(`${set}: left out, no data in ${folders.join(' or ')} (--data DIR)`);
    return null;
  }
  let answer;
  for (const program of programs) answer = await ask(program, { open: data });
  return answer;
}

function entry(name, rate) {
  return { name, ...rate, ratio: rate.ours / Math.max(...peers.map((peer) => rate[peer])) };
}

function line({ name, ratio, ...rate }) {
  const cells = ['ours', ...peers].map((program) => thousands(rate[program])).join('');
  return `${name.padEnd(40)}${cells}   ${ratio.toFixed(1)}x`;
}

async function score(programs, asked) {
  const { print } = asked;
  const entries = [];
  const show = (name, rate) => {
    entries.push(entry(name, rate));
    print(line(entries.at(-1)));
  };
  print('Rows a second on the validation rows, one thread on one core:\n');
  print(`${''.padEnd(40)}     Orchard     XGBoost    LightGBM   ratio to the faster`);
  for (const { set, dimensions, ...rest } of cases) {
    const opened = await open(programs, asked, set);
    if (opened === null) continue;
    const conditionals = dimensions.map((dimension) => ({ dimension, ...rest }));
    const measured = [];
    for (const conditional of conditionals) {
      measured.push(await rates(programs, conditional));
      show(`${set} d=${conditional.dimension} J=${rest.leaves} T=${rest.rounds}`, measured.at(-1));
    }
    // the whole network: ours scores it; the libraries take as long as all its conditionals
    const standIns = Array.from({ length: opened.dimensions }, (_, position) =>
      Math.max(
        0,
        dimensions.findLastIndex((dimension) => dimension <= position),
      ),
    );
    const { rowsPerSecond } = await ask(programs[0], { score: conditionals, standIns });
    const whole = { ours: rowsPerSecond };
    for (const peer of peers) whole[peer] = 1 / standIns.slice(1).reduce((sum, at) => sum + 1 / measured[at][peer], 0);
    show(`${set}, all ${opened.dimensions} dimensions`, whole);
  }
  return entries;
}

/**
 * Training 784 conditionals would take minutes: those of one stand at every position, their predictors modulo the
 * position.
 */
async function sample([ours], asked) {
  const { rows, from } = sampling;
  const { set, ...measure } = from;
  if ((await open([ours], asked, set)) === null) return null;
  const { seconds } = await ask(ours, { sample: measure, rows });
  asked.print(`\nSampling ${rows} rows like ${set}, ${measure.rounds} trees a dimension: ${seconds.toFixed(1)} s`);
  return { set, rows, rounds: measure.rounds, seconds };
}

async function main() {
  const given = readCommandLine('bench:scoring', usage, { data: { type: 'string' }, json: { type: 'boolean' } });
  const { json } = given.values;
  const asked = { folders: dataFolders(given.folder('data')), print: json ? console.error : console.log };
  const last = availableParallelism() - 1;
  const core = canPin(last) ? last : null;
  const programs = startPrograms({ python: peersPython(console.error), peers, core, clock: 'processor' });
  try {
    const cases = await score(programs, asked);
    const sampled = await sample(programs, asked);
    if (json) console.log(JSON.stringify({ cases, sampling: sampled }));
  } finally {
    for (const program of programs) program.close();
  }
}

await runPlainly('bench:scoring', main);
