import { treeCount, type Ensemble } from './ensemble.js';
import { createTreeShape, linkTree } from './tree-shape.js';

/**
 * Share of the split gain (equation 3) that each position before `position` has in its conditional, summed over the
 * trees: length `positions`, summing to 1, or all zeros where nothing was split.
 */
export function gainShares(ensemble: Ensemble, positions: number): Float64Array {
  const shares = new Float64Array(positions);
  const { splitPredictor, splitGain } = ensemble;
  let total = 0;
  for (let split = 0; split < splitGain.length; split++) {
    shares[splitPredictor[split]!]! += splitGain[split]!;
    total += splitGain[split]!;
  }
  if (total > 0 && total < Infinity)
    for (let position = 0; position < positions; position++) shares[position]! /= total;
  return shares;
}

export interface ConditionalSummary {
  /** Stored column. */
  readonly column: number;
  readonly trees: number;
  readonly leaves: number;
  /** Splits on the longest way from a root to a leaf. */
  readonly depth: number;
  /** Distinct columns that are split on. */
  readonly predictors: number;
}

export function summarizeConditional(ensemble: Ensemble, column: number): ConditionalSummary {
  const { leafCounts, leafFactor, splitPredictor } = ensemble;
  const mostLeaves = leafCounts.reduce((most, leaves) => Math.max(most, leaves), 1);
  const shape = createTreeShape(mostLeaves);
  const slots = new Int32Array(mostLeaves);
  const below = new Uint32Array(mostLeaves);
  let depth = 0;
  let firstSplit = 0;
  for (const leaves of leafCounts) {
    linkTree(shape, ensemble, firstSplit, leaves, slots);
    // splits come before those below them
    below[0] = 1;
    for (let split = 0; split < leaves - 1; split++) {
      depth = Math.max(depth, below[split]!);
      if (shape.zero[split]! >= 0) below[shape.zero[split]!] = below[split]! + 1;
      if (shape.one[split]! >= 0) below[shape.one[split]!] = below[split]! + 1;
    }
    firstSplit += leaves - 1;
  }
  return {
    column,
    trees: treeCount(ensemble),
    leaves: leafFactor.length,
    depth,
    predictors: new Set(splitPredictor).size,
  };
}
