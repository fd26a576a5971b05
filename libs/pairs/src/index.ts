export { countPairs } from './count-pairs.js';
export { PairCounter } from './pair-counter.js';
export { PairCounts } from './pair-counts.js';
export { SmoothedPairs } from './smoothed-pairs.js';
export { byColumn, byEnds, spanningTree, type EarlierEdge, type SpanningTree } from './spanning-tree.js';
