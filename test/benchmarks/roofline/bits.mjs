// What training rows of 0 and 1 moves and adds, counted from its trees.
import { trainConditional } from '@orchard/logitboost';
import { readDataset } from '@orchard/dataset';
import { TrainingData } from '@orchard/kernel';
import { locate } from '../peers/data.mjs';
import { leastTime } from './machine.mjs';

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

/** Cells of a table of one byte of predictors. */
const CELLS = 256;
/** Additions by which a byte's table is turned into sums of its eight predictors (libs/core/kernel, histogram.ts). */
const FOLDING = 510;

export const heads = [
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
  const nanoseconds = machine.nanosecondsByEntries(patterns.flatMap(({ entries }) => entries));
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

export function lineOf(line) {
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

export async function measure(kernel, machine, { folders, repeats, print }) {
  const lines = [];
  for (const one of cases) {
    const paths = locate(one[0], folders);
    if (paths === null) print(`${one[0]}: left out, it is not in ${folders.join(' or ')} (--data DIR)`);
    else {
      console.error(`${one[0]} ${one[1]} …`);
      lines.push(measured(kernel, machine, one, await readDataset(paths.train), repeats));
    }
  }
  return lines;
}
