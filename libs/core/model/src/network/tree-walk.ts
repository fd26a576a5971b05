import type { BitColumns } from '../port/bit-columns.js';
import { ODDS_LIMIT, type Ensemble } from './ensemble.js';
import { createTreeShape, linkTree } from './tree-shape.js';

/**
 * Multiplies the odds of the first `rows` rows by the factors of all trees, row by row from root to leaf. The plain
 * way: right for few rows and for trees of any size, and what the bit-parallel way has to equal in every bit.
 */
export function walkTrees(ensemble: Ensemble, columns: BitColumns, rows: number, odds: Float64Array): void {
  const { leafCounts, splitPredictor, leafFactor } = ensemble;
  const { words, stride } = columns;
  const mostLeaves = leafCounts.reduce((most, leaves) => Math.max(most, leaves), 1);
  const shape = createTreeShape(mostLeaves);
  const slots = new Int32Array(mostLeaves);
  const { zero, one } = shape;
  let firstSplit = 0;
  let firstLeaf = 0;
  for (const leaves of leafCounts) {
    linkTree(shape, ensemble, firstSplit, leaves, slots);
    const root = leaves === 1 ? -1 : 0;
    for (let row = 0; row < rows; row++) {
      const word = row >> 5;
      const shift = row & 31;
      let node = root;
      while (node >= 0) {
        const bit = (words[splitPredictor[firstSplit + node]! * stride + word]! >>> shift) & 1;
        node = (bit === 1 ? one : zero)[node]!;
      }
      odds[row] = clampOdds(odds[row]! * leafFactor[firstLeaf + ~node]!);
    }
    firstSplit += leaves - 1;
    firstLeaf += leaves;
  }
}

/** Within 2^-900 and 2^900, so that no later product overflows. */
export function clampOdds(odds: number): number {
  return odds > ODDS_LIMIT ? ODDS_LIMIT : odds < 1 / ODDS_LIMIT ? 1 / ODDS_LIMIT : odds;
}
