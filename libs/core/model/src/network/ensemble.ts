import { ModelError } from '../errors.js';

/**
 * The trees of one conditional, columnar. Tree t has `leafCounts[t]` >= 1 leaves and `leafCounts[t] - 1` splits, in the
 * order in which they were made. A tree starts as leaf 0; split s replaces leaf `splitLeaf` by its rows with predictor
 * 0, which keep the number, and its rows with predictor 1, which become leaf s + 1. Predictors are ordering positions.
 */
export interface Ensemble {
  /** Odds of a 1 before the first tree. */
  readonly startOdds: number;
  /** Leaves of each tree. */
  readonly leafCounts: Uint32Array;
  /** Of each split, all trees after each other: the leaf that it splits. */
  readonly splitLeaf: Uint32Array;
  /** Of each split: the ordering position that it looks at, before the position of the conditional. */
  readonly splitPredictor: Uint32Array;
  /** Of each split: its gain (equation 3), finite and not negative. */
  readonly splitGain: Float64Array;
  /** Of each leaf, all trees after each other: what the odds are multiplied by, finite and positive. */
  readonly leafFactor: Float64Array;
}

/** One tree, as it is pushed into an {@link EnsembleBuilder}: the ensemble's arrays for that tree alone. */
export interface TreeArrays {
  readonly splitLeaf: ArrayLike<number>;
  readonly splitPredictor: ArrayLike<number>;
  readonly splitGain: ArrayLike<number>;
  readonly leafFactor: ArrayLike<number>;
}

/** More leaves in one tree than this are refused: the file stores leaf numbers in 16 bits. */
const MAXIMUM_LEAVES = 65_536;

/** The odds of every prediction stay within `[1 / ODDS_LIMIT, ODDS_LIMIT]`, so that no product of factors overflows. */
export const ODDS_LIMIT = 2 ** 900;

/** An ensemble that predicts `startOdds` for every row. */
export function emptyEnsemble(startOdds: number): Ensemble {
  return new EnsembleBuilder(startOdds).build();
}

export function treeCount(ensemble: Ensemble): number {
  return ensemble.leafCounts.length;
}

/**
 * The first `trees` trees, as views on the ensemble's arrays. O(trees).
 * @throws ModelError `invalid-argument` unless 0 <= trees <= the trees there are
 */
export function prefixOfTrees(ensemble: Ensemble, trees: number): Ensemble {
  const { leafCounts } = ensemble;
  if (!Number.isInteger(trees) || trees < 0 || trees > leafCounts.length) {
    throw new ModelError('invalid-argument', {
      got: `${trees} trees`,
      expected: `a whole number from 0 to ${leafCounts.length}`,
      remedy: 'Ask for no more trees than the ensemble has.',
    });
  }
  let leaves = 0;
  for (let tree = 0; tree < trees; tree++) leaves += leafCounts[tree]!;
  return {
    startOdds: ensemble.startOdds,
    leafCounts: leafCounts.subarray(0, trees),
    splitLeaf: ensemble.splitLeaf.subarray(0, leaves - trees),
    splitPredictor: ensemble.splitPredictor.subarray(0, leaves - trees),
    splitGain: ensemble.splitGain.subarray(0, leaves - trees),
    leafFactor: ensemble.leafFactor.subarray(0, leaves),
  };
}

/**
 * The trees of `first`, then those of `second`, which has to start from the same odds (it goes on where `first`
 * stopped).
 * @throws ModelError `invalid-argument` where the start odds differ
 */
export function concatenateTrees(first: Ensemble, second: Ensemble): Ensemble {
  if (!Object.is(first.startOdds, second.startOdds)) {
    throw new ModelError('invalid-argument', {
      got: `start odds ${first.startOdds} and ${second.startOdds}`,
      expected: 'two ensembles of one conditional, with equal start odds',
      remedy: 'Concatenate only what was trained from the same start.',
    });
  }
  return {
    startOdds: first.startOdds,
    leafCounts: joined(Uint32Array, first.leafCounts, second.leafCounts),
    splitLeaf: joined(Uint32Array, first.splitLeaf, second.splitLeaf),
    splitPredictor: joined(Uint32Array, first.splitPredictor, second.splitPredictor),
    splitGain: joined(Float64Array, first.splitGain, second.splitGain),
    leafFactor: joined(Float64Array, first.leafFactor, second.leafFactor),
  };
}

/**
 * Checks every number of the ensemble of the conditional at `position`: sizes that agree, splits of leaves that exist,
 * predictors before the position, finite gains, finite positive factors. O(trees + leaves).
 * @throws ModelError `invalid-ensemble`, naming the first tree that is wrong
 */
