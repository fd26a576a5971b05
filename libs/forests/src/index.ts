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
