export { ModelError, type ModelErrorCode } from './errors.js';
export { madeOfBody } from './file/made-of-body.js';
export {
  EnsembleBuilder,
  concatenateTrees,
  emptyEnsemble,
  prefixOfTrees,
  validateEnsemble,
  type Ensemble,
  type TreeArrays,
} from './network/ensemble.js';
export { independentLogLikelihood } from './scores/independent.js';
export { gainInWords } from './scores/gain-in-words.js';
export {
  judgePredictors,
  VALIDATION_CHOICES,
  type JudgeOptions,
  type JudgedPredictors,
  type PredictedBy,
} from './importance/predictors-beyond-noise.js';
export { roundedEnsemble } from './network/rounded-ensemble.js';
export { packEnsemble, unpackEnsemble } from './network/packed-ensemble.js';
export {
  NOISE_CHANCE,
  baseRates,
  judgeGains,
  overAllRounds,
  type HeldOutGains,
  type JudgedGains,
  type HeldOutRows,
} from './network/held-out-gain.js';
export {
  isBound,
  isCompactable,
  isExact,
  isExplained,
  isOrdered,
  isMostProbable,
  type Compactable,
  type DensityModel,
  type Exact,
  type Explained,
  type Marginals,
  type ModelSummary,
  type MostProbable,
  type Ordered,
} from './port/density-model.js';
export { answersOf, type Answers } from './port/answers.js';
export { untold, type Likelihoods, type ModelHead, type Variables } from './file/model-head.js';
export { kindOfNoModel } from './file/kind-of-no-model.js';
export { openModel, type ModelCodec } from './file/open-model.js';
export { hashOf } from './file/hash-of.js';
export {
  LINES_ARRAY,
  NUMBERS_OF_LINES_ARRAY,
  PRODUCTS_OF_LINES_ARRAY,
  readModelFile,
  writeModelFile,
  type ModelFile,
} from './file/model-file.js';
export { checkFileBytes, MOST_FILE_BYTES } from './file/most-file-bytes.js';
export type { BodyArrays, ModelBody } from './file/model-body.js';
export { NumberArray } from './file/number-array.js';
export { readNetworkBody, writeNetworkBody } from './network/network-body.js';
export { areWalked, Evaluator } from './network/evaluator.js';
export { clampOdds } from './network/tree-walk.js';
export { createTreeShape, linkTree, type TreeShape } from './network/tree-shape.js';
export { logProbability } from './port/likelihood.js';
export { DrawnByRow, samplerOf, type NumberedSampler, type RowSampler } from './port/row-sampler.js';
export { draws, UniformStreams } from './port/sampling.js';
export { Network, networkCodec, type NetworkSummary } from './network/network.js';
export { type NetworkParts } from './network/network-parts.js';
export { blanksOf, checkSeed, checkWhole, emptyMatrix, type Blanks } from './port/arguments.js';
export { asBitMatrix, toValues, type BinaryMatrix } from './port/binary-matrix.js';
export { BOUND_ANSWERS, BoundModel, type WhyIncomplete } from './port/bound-model.js';
export { type CompleteOptions, type Completion } from './port/completion.js';
export { ColumnValues, type ColumnStates } from './sequential/complete-columns.js';
export { SequentialModel } from './sequential/sequential-model.js';
export { NOT_REACHED, type Copies, type Particles } from './sequential/particles.js';
export { completeSequentially, type SequentialOptions } from './sequential/sequential.js';
export { KNOWN, OPEN, RESTRICTED, type ParticleStates, type UnknownVariables } from './sequential/unknown-variables.js';
export { MixedRates, valueRates } from './port/value-rates.js';
export { askedAsTable, asTabular, besideTrainingRows, isTabular } from './tables/binary-columns.js';
export { allCells, cellsHere, wantedCells, type AskedCells, type CellsInTurn } from './tables/cells-in-turn.js';
export { CodeMixture } from './tables/code-mixture.js';
export {
  ExactTableModel,
  RowTableModel,
  type CodeDistribution,
  type SaidOfCode,
  type SearchableCodes,
} from './tables/exact-table-model.js';
export { SequentialTableModel } from './tables/sequential-table-model.js';
export { type CodeConditionals } from './tables/coded-table-model.js';
export { blankWeights, drawnWeights, filledWeights, type BlanksAs } from './tables/evidence.js';
export { fillBlanks } from './tables/fill-blanks.js';
export { missingForAReason } from './tables/missing-for-a-reason.js';
export { anomalyScores } from './anomalies/anomaly-score.js';
export { natsOfValue } from './anomalies/cell-surprises.js';
export { learnedCounts, setLearnedCounts } from './anomalies/learned-counts.js';
export { givenTheRest, jointGivenKnown, jointOfRows } from './anomalies/given-the-rest.js';
export { scoresOfCodes } from './anomalies/scores-of-codes.js';
export { surprisingCells } from './anomalies/surprising-cells.js';
export { rowSurprises, surpriseOfNew, type ScoredRows } from './anomalies/row-surprises.js';
export {
  judgedCells,
  reasonsAmong,
  unusualCells,
  type ReasonsAsked,
  type JudgedCell,
  type UnusualCellOfRow,
} from './anomalies/unusual-cells.js';
export { arePredictedGiven, scoresGiven, type GivenColumns } from './anomalies/scores-given.js';
export { TYPICAL_ROWS } from './anomalies/typical-surprises.js';
export { incompleteRows, isKnown, type CodedRows } from './anomalies/whole-rows.js';
export { knownBits } from './tables/known-bits.js';
export { knownCodes } from './tables/known-codes.js';
export {
  distributionsOf,
  isExactOfTable,
  scoresOfDeals,
  usualParticles,
  PARTICLES_OF_TABLES,
  type CodeDistributions,
  type ExactOfTable,
  type Given,
  type TableCompletionOptions,
  type TabularModel,
} from './tables/tabular-model.js';
export {
  describeLine,
  variableFigures,
  variableNats,
  type LineFigures,
  type VariableFigures,
} from './tables/variable-figures.js';
export { ExactModel, RowModel, type RowDistribution, type SearchableDistribution } from './port/exact-model.js';
export { HeadedModel } from './file/headed-model.js';
export { HeadedTable } from './tables/headed-table.js';
export type { ConditionalSummary } from './network/importance.js';
export { scoreCells, type Score } from './port/score.js';
export { sortedJson, type JsonValue } from './file/specification.js';
export { decimalsOfNats, errorInNats, nats, percent, withDecimals } from './scores/figures.js';
export { findOutliers, flagHighest, type FoundOutliers, type OutliersAsked } from './scores/find-outliers.js';
export { moments, RowWeights, type Moments } from './scores/moments.js';
export {
  hasRareLabels,
  misfitWords,
  NewCellCounts,
  seenWords,
  type Becomes,
  type NewCells,
} from './scores/new-cells.js';
export { type ExplainRows, type Outlier, type RowScores, type Scorers, type UnusualCell } from './scores/outlier.js';
export { perRowLines, UNDER_RULES, type PerRow } from './scores/per-row.js';
export { scoreFile, type FileScores, type ScoreFileOptions } from './scores/score-file.js';
export { joined, ScoreSums, type ScoreFigures } from './scores/score-sums.js';
export { explainTableRows, scoreTableRows } from './scores/table-rows.js';
export {
  measureTarget,
  piecesOfTarget,
  type MeasuredRows,
  type MeasureTarget,
  type TargetAsked,
  type TargetRows,
} from './scores/measure-target.js';
export { scoreTarget, type LabelScores, type NumberScores, type TargetScores } from './scores/target-scores.js';
export { anomaliesOf, surprisesFor, type PartsAsked, type ScoredPart, type ScoreParts } from './scores/score-parts.js';
export { scoreTable, type ScoreTableOptions, type TableScores } from './scores/table-scores.js';
export { sampleByShares, type ColumnShares, type Part, type RowsByShares } from './shares/sample-by-shares.js';
export { alarmsOf, leastUsualRows, type Alarms } from './anomalies/alarms.js';
export { offeredRules, type OfferedRule, type RowsByColumn } from './rules/offered-rules.js';
export { rulesOf, type Rule } from './rules/rule.js';
export { PARTICLES_UNDER_RULES, type RowsUnderRules } from './rules/ruled-completion.js';
export { RuledModel, type KnownOfRows, type RuledRows } from './rules/ruled-model.js';
