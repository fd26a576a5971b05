export { ModelError, type ModelErrorCode } from './errors.js';
export { madeOfBody } from './made-of-body.js';
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
export {
  NOISE_CHANCE,
  baseRates,
  judgeGains,
  overAllRounds,
  type HeldOutGains,
  type HeldOutRows,
} from './held-out-gain.js';
export {
  isBound,
  isExact,
  isExplained,
  isMostProbable,
  isOrdered,
  type DensityModel,
  type Exact,
  type Explained,
  type Marginals,
  type ModelSummary,
  type MostProbable,
  type Ordered,
} from './density-model.js';
export { answersOf, type Answers } from './answers.js';
export { untold, type Likelihoods, type ModelHead, type Variables } from './model-head.js';
export { openModel, type ModelCodec } from './open-model.js';
export { hashOf } from './hash-of.js';
export { readModelFile, writeModelFile, type ModelFile } from './model-file.js';
export { checkFileBytes, MOST_FILE_BYTES } from './most-file-bytes.js';
export type { BodyArrays, ModelBody } from './model-body.js';
export { NumberArray } from './number-array.js';
export { readNetworkBody, writeNetworkBody } from './network-body.js';
export { Evaluator } from './evaluator.js';
export { clampOdds } from './tree-walk.js';
export { createTreeShape, linkTree, type TreeShape } from './tree-shape.js';
export { logProbability } from './likelihood.js';
export { draws, UniformStreams } from './sampling.js';
export { Network, networkCodec, type NetworkSummary } from './network.js';
export { NETWORK_FAMILY, type NetworkParts } from './network-parts.js';
export { blanksOf, checkCount, checkSeed, checkWhole, emptyMatrix, type Blanks } from './arguments.js';
export { asBitMatrix, toValues, type BinaryMatrix } from './binary-matrix.js';
export { exactCompletion, type CompleteOptions, type Completion } from './completion.js';
export { NOT_REACHED, type Copies, type Particles } from './particles.js';
export { completeSequentially, type SequentialOptions } from './sequential.js';
export { KNOWN, OPEN, RESTRICTED, type ParticleStates, type UnknownVariables } from './unknown-variables.js';
export { ExactTableModel, type CodeDistribution, type SaidOfCode } from './tables/exact-table-model.js';
export { drawnWeights, filledWeights } from './tables/evidence.js';
export { knownCodes } from './tables/known-codes.js';
export {
  isExactOfTable,
  isTabular,
  PARTICLES_OF_TABLES,
  type CodeDistributions,
  type ExactOfTable,
  type Given,
  type TableCompletionOptions,
  type TabularModel,
} from './tables/tabular-model.js';
export { variableFigures, variableNats, type VariableFigures } from './tables/variable-figures.js';
export { ExactModel, RowModel, type RowDistribution } from './exact-model.js';
export type { ConditionalSummary } from './importance.js';
export { scoreCells, type Score } from './score.js';
export { canonicalJson, type JsonValue } from './specification.js';
