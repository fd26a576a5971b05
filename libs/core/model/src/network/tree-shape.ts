import type { Ensemble } from './ensemble.js';

/**
 * One tree as linked nodes, which evaluators walk. Node numbers below `splits` are splits in their order, the root
 * first; `~leaf` (a negative number) stands for a leaf.
 */
export interface TreeShape {
  splits: number;
  /** Of each split: the node for its rows with predictor 0, and with predictor 1. */
  readonly zero: Int32Array;
  readonly one: Int32Array;
}

export function createTreeShape(mostLeaves: number): TreeShape {
  return { splits: 0, zero: new Int32Array(mostLeaves), one: new Int32Array(mostLeaves) };
}

/** Links the splits of the tree whose splits begin at `firstSplit`. O(leaves), allocates nothing. */
export function linkTree(
  shape: TreeShape,
  { splitLeaf }: Pick<Ensemble, 'splitLeaf'>,
  firstSplit: number,
  leaves: number,
  slots: Int32Array,
): void {
  const { zero, one } = shape;
  shape.splits = leaves - 1;
  // slots[leaf]: where the number of the node now standing for that leaf is kept, 2 * split + side, -1 for the root
  slots[0] = -1;
  for (let split = 0; split < leaves - 1; split++) {
    const leaf = splitLeaf[firstSplit + split]!;
    const slot = slots[leaf]!;
    if (slot >= 0) (slot & 1 ? one : zero)[slot >> 1] = split;
    zero[split] = ~leaf;
    one[split] = ~(split + 1);
    slots[leaf] = 2 * split;
    slots[split + 1] = 2 * split + 1;
  }
}
