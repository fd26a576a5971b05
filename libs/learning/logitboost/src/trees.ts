import type { Ensemble } from '@orchard/model';

export interface Tree {
  readonly splitLeaf: Uint32Array;
  readonly splitPredictor: Uint32Array;
  readonly splitGain: Float64Array;
  readonly leafFactor: Float64Array;
}

/** The trees of an ensemble, one after another, as views on its columns. */
export function* treesOf(ensemble: Ensemble): Generator<Tree> {
  let leaf = 0;
  let split = 0;
  for (const leaves of ensemble.leafCounts) {
    const nextLeaf = leaf + leaves;
    const nextSplit = split + leaves - 1;
    yield {
      splitLeaf: ensemble.splitLeaf.subarray(split, nextSplit),
      splitPredictor: ensemble.splitPredictor.subarray(split, nextSplit),
      splitGain: ensemble.splitGain.subarray(split, nextSplit),
      leafFactor: ensemble.leafFactor.subarray(leaf, nextLeaf),
    };
    leaf = nextLeaf;
    split = nextSplit;
  }
}
