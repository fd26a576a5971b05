// npm run bench:growth: how training time grows with rows, dimensions, leaves, rounds, density of ones, and threads.
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { trainConditional } from '@orchard/logitboost';
import { BitMatrix, readDataset } from '@orchard/dataset';
import { loadKernel, TrainingData } from '@orchard/kernel';
import { RandomStream } from '@orchard/numerics';
import { readCommandLine, runPlainly } from '../../infra/command-line.mjs';
import { dataFolders, locate } from './peers/data.mjs';

const usage = `npm run bench:growth [-- options]

  --data DIR   folder of the data sets (or ORCHARD_DATA; ../shared/data)
  --json       one JSON document on standard output; the tables then go to standard error`;

const paper = {
  shrinkage: 0.02,
  start: 'half',
  minLeafWeight: 0,
  maxLeafValue: Infinity,
  l2: 0,
  featureFraction: 1,
  patience: 0,
  seed: 0,
};

/** What is held while one of the others varies. */
const usual = { rows: 8000, dimensions: 256, leaves: 32, rounds: 50, density: 0.2 };

/**
 * Columns that resemble earlier ones: column j repeats column j/2 in half of the rows and is drawn anew in the others.
 */
function drawn({ rows, dimensions, density }) {
  const stream = new RandomStream(1, 0x67726f77);
  const matrix = BitMatrix.create(rows, dimensions);
  for (let row = 0; row < rows; row++)
    for (let dim = 0; dim < dimensions; dim++) {
      const repeats = dim > 0 && stream.uniform() < 0.5;
      if (repeats ? matrix.get(row, dim >> 1) === 1 : stream.uniform() < density) matrix.set(row, dim, 1);
    }
  return matrix;
}

/** Its rows again and again until there are `rows`. */
function repeated(matrix, rows) {
  return matrix.selectRows(Uint32Array.from({ length: rows }, (_, row) => row % matrix.rows));
}

/** The last dimension from all the others, the faster of two times. */
function measure(kernel, train, { leaves, rounds }) {
  let best = null;
  for (let repeat = 0; repeat < 2; repeat++) {
    const started = performance.now();
    const data = TrainingData.arrange({ train, valid: null, test: null }, { threads: 1, leaves });
    const arranged = performance.now();
    trainConditional(kernel, data, train.dimensions - 1, { ...paper, leaves, rounds });
    const times = { arrange: arranged - started, train: performance.now() - arranged };
    const own = data.handle.memory.buffer.byteLength;
    if (best === null || times.arrange + times.train < best.arrange + best.train) best = { ...times, own };
  }
  return best;
}

/** One table: the named setting takes each of the values while the others stay. */
function vary(kernel, name, values, matrixOf = drawn) {
  const settings = values.map((value) => ({ ...usual, [name]: value }));
  const matrices = settings.map(matrixOf);
  const lines = settings.map((setting, at) => {
    const { rows, stride } = matrices[at];
    const { arrange, train, own } = measure(kernel, matrices[at], setting);
    return {
      value: values[at],
      arrangeMilliseconds: arrange,
      trainMilliseconds: train,
      millisecondsATree: train / setting.rounds,
      memoryBytes: own,
      // the trainer's own memory: at most 6 x the packed data, 128 bytes a row and 64 MiB
      allowedBytes: 6 * rows * stride + 128 * rows + 64 * 2 ** 20,
    };
  });
  return { setting: name, columns: matrixOf === drawn ? 'drawn' : 'msnbc', lines };
}

const mebibytes = (bytes) => (bytes / 2 ** 20).toFixed(0);

function textOf({ setting, lines }) {
  const heading = `\n${setting.padEnd(12)}arrange ms   train ms   ms a tree   times the one above   MiB (allowed)`;
  const rows = lines.map((line, at) => {
    const { value, arrangeMilliseconds, trainMilliseconds, millisecondsATree, memoryBytes, allowedBytes } = line;
    const above = lines[at - 1];
    const growth =
      above === undefined
        ? ''
        : `${(trainMilliseconds / above.trainMilliseconds).toFixed(2)} for ${value / above.value}`;
    const cells = [arrangeMilliseconds.toFixed(1), trainMilliseconds.toFixed(1), millisecondsATree.toFixed(3), growth];
    const memory = `${mebibytes(memoryBytes)} (${mebibytes(allowedBytes)})`;
    return (
      String(value).padEnd(12) +
      cells.map((cell, i) => cell.padStart([10, 11, 12, 22][i])).join('') +
      memory.padStart(16)
    );
  });
  return [heading, ...rows].join('\n');
}

