// What is measured: conditionals of the data sets, and whole runs.
import { RandomStream } from '@orchard/numerics';

/**
 * Leaves and shrinkage of a set's drawn dimensions; `rounds` is the short and the long run, two of them to separate
 * set-up from slope.
 */
const sets = {
  ocr_letters: { dimensions: 128, leaves: 64, shrinkage: 0.02, rounds: [50, 400] },
  binarized_mnist: { dimensions: 784, leaves: 32, shrinkage: 0.02, rounds: [30, 200] },
  wide: { dimensions: 2000, leaves: 32, shrinkage: 0.02, rounds: [20, 200] },
  dna: { dimensions: 180, leaves: 16, shrinkage: 0.02, rounds: [50, 400] },
  adult: { dimensions: 123, leaves: 2, shrinkage: 0.1, rounds: [50, 400] },
  mushrooms: { dimensions: 112, leaves: 8, shrinkage: 0.02, rounds: [50, 400] },
  plants: { dimensions: 69, leaves: 32, shrinkage: 0.02, rounds: [50, 400] },
  msnbc: { dimensions: 17, leaves: 16, shrinkage: 0.02, rounds: [50, 400] },
  nltcs: { dimensions: 16, leaves: 8, shrinkage: 0.02, rounds: [50, 400] },
  audio: { dimensions: 100, leaves: 16, shrinkage: 0.02, rounds: [50, 400] },
};

/**
 * The first table that was published for these conditionals: set, dimension, leaves, rounds. The floor is asked of
 * these ten.
 */
const table = [
  ['ocr_letters', 16, 64, 200],
  ['ocr_letters', 64, 64, 200],
  ['ocr_letters', 127, 64, 200],
  ['binarized_mnist', 300, 32, 30],
  ['binarized_mnist', 500, 32, 30],
  ['dna', 179, 16, 200],
  ['adult', 60, 2, 200],
  ['mushrooms', 111, 8, 200],
  ['plants', 68, 32, 100],
  ['msnbc', 16, 16, 50],
];

/** Dimension 2 of binarized_mnist is a pixel that is never on: the constant target. */
const further = [
  ['binarized_mnist', 2, 32],
  ['wide', 1999, 32],
  ['plants', 34, 16],
  ['nltcs', 15, 8],
  ['audio', 99, 16],
];

const whole = [
  ['dna', 16, 1000],
  ['mushrooms', 8, 1000],
  ['adult', 2, 1000],
  ['plants', 16, 500],
  ['ocr_letters', 64, 300],
];

const DRAWN = 3;

/** Three different dimensions of the set, each with at least one predictor, the same for the same seed everywhere. */
function drawnDimensions(set, index, seed) {
  const stream = new RandomStream(seed, 0x62656e63, index);
  const drawn = new Set();
  while (drawn.size < DRAWN) drawn.add(1 + stream.below(sets[set].dimensions - 1));
  return [...drawn];
}

function conditional(kind, set, dimension, leaves, rounds) {
  const name = `${set} d=${dimension} J=${leaves} T=${rounds}`;
  return { kind, name, set, dimension, leaves, rounds, shrinkage: sets[set].shrinkage };
}

/** The ten lines of the published table, each with its own number of rounds. */
export function floorCases() {
  return table.map((line) => conditional('published lines', ...line));
}

/**
 * Every conditional, set by set: the listed ones and those that the seed draws; only the short runs of the listed ones
 * with `quick`.
 */
export function allCases({ seed, quick }) {
  return Object.entries(sets).flatMap(([set, { leaves, rounds }], index) => {
    const listed = [...table, ...further].filter((line) => line[0] === set).map((line) => line.slice(1, 3));
    const drawn = quick ? [] : drawnDimensions(set, index, seed).map((dim) => [dim, leaves]);
    const distinct = new Map([...listed, ...drawn].map((pair) => [pair.join(), pair]));
    const lengths = [['short runs', rounds[0]], ...(quick ? [] : [['long runs', rounds[1]]])];
    return [...distinct.values()].flatMap(([dim, J]) => lengths.map(([kind, T]) => conditional(kind, set, dim, J, T)));
  });
}

/** All dimensions of a set, one after another. */
export function wholeRuns() {
  return whole.map(([set, leaves, rounds]) => ({
    kind: 'whole runs',
    name: `${set} J=${leaves} T=${rounds}`,
    set,
    leaves,
    rounds,
    shrinkage: sets[set].shrinkage,
  }));
}
