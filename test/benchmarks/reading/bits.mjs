// Files of 0 and 1 read by @orchard/dataset and by pandas.read_csv, each in a process that stays: wall-clock rates, and
// their ratio.
import { spawn } from 'node:child_process';
import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { median } from '../statistics.mjs';
import { onOneCore, uniforms } from './one-core.mjs';

const SELF = fileURLToPath(import.meta.url);
/** Width, rows, share of ones: images, a survey, one-hot data. */
const FILES = [
  { dimensions: 784, rows: 20_000, ones: 0.13 },
  { dimensions: 128, rows: 100_000, ones: 0.3 },
  { dimensions: 16, rows: 500_000, ones: 0.5 },
];

const PYTHON_READER = `
import sys, time, pandas
print("pandas " + pandas.__version__, flush=True)
for line in sys.stdin:
    path, dtype = line.strip().split("\\t")
    started = time.perf_counter()
    frame = pandas.read_csv(path, header=None, dtype=None if dtype == "default" else dtype)
    seconds = time.perf_counter() - started
    print(seconds, frame.shape[0], frame.shape[1], int(frame.to_numpy().sum()), flush=True)
`;

if (process.argv[1] === SELF) await serve();

/** The reader under test, in a process of its own: one path per line in, seconds and what was read out. */
async function serve() {
  const { readDataset } = await import('../../../libs/core/dataset/dist/index.js');
  console.log(`node ${process.version}`);
  for await (const line of createInterface({ input: process.stdin })) {
    const [path = ''] = line.split('\t');
    const started = performance.now();
    const matrix = await readDataset(path, { header: false });
    const seconds = (performance.now() - started) / 1000;
    const ones = matrix.rowCounts().reduce((sum, count) => sum + count, 0);
    console.log(seconds, matrix.rows, matrix.dimensions, ones);
  }
}

export async function compareBits({ folder, python, repeats, print }) {
  const ours = reader(process.execPath, [SELF]);
  const theirs = reader(python, ['-c', PYTHON_READER]);
  const readers = [
    ['orchard', ours, 'exact'],
    ['pandas', theirs, 'default'],
    ['pandas uint8', theirs, 'uint8'],
  ];
  try {
    const versions = [await ours.line(), await theirs.line()];
    print(`0/1 data: ${versions.join(' against ')}`);
    const files = [];
    for (const { dimensions, rows, ones } of FILES) {
      const path = join(folder, `${dimensions}.csv`);
      writeFileSync(path, makeCsv(dimensions, rows, ones));
      const seconds = readers.map(() => []);
      const seen = new Set();
      for (let repeat = 0; repeat <= repeats; repeat++) {
        for (const [i, [, process_, mode]] of readers.entries()) {
          const [time, ...read] = (await process_.ask(`${path}\t${mode}`)).split(' ').map(Number);
          seen.add(read.join(' '));
          if (repeat > 0) seconds[i].push(time); // the first warms up
        }
      }
      if (seen.size !== 1) throw new Error(`The readers read different things: ${[...seen].join(' | ')}`);
      const [mine, ...peers] = seconds.map(median);
      const megabytes = statSync(path).size / 1e6;
      const rates = Object.fromEntries(readers.map(([name], i) => [name, megabytes / median(seconds[i])]));
      const ratio = Math.min(...peers) / mine;
      const shown = Object.entries(rates).map(([name, rate]) => `${name} ${rate.toFixed(0)} MB/s`);
      print(`${rows} x ${dimensions}: ${shown.join(', ')}; ${ratio.toFixed(1)} times the rate of the faster pandas`);
      files.push({ dimensions, rows, megabytes, megabytesPerSecond: rates, ratio });
    }
    return { versions, files, isFaster: files.every(({ ratio }) => ratio >= 1) };
  } finally {
    ours.stop();
    theirs.stop();
  }
}

/** A process that answers lines with lines. */
function reader(command, args) {
  const [first, ...rest] = [...onOneCore, command, ...args];
  const child = spawn(first, rest, { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const line = async () => {
    const { value, done } = await lines.next();
    if (done) throw new Error(`${command} ended without an answer`);
    return value;
  };
  const ask = (question) => {
    child.stdin.write(`${question}\n`);
    return line();
  };
  return { line, ask, stop: () => child.kill() };
}

function makeCsv(dimensions, rows, ones) {
  const bytes = Buffer.alloc(rows * dimensions * 2, ',');
  const uniform = uniforms();
  for (let row = 0, at = 0; row < rows; row++) {
    for (let dim = 0; dim < dimensions; dim++, at += 2) bytes[at] = uniform() < ones ? 49 : 48;
    bytes[at - 1] = 10;
  }
  return bytes;
}