const threadWork = { ...usual, rows: 4000, dimensions: 128, leaves: 16, rounds: 500 };

/** Trains dimensions, the costliest first, until the common counter has passed them all. */
function trainTheRest(kernel, data, counter) {
  for (;;) {
    const dim = data.dimensions - 1 - Atomics.add(counter, 0, 1);
    if (dim < 0) return;
    trainConditional(kernel, data, dim, { ...paper, leaves: threadWork.leaves, rounds: threadWork.rounds });
  }
}

/** All dimensions in that many threads, which are started and warm before the clock runs; milliseconds. */
async function timeOfThreads(train, threads) {
  const { handle } = TrainingData.arrange({ train, valid: null, test: null }, { threads, leaves: threadWork.leaves });
  const counter = new Int32Array(new SharedArrayBuffer(4));
  const url = new URL(import.meta.url);
  const workers = Array.from(
    { length: threads },
    (_, thread) => new Worker(url, { workerData: { handle, thread, counter } }),
  );
  const allAnswer = () =>
    Promise.all(workers.map((worker) => new Promise((resolve) => worker.once('message', resolve))));
  await allAnswer();
  const started = performance.now();
  const finished = allAnswer();
  for (const worker of workers) worker.postMessage('go');
  await finished;
  const elapsed = performance.now() - started;
  await Promise.all(workers.map((worker) => worker.terminate()));
  return elapsed;
}

async function serveThread({ handle, thread, counter }) {
  const kernel = await loadKernel('wasm');
  const data = TrainingData.attach(handle, thread);
  trainConditional(kernel, data, data.dimensions - 1, {
    ...paper,
    leaves: threadWork.leaves,
    rounds: threadWork.rounds,
  });
  parentPort.once('message', () => {
    trainTheRest(kernel, data, counter);
    parentPort.postMessage('done');
  });
  parentPort.postMessage('ready');
}

async function main() {
  const given = readCommandLine('bench:growth', usage, { data: { type: 'string' }, json: { type: 'boolean' } });
  const folders = dataFolders(given.folder('data'));
  const print = given.values.json ? console.error : console.log;
  const msnbc = locate('msnbc', folders);
  const kernel = await loadKernel('wasm');
  measure(kernel, drawn(usual), usual); // warm

  const tables = [];
  const show = (...how) => {
    tables.push(vary(kernel, ...how));
    print(textOf(tables.at(-1)));
  };
  print(`One thread, paper preset, the last dimension from all others; otherwise ${JSON.stringify(usual)}.`);
  if (msnbc === null) print(`\nrows: left out, no msnbc in ${folders.join(' or ')} (--data DIR)`);
  else {
    print('\nRows of msnbc, repeated (17 dimensions):');
    const matrix = await readDataset(msnbc.train);
    show('rows', [1_000, 10_000, 100_000, 1_000_000], ({ rows }) => repeated(matrix, rows));
    print('\nDrawn columns:');
  }
  show('rows', [1_000, 4_000, 16_000, 64_000]);
  show('dimensions', [16, 64, 256, 1_024, 4_096]);
  show('leaves', [2, 8, 32, 128, 512]);
  show('rounds', [10, 100, 1_000]);
  show('density', [0.01, 0.05, 0.2, 0.5]);

  const train = drawn(threadWork);
  const times = [];
  for (let repeat = 0; repeat < 2; repeat++)
    for (const threads of [1, 2])
      times[threads] = Math.min(times[threads] ?? Infinity, await timeOfThreads(train, threads));
  const [, one, two] = times;
  const efficiency = one / two / 2;
  const percent = (100 * efficiency).toFixed(0);
  print(`\nthreads      1: ${one.toFixed(0)} ms   2: ${two.toFixed(0)} ms   efficiency ${percent} %`);
  const threads = { oneMilliseconds: one, twoMilliseconds: two, efficiency };
  if (given.values.json) console.log(JSON.stringify({ usual, tables, threads }));
}

await (isMainThread ? runPlainly('bench:growth', main) : serveThread(workerData));
