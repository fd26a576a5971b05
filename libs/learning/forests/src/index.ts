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
  copiesOf,
  codePairs,
  codeProduct,
  PairGains,
  type CodeColumns,
  type CodeForestOptions,
  type LearntCodeForest,
} from './code-forest-of.js';
export { chowLiuFamily } from './chow-liu/chow-liu-family.js';
export { ChowLiu, chowLiuCodec } from './chow-liu/chow-liu-model.js';
export { ChowLiuTable } from './chow-liu/chow-liu-table.js';
export { climbNetwork, withParent, type EdgeGains, type NetworkSize } from './networks/climb-network.js';
export { CodeNetworkLearner, type CodeNetworkOptions, type LearntCodeNetwork } from './networks/code-network-of.js';
export { CodeNetwork, type NetworkVariable } from './networks/code-network.js';
export { codeTreeOf } from './networks/code-trees.js';
export { GroupedRows, type CountedCodes, type GroupedVariable, type RowWeights } from './networks/grouped-rows.js';
export { parentsFirst } from './networks/parents-first.js';
export { CodeForest, groupsOf, type ForestVariable } from './code-forest.js';
export { Forest, type Bits } from './forest.js';
export { forestsOfRates } from './forests-of-rates.js';
export { ForestsOfRows, type RowsToFit } from './forests-of-rows.js';
export { piecesOf } from './pieces-of.js';
export { ProductLogs } from './product-logs.js';
export { countPairs } from './pairs/count-pairs.js';
export { PairCounter } from './pairs/pair-counter.js';
export { informedOrderings, MOST_PIVOTS, pairOrderings } from './pairs/informed-orderings.js';
export { PairCounts } from './pairs/pair-counts.js';
export type { PairInformation } from './pairs/pair-information.js';
export type { PairProbabilities } from './pairs/pair-probabilities.js';
export { SmoothedPairs } from './pairs/smoothed-pairs.js';
export { byColumn, byEnds, spanningTree, type EarlierEdge, type SpanningTree } from './pairs/spanning-tree.js';
export { MOST_WEIGHTED_COLUMNS, WeightedPairCounter, type RowsOfOnes } from './pairs/weighted-pair-counter.js';
