// npm run bench:roofline: what training moves and adds, beside what this machine can move and add at most.
import asc from 'assemblyscript/asc';
import { trainConditional } from '@orchard/logitboost';
import { readDataset } from '@orchard/dataset';
import { loadKernel, TrainingData } from '@orchard/kernel';
import { readCommandLine, runPlainly } from '../../infra/command-line.mjs';
import { markdownTable } from './markdown.mjs';
import { dataFolders, locate } from './peers/data.mjs';

const usage = `npm run bench:roofline [-- options]

  --repeats N  repetitions, of which the fastest counts (5)
  --data DIR   folder of the data sets (or ORCHARD_DATA; ../shared/data)
  --json       one JSON document on standard output; the table then goes to standard error`;

/** Set, dimension, leaves and rounds: sets without one-hot columns, of which the kernel would add whole groups. */
const cases = [
  ['ocr_letters', 64, 64, 200],
  ['ocr_letters', 127, 64, 200],
  ['binarized_mnist', 300, 32, 30],
  ['binarized_mnist', 500, 32, 30],
  ['plants', 68, 32, 100],
  ['audio', 99, 16, 100],
];
const rules = { start: 'half', minLeafWeight: 0, maxLeafValue: Infinity, l2: 0, featureFraction: 1, patience: 0 };

/**
 * The two loops, and nothing else in them: STREAM's triad, and additions of a pair of numbers to the cells of a table,
 * one for each entry of a list, as the kernel's root makes them.
 */
const loops = `
export function triad(to: usize, one: usize, other: usize, bytes: usize): void {
  const factor = f64x2.splat(3.0);
  for (let at: usize = 0; at < bytes; at += 16)
    v128.store(to + at, f64x2.add(v128.load(one + at), f64x2.mul(factor, v128.load(other + at))));
}
export function add(entries: usize, count: usize, table: usize): void {
  const pair = f64x2.splat(1.0);
  for (let at = entries, end = entries + (count << 1); at < end; at += 8) {
    for (let next: usize = 0; next < 8; next += 2) {
      const cell = table + (<usize>load<u16>(at + next) << 4);
      v128.store(cell, f64x2.add(v128.load(cell), pair));
    }
  }
}`;

/** Cells of a table of one byte of predictors, 16 bytes each: residual and weight. */
const CELLS = 256;
const CELL_BYTES = 16;
/** Additions by which a byte's table is turned into sums of its eight predictors (libs/core/kernel, histogram.ts). */
const FOLDING = 510;
/** Of each array of the triad: far more than any cache holds. */
const TRIAD_BYTES = 2 ** 26;
const PAGE = 2 ** 16;

async function compiled() {
  let bytes = null;
  const { error, stderr } = await asc.main(
    'loops.ts --enable simd --runtime stub -O3 --importMemory --outFile loops.wasm'.split(' '),
    {
      readFile: (name) => (name === 'loops.ts' ? loops : null),
      writeFile: (name, contents) => void (bytes = contents),
      listFiles: () => [],
    },
  );
  if (error) throw new Error(`${error.message}\n${stderr.toString()}`);
  const memory = new WebAssembly.Memory({ initial: (4 * TRIAD_BYTES) / PAGE });
  const { instance } = await WebAssembly.instantiate(bytes, { env: { memory, abort: () => {} } });
  return { memory, ...instance.exports };
}

/** The least processor time of several, milliseconds. */
function leastTime(repeats, work) {
  const times = Array.from({ length: repeats }, () => {
    const { user, system } = process.cpuUsage();
    work();
    const after = process.cpuUsage({ user, system });
    return (after.user + after.system) / 1000;
  });
  return Math.min(...times);
}

/** The distinct rows of the first columns: the bits of each, and its entries, one for each byte that is not zero. */
function patternsOf(matrix, columns) {
  const bytes = Math.ceil(columns / 8);
  const patterns = new Map();
  for (let row = 0; row < matrix.rows; row++) {
    const packed = new Uint8Array(bytes);
    for (let column = 0; column < columns; column++)
      packed[column >> 3] |= matrix.get(row, column) << (7 - (column & 7));
    const key = packed.join();
    if (!patterns.has(key)) patterns.set(key, packed);
  }
  return [...patterns.values()].map((packed) => ({
    packed,
    entries: Array.from(packed, (value, byte) => (value === 0 ? -1 : byte * CELLS + value)).filter(
      (entry) => entry >= 0,
    ),
  }));
}

const isOne = ({ packed }, predictor) => (packed[predictor >> 3] >> (7 - (predictor & 7))) & 1;
const entriesOf = (patterns) => patterns.reduce((sum, { entries }) => sum + entries.length, 0);

