// How training time grows with rows, dimensions, leaves, rounds, density of ones, and threads: `node test/benchmarks/growth.mjs [--data DIR]`.
import { parseArgs } from 'node:util';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { trainConditional } from '@orchard/boosting';
import { BitMatrix, readDataset } from '@orchard/dataset';
import { loadKernel, TrainingData } from '@orchard/kernel';
import { RandomStream } from '@orchard/numerics';
import { dataFolders, locate } from './peers/data.mjs';

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

/** Columns that resemble earlier ones: column j repeats column j/2 in half of the rows and is drawn anew in the others. */
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

const mebibytes = (bytes) => (bytes / 2 ** 20).toFixed(0);

function print(what, values, measured, { matrices, rounds }) {
  console.log(`\n${what.padEnd(12)}arrange ms   train ms   ms a tree   times the one above   MiB (allowed)`);
  measured.forEach(({ arrange, train, own }, at) => {
    const { rows, stride } = matrices[at];
    // the trainer's own memory: at most 6 x the packed data, 128 bytes a row and 64 MiB
    const allowed = 6 * rows * stride + 128 * rows + 64 * 2 ** 20;
    const growth = at === 0 ? '' : `${(train / measured[at - 1].train).toFixed(2)} for ${values[at] / values[at - 1]}`;
    const cells = [arrange.toFixed(1), train.toFixed(1), (train / rounds[at]).toFixed(3), growth];
    const memory = `${mebibytes(own)} (${mebibytes(allowed)})`;
    console.log(
      String(values[at]).padEnd(12) +
        cells.map((cell, i) => cell.padStart([10, 11, 12, 22][i])).join('') +
        memory.padStart(16),
    );
  });
}

/** One table: the named setting takes each of the values while the others stay. */
function vary(kernel, name, values, matrixOf = drawn) {
  const settings = values.map((value) => ({ ...usual, [name]: value }));
  const matrices = settings.map(matrixOf);
  const measured = settings.map((setting, at) => measure(kernel, matrices[at], setting));
  print(name, values, measured, { matrices, rounds: settings.map(({ rounds }) => rounds) });
}

const threadWork = { ...usual, rows: 4000, dimensions: 128, leaves: 16, rounds: 100 };

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
  const { values } = parseArgs({ options: { data: { type: 'string' } } });
  const folders = dataFolders(values.data);
  const msnbc = locate('msnbc', folders);
  const kernel = await loadKernel('wasm');
  measure(kernel, drawn(usual), usual); // warm

  console.log(`One thread, paper preset, the last dimension from all others; otherwise ${JSON.stringify(usual)}.`);
  if (msnbc === null) console.log(`\nrows: left out, no msnbc in ${folders.join(' or ')} (--data DIR)`);
  else {
    console.log('\nRows of msnbc, repeated (17 dimensions):');
    const matrix = await readDataset(msnbc.train);
    vary(kernel, 'rows', [1_000, 10_000, 100_000, 1_000_000], ({ rows }) => repeated(matrix, rows));
    console.log('\nDrawn columns:');
  }
  vary(kernel, 'rows', [1_000, 4_000, 16_000, 64_000]);
  vary(kernel, 'dimensions', [16, 64, 256, 1_024, 4_096]);
  vary(kernel, 'leaves', [2, 8, 32, 128, 512]);
  vary(kernel, 'rounds', [10, 100, 1_000]);
  vary(kernel, 'density', [0.01, 0.05, 0.2, 0.5]);

  const train = drawn(threadWork);
  const times = [];
  for (let repeat = 0; repeat < 2; repeat++)
    for (const threads of [1, 2])
      times[threads] = Math.min(times[threads] ?? Infinity, await timeOfThreads(train, threads));
  const efficiency = (100 * times[1]) / times[2] / 2;
  console.log(
    `\nthreads      1: ${times[1].toFixed(0)} ms   2: ${times[2].toFixed(0)} ms   efficiency ${efficiency.toFixed(0)} %`,
  );
}

await (isMainThread ? main() : serveThread(workerData));
