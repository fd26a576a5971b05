export { countPairs } from './count-pairs.js';
export { PairCounter } from './pair-counter.js';
export { PairCounts } from './pair-counts.js';
export type { PairProbabilities } from './pair-probabilities.js';
export { SmoothedPairs } from './smoothed-pairs.js';
export { byColumn, byEnds, spanningTree, type EarlierEdge, type SpanningTree } from './spanning-tree.js';
export { countTogether, SmoothedGroups, type GroupColumn } from './smoothed-groups.js';
export { MOST_WEIGHTED_COLUMNS, WeightedPairCounter, type RowsOfOnes } from './weighted-pair-counter.js';
export { WeightedPairs } from './weighted-pairs.js';