export function validateEnsemble(ensemble: Ensemble, position: number): void {
  const { startOdds, leafCounts, splitLeaf, splitPredictor, splitGain, leafFactor } = ensemble;
  const refuse = (tree: number | null, got: string, expected: string): never => {
    const where = tree === null ? `position ${position}` : `position ${position}, tree ${tree}`;
    throw new ModelError('invalid-ensemble', {
      got,
      expected,
      where,
      remedy: 'Train or export this conditional again.',
    });
  };
  if (!(startOdds >= 1 / ODDS_LIMIT && startOdds <= ODDS_LIMIT)) {
    refuse(null, `start odds ${startOdds}`, 'a number from 2^-900 to 2^900');
  }
  let leaves = 0;
  for (let tree = 0; tree < leafCounts.length; tree++) {
    const count = leafCounts[tree]!;
    if (count < 1 || count > MAXIMUM_LEAVES) refuse(tree, `${count} leaves`, `1 to ${MAXIMUM_LEAVES} leaves`);
    leaves += count;
  }
  const splits = leaves - leafCounts.length;
  if (leafFactor.length !== leaves) refuse(null, `${leafFactor.length} leaf factors`, `${leaves}, one for each leaf`);
  for (const column of [splitLeaf, splitPredictor, splitGain]) {
    if (column.length !== splits)
      refuse(null, `${column.length} splits`, `${splits}, one fewer than leaves in each tree`);
  }
  let split = 0;
  let leaf = 0;
  for (let tree = 0; tree < leafCounts.length; tree++) {
    const count = leafCounts[tree]!;
    for (let number = 0; number < count - 1; number++, split++) {
      if (splitLeaf[split]! > number) {
        refuse(tree, `a split of leaf ${splitLeaf[split]}`, `a leaf that exists by then, 0 to ${number}`);
      }
      if (splitPredictor[split]! >= position) {
        refuse(tree, `a split on position ${splitPredictor[split]}`, `a predictor before position ${position}`);
      }
      if (!(splitGain[split]! >= 0 && splitGain[split]! < Infinity)) {
        refuse(tree, `gain ${splitGain[split]}`, 'a finite number from 0 on');
      }
    }
    for (let number = 0; number < count; number++, leaf++) {
      if (!(leafFactor[leaf]! >= 1 / ODDS_LIMIT && leafFactor[leaf]! <= ODDS_LIMIT)) {
        refuse(tree, `leaf factor ${leafFactor[leaf]}`, 'a number from 2^-900 to 2^900');
      }
    }
  }
}

/** Collects trees one after another, in growing arrays, and gives them out as one {@link Ensemble}. */
export class EnsembleBuilder {
  readonly startOdds: number;
  private leafCounts = new Uint32Array(32);
  private splitLeaf = new Uint32Array(128);
  private splitPredictor = new Uint32Array(128);
  private splitGain = new Float64Array(128);
  private leafFactor = new Float64Array(128);
  private treesSoFar = 0;
  private leavesSoFar = 0;

  /** @param from trees to begin with, copied: those of a checkpoint */
  constructor(startOdds: number, from?: Ensemble) {
    this.startOdds = startOdds;
    if (from !== undefined) {
      this.leafCounts = from.leafCounts.slice();
      this.splitLeaf = from.splitLeaf.slice();
      this.splitPredictor = from.splitPredictor.slice();
      this.splitGain = from.splitGain.slice();
      this.leafFactor = from.leafFactor.slice();
      this.treesSoFar = from.leafCounts.length;
      this.leavesSoFar = from.leafFactor.length;
    }
  }

  get trees(): number {
    return this.treesSoFar;
  }

  /**
   * Copies one tree in; n leaves have n factors and n - 1 splits.
   *
   * @throws ModelError `invalid-ensemble` for other sizes
   */
  push(tree: TreeArrays): void {
    const leaves = tree.leafFactor.length;
    const splits = leaves - 1;
    if (
      leaves < 1 ||
      tree.splitLeaf.length !== splits ||
      tree.splitPredictor.length !== splits ||
      tree.splitGain.length !== splits
    ) {
      throw new ModelError('invalid-ensemble', {
        got: `${leaves} leaf factors with ${tree.splitLeaf.length} split leaves, ${tree.splitPredictor.length} predictors and ${tree.splitGain.length} gains`,
        expected: 'at least one leaf, and one split fewer than leaves',
        where: `tree ${this.treesSoFar}`,
        remedy: 'Push arrays cut to the size of the tree.',
      });
    }
    const splitsSoFar = this.leavesSoFar - this.treesSoFar;
    this.leafCounts = withRoom(this.leafCounts, this.treesSoFar + 1);
    this.splitLeaf = withRoom(this.splitLeaf, splitsSoFar + splits);
    this.splitPredictor = withRoom(this.splitPredictor, splitsSoFar + splits);
    this.splitGain = withRoom(this.splitGain, splitsSoFar + splits);
    this.leafFactor = withRoom(this.leafFactor, this.leavesSoFar + leaves);
    this.leafCounts[this.treesSoFar] = leaves;
    // loops take less than calls of `set`, since most trees are small; and by column, since code for one kind is fast
    const { splitLeaf, splitPredictor, splitGain, leafFactor } = tree;
    for (let split = 0; split < splits; split++) {
      this.splitLeaf[splitsSoFar + split] = splitLeaf[split]!;
      this.splitPredictor[splitsSoFar + split] = splitPredictor[split]!;
      this.splitGain[splitsSoFar + split] = splitGain[split]!;
    }
    for (let leaf = 0; leaf < leaves; leaf++) this.leafFactor[this.leavesSoFar + leaf] = leafFactor[leaf]!;
    this.treesSoFar++;
    this.leavesSoFar += leaves;
  }

  /** The trees so far, in arrays of their own: pushing on changes nothing of what was built before. */
  build(): Ensemble {
    const splits = this.leavesSoFar - this.treesSoFar;
    return {
      startOdds: this.startOdds,
      leafCounts: this.leafCounts.slice(0, this.treesSoFar),
      splitLeaf: this.splitLeaf.slice(0, splits),
      splitPredictor: this.splitPredictor.slice(0, splits),
      splitGain: this.splitGain.slice(0, splits),
      leafFactor: this.leafFactor.slice(0, this.leavesSoFar),
    };
  }
}

/** `array` itself, or a copy of at least twice its size where `length` elements do not fit. */
function withRoom<T extends Uint32Array | Float64Array>(array: T, length: number): T {
  if (length <= array.length) return array;
  const larger = new (array.constructor as new (length: number) => T)(Math.max(length, 2 * array.length));
  larger.set(array);
  return larger;
}

function joined<T extends Uint32Array | Float64Array>(type: new (length: number) => T, first: T, second: T): T {
  const both = new type(first.length + second.length);
  both.set(first);
  both.set(second, first.length);
  return both;
}
