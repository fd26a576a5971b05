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