/** Additions below the root of the trees, by the smaller child of each split, whose sibling is a difference. */
function additionsBelow(ensemble, patterns) {
  let additions = 0;
  let split = 0;
  for (const leaves of ensemble.leafCounts) {
    const nodes = [patterns];
    for (let made = 1; made < leaves; made++, split++) {
      const leaf = ensemble.splitLeaf[split];
      const ones = nodes[leaf].filter((pattern) => isOne(pattern, ensemble.splitPredictor[split]));
      const zeros = nodes[leaf].filter((pattern) => !isOne(pattern, ensemble.splitPredictor[split]));
      nodes[leaf] = zeros;
      nodes.push(ones);
      // nobody looks at the children of the last split
      if (made < leaves - 1) additions += entriesOf(ones.length < zeros.length ? ones : zeros);
    }
  }
  return additions;
}

function measured(kernel, machine, [set, dimension, leaves, rounds], matrix, repeats) {
  const train = matrix.selectColumns(Uint32Array.from({ length: dimension + 1 }, (_, column) => column));
  const data = TrainingData.arrange({ train, valid: null, test: null }, { threads: 1, leaves });
  const options = { ...rules, leaves, rounds, shrinkage: 0.02, seed: 0 };
  let ensemble = null;
  const milliseconds = leastTime(repeats, () => ({ ensemble } = trainConditional(kernel, data, dimension, options)));
  const patterns = patternsOf(train, dimension);
  const root = entriesOf(patterns);
  const below = additionsBelow(ensemble, patterns) / rounds;
  const folding = FOLDING * Math.ceil(dimension / 8) * (leaves - 1);
  const nanoseconds = machine.nanosecondsOf(patterns.flatMap(({ entries }) => entries));
  // entries of two bytes; of each pattern its odds, read and written, and its residual and weight, written and read
  const bytes = 2 * (root + below) + patterns.length * 48;
  return {
    case: `${set} ${dimension}, J = ${leaves}`,
    additions: { root, below: Math.round(below), folding },
    megabytes: bytes / 1e6,
    nanosecondsAnAddition: nanoseconds,
    millisecondsATree: milliseconds / rounds,
    boundByAdditions: ((root + below) * nanoseconds) / 1e6,
    boundByMemory: bytes / machine.bandwidth / 1e6,
  };
}

function lineOf(line) {
  const { additions, megabytes, nanosecondsAnAddition, millisecondsATree, boundByAdditions, boundByMemory } = line;
  const thousands = (count) => `${Math.round(count / 1000)}`;
  return [
    line.case,
    ...[additions.root, additions.below, additions.folding].map(thousands),
    megabytes.toFixed(2),
    nanosecondsAnAddition.toFixed(2),
    ...[millisecondsATree, boundByAdditions, boundByMemory].map((one) => one.toFixed(3)),
    `${((100 * boundByAdditions) / millisecondsATree).toFixed(0)} %`,
  ];
}

async function main() {
  const given = readCommandLine('bench:roofline', usage, {
    repeats: { type: 'string' },
    data: { type: 'string' },
    json: { type: 'boolean' },
  });
  const repeats = given.whole('repeats', { from: 1, otherwise: 5 });
  const print = given.values.json ? console.error : console.log;
  const folders = dataFolders(given.folder('data'));
  const { memory, triad, add } = await compiled();
  const moved = leastTime(repeats, () => triad(PAGE, PAGE + TRIAD_BYTES, PAGE + 2 * TRIAD_BYTES, TRIAD_BYTES - PAGE));
  const machine = {
    /** Bytes a nanosecond. */
    bandwidth: (3 * (TRIAD_BYTES - PAGE)) / moved / 1e6,
    /** Of one addition to a table that these entries point into. */
    nanosecondsOf(entries) {
      const list = new Uint16Array(memory.buffer, PAGE, entries.length - (entries.length % 4));
      list.set(entries.slice(0, list.length));
      const table = 3 * TRIAD_BYTES;
      if (list.byteLength + PAGE > table || CELLS * CELL_BYTES * CELLS > TRIAD_BYTES)
        throw new Error('too many entries');
      const passes = Math.ceil(2e7 / list.length);
      const time = leastTime(repeats, () => {
        for (let pass = 0; pass < passes; pass++) add(PAGE, list.length, table);
      });
      return (1e6 * time) / passes / list.length;
    },
  };
  print(
    `Triad: ${machine.bandwidth.toFixed(1)} GB/s, one thread. Thousands of additions a tree; milliseconds a tree.\n`,
  );
  const kernel = await loadKernel('wasm');
  const lines = [];
  for (const one of cases) {
    const paths = locate(one[0], folders);
    if (paths === null) print(`${one[0]}: left out, it is not in ${folders.join(' or ')} (--data DIR)`);
    else {
      console.error(`${one[0]} ${one[1]} …`);
      lines.push(measured(kernel, machine, one, await readDataset(paths.train), repeats));
    }
  }
  const heads = [
    'case',
    'root',
    'below',
    'folding',
    'MB',
    'ns alone',
    'measured',
    'additions alone',
    'memory alone',
    'share',
  ];
  print(markdownTable(heads, lines.map(lineOf)));
  if (given.values.json) console.log(JSON.stringify({ bandwidth: machine.bandwidth, cases: lines }));
}

await runPlainly('bench:roofline', main);
