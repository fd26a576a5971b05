export { ModelError, type BadInput, type ModelErrorCode } from './errors.js';
export {
  EnsembleBuilder,
  MAXIMUM_LEAVES,
  ODDS_LIMIT,
  concatenateTrees,
  emptyEnsemble,
  equalEnsembles,
  leafCount,
  prefixOfTrees,
  treeCount,
  validateEnsemble,
  type Ensemble,
  type TreeArrays,
} from './ensemble.js';
export { packEnsemble, unpackEnsemble } from './packed-ensemble.js';
export { Network, type NetworkSummary } from './network.js';
export { MAXIMUM_DIMENSIONS, type Likelihoods, type NetworkParts } from './network-parts.js';
export { toValues, type BinaryMatrix } from './binary-matrix.js';
export type { Completion } from './completion.js';
export type { ConditionalSummary } from './importance.js';
export type { Score } from './score.js';
export type { JsonValue } from './specification.js';
