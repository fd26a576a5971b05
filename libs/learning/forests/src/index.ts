export {
  chooseEdges,
  chowLiuForest,
  forestOf,
  productForest,
  type ChowLiuForest,
  type KeptEdges,
} from './chow-liu-forest.js';
export {
  chowLiuOfCodes,
  codeColumns,
  codeProduct,
  type CodeColumns,
  type CodeForestOptions,
  type LearntCodeForest,
} from './code-forest-of.js';
export { CodeForest, groupsOf, type ForestVariable } from './code-forest.js';
export { Forest, type Bits } from './forest.js';
export { forestsOfRates } from './forests-of-rates.js';
export { ForestsOfRows, type RowsToFit } from './forests-of-rows.js';
export { ProductLogs } from './product-logs.js';
export { countPairs } from './pairs/count-pairs.js';
export { PairCounter } from './pairs/pair-counter.js';
export { PairCounts } from './pairs/pair-counts.js';
export type { PairProbabilities } from './pairs/pair-probabilities.js';
export { SmoothedPairs } from './pairs/smoothed-pairs.js';
export { byColumn, byEnds, spanningTree, type EarlierEdge, type SpanningTree } from './pairs/spanning-tree.js';
export { MOST_WEIGHTED_COLUMNS, WeightedPairCounter, type RowsOfOnes } from './pairs/weighted-pair-counter.js';
