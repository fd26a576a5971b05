import type { BitMatrix } from '@orchard/dataset';
import { PairCounter } from './pairs/pair-counter.js';
import { SmoothedPairs } from './pairs/smoothed-pairs.js';
import { WeightedPairCounter, type RowsOfOnes } from './pairs/weighted-pair-counter.js';
import { chowLiuForest, type ChowLiuForest } from './chow-liu-forest.js';

/** Rows that differ, how often each is there, and where it has ones. */
export interface RowsToFit extends RowsOfOnes {
  readonly distinct: BitMatrix;
  readonly counts: Float64Array;
  /** In all. */
  readonly rows: number;
}

/**
 * Trees of Chow and Liu of the same rows under other and other weights. What all rows alike say of pairs of columns is
 * counted once; some of it beside the weighted rows leaves no row impossible.
 */
export class ForestsOfRows {
  readonly #columns: Uint32Array;
  readonly #all: SmoothedPairs;
  readonly #counter: WeightedPairCounter;

  constructor(train: RowsToFit) {
    const { distinct, counts } = train;
    this.#columns = Uint32Array.from({ length: distinct.dimensions }, (_, column) => column);
    const rows = new Uint32Array(train.rows);
    let at = 0;
    counts.forEach((count, row) => {
      rows.fill(row, at, at + count);
      at += count;
    });
    this.#all = new SmoothedPairs(new PairCounter().count(distinct, rows), 1);
    this.#counter = new WeightedPairCounter(distinct.dimensions, train, this.#all);
  }

  /** The tree of all rows alike, 1 added to each value of a pair. */
  ofAll(): ChowLiuForest {
    return chowLiuForest(this.#all, this.#columns);
  }

  /**
   * The tree of most Σ weight log P(row), summed over the rows and over `pseudoCount` rows more that are shared out as
   * all rows alike are.
   *
   * @param weights of each distinct row, none negative
   * @param pseudoCount above 0
   */
  weighted(weights: Float64Array, pseudoCount: number): ChowLiuForest {
    return chowLiuForest(this.#counter.count(weights, pseudoCount), this.#columns);
  }
}
