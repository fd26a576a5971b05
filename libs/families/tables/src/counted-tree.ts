import type { GrownTree } from '@orchard/kernel';
import { createTreeShape, linkTree } from '@orchard/model';

/** Training rows, and how many of them end in 1. */
export interface RowCounts {
  readonly rows: number;
  readonly ones: number;
}

/**
 * A tree that was grown from one rate, with the training rows of its nodes. They are not counted: all have the same
 * gradient but for their labels, and sums of gradients are exact, so that a leaf's sums say how many they are.
 */
export class CountedTree {
  readonly leaves: number;
  /** Of each split: the predictor it looks at. */
  readonly predictors: Uint32Array;
  /** Of each split: the node for its rows with 0, and for those with 1; `~leaf` is a leaf. */
  readonly zero: Int32Array;
  readonly one: Int32Array;
  readonly #ofLeaf: readonly RowCounts[];
  readonly #ofSplit: RowCounts[] = [];

  /** @param all that reach the decision */
  constructor({ splitLeaf, splitPredictor, residual, weight }: GrownTree, all: RowCounts) {
    const leaves = residual.length;
    const shape = createTreeShape(leaves);
    linkTree(shape, { splitLeaf }, 0, leaves, new Int32Array(leaves));
    this.leaves = leaves;
    this.predictors = splitPredictor.slice();
    this.zero = shape.zero;
    this.one = shape.one;
    let [allResidual, allWeight] = [0, 0];
    for (let leaf = 0; leaf < leaves; leaf++) {
      allResidual += residual[leaf]!;
      allWeight += weight[leaf]!;
    }
    const rate = (all.ones - allResidual) / all.rows;
    this.#ofLeaf = Array.from(weight, (own, leaf) => {
      const rows = Math.round((all.rows * own) / allWeight);
      return { rows, ones: Math.round(residual[leaf]! + rows * rate) };
    });
    // what a split leads to stands behind it
    for (let split = leaves - 2; split >= 0; split--) {
      const [zero, one] = [this.counts(this.zero[split]!), this.counts(this.one[split]!)];
      this.#ofSplit[split] = { rows: zero.rows + one.rows, ones: zero.ones + one.ones };
    }
  }

  /** Of a split, or of `~leaf`. */
  counts(node: number): RowCounts {
    return node < 0 ? this.#ofLeaf[~node]! : this.#ofSplit[node]!;
  }

  /** The leaf of a row. @param bit of a predictor */
  leafOf(bit: (predictor: number) => 0 | 1): number {
    let node = 0;
    while (node >= 0) node = (bit(this.predictors[node]!) === 1 ? this.one : this.zero)[node]!;
    return ~node;
  }
}
