import type { Ensemble } from './ensemble.js';
import type { BodyArrays, ModelBody } from '../file/model-body.js';
import { NumberArray } from '../file/number-array.js';
import { isReadablePacked } from '../file/unpacking.js';
import { isRounded } from './rounded-ensemble.js';

/** The arrays of a number of ensembles, in the order in which they are written (FORMAT.md). */
const ENSEMBLE_ARRAYS = [
  'startOdds',
  'treeCounts',
  'splitCounts',
  'splitLeaf',
  'splitPredictor',
  'splitGain',
  'leafFactor',
] as const;

/** Those of a network's file. */
export const NETWORK_ARRAYS = ['ordering', ...ENSEMBLE_ARRAYS] as const;

const packed = { ofIntegers: NumberArray.ofPackedIntegers, ofFloats: NumberArray.ofPackedFloats };

/** An ordering and ensembles: of a network one a position, of a table one a decision. */
interface Trees {
  readonly ordering: Uint32Array;
  readonly ensembles: readonly Ensemble[];
}

/**
 * Packed where all trees are rounded: then little is lost by it that takes long to read, and most of the size. Not
 * where so little is left of them that a reader would have to take the file for a bomb.
 */
export function writeNetworkBody(trees: Trees): BodyArrays {
  if (!trees.ensembles.every(isRounded)) return arraysOf(trees, NumberArray);
  const arrays = arraysOf(trees, packed);
  const bytes = Object.values(arrays).reduce((sum, { byteLength }) => sum + byteLength, 0);
  return isReadablePacked(numbersOf(trees), bytes) ? arrays : arraysOf(trees, NumberArray);
}

function arraysOf({ ordering, ensembles }: Trees, { ofIntegers, ofFloats }: typeof packed) {
  return {
    ordering: ofIntegers([ordering]),
    startOdds: ofFloats([Float64Array.from(ensembles, ({ startOdds }) => startOdds)]),
    treeCounts: ofIntegers([Uint32Array.from(ensembles, ({ leafCounts }) => leafCounts.length)]),
    splitCounts: ofIntegers(ensembles.map(({ leafCounts }) => leafCounts.map((leaves) => leaves - 1))),
    splitLeaf: ofIntegers(ensembles.map(({ splitLeaf }) => splitLeaf)),
    splitPredictor: ofIntegers(ensembles.map(({ splitPredictor }) => splitPredictor)),
    splitGain: ofFloats(ensembles.map(({ splitGain }) => splitGain)),
    leafFactor: ofFloats(ensembles.map(({ leafFactor }) => leafFactor)),
  } satisfies Record<(typeof NETWORK_ARRAYS)[number], NumberArray>;
}

function numbersOf({ ordering, ensembles }: Trees): number {
  return ensembles.reduce(
    (sum, { leafCounts, splitLeaf, leafFactor }) =>
      sum + 2 + leafCounts.length + 3 * splitLeaf.length + leafFactor.length,
    ordering.length,
  );
}

/**
 * Cuts the concatenated arrays by ensemble; the caller, which knows what each may split on, checks the numbers.
 * @param count ensembles
 * @param others arrays that the caller reads
 * @throws ModelError `not-a-network-file` where sizes contradict each other
 */
export function readNetworkBody(
  body: ModelBody,
  positions: number,
  count = positions,
  others: readonly string[] = [],
): Trees {
  body.requireOnly([...NETWORK_ARRAYS, ...others]);
  const ordering = body.integers('ordering', positions);
  const startOdds = body.floats('startOdds', count);
  const treeCounts = body.integers('treeCounts', count);
  const trees = treeCounts.reduce((sum, count) => sum + count, 0);
  const leafCounts = body.integers('splitCounts', trees).map((splits) => splits + 1);
  const leaves = leafCounts.reduce((sum, count) => sum + count, 0);
  const splitLeaf = body.integers('splitLeaf', leaves - trees);
  const splitPredictor = body.integers('splitPredictor', leaves - trees);
  const splitGain = body.floats('splitGain', leaves - trees);
  const leafFactor = body.floats('leafFactor', leaves);

  const ensembles: Ensemble[] = [];
  let tree = 0;
  let leaf = 0;
  for (let index = 0; index < count; index++) {
    const lastTree = tree + treeCounts[index]!;
    let lastLeaf = leaf;
    for (let t = tree; t < lastTree; t++) lastLeaf += leafCounts[t]!;
    ensembles.push({
      startOdds: startOdds[index]!,
      leafCounts: leafCounts.subarray(tree, lastTree),
      splitLeaf: splitLeaf.subarray(leaf - tree, lastLeaf - lastTree),
      splitPredictor: splitPredictor.subarray(leaf - tree, lastLeaf - lastTree),
      splitGain: splitGain.subarray(leaf - tree, lastLeaf - lastTree),
      leafFactor: leafFactor.subarray(leaf, lastLeaf),
    });
    tree = lastTree;
    leaf = lastLeaf;
  }
  return { ordering, ensembles };
}
