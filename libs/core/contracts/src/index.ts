export { canonicalJson, contentId } from './canonical.js';
export { datasetFactsSchema, type DatasetFacts } from './dataset-facts.js';
export { featureFractionNote } from './feature-fraction-note.js';
export { parseContract } from './parse-contract.js';
export { MAXIMUM_MEMBERS, MAXIMUM_ROUNDS } from './limits.js';
export { seedSchema, trainingOptionsSchema, type TrainingOptions } from './options.js';
export {
  foldsSchema,
  memberCountSchema,
  memberDefaults,
  membersSummarySchema,
  mixedSummarySchema,
  type MemberFigures,
  type MemberOptions,
  type MembersSummary,
  type MixedSummary,
} from './members.js';
export { orderingKinds, type OrderingKind } from './ordering-kind.js';
export { presetNames, presets, type PresetName } from './presets.js';
export {
  FEW_TABLE_ROWS,
  tablePresetNames,
  tablePresets,
  type TablePreset,
  type TablePresetName,
} from './table-presets.js';
export { type RunProgress } from './progress.js';
export {
  networkWordsSchema,
  presetWords,
  resolveOptions,
  runRequestSchema,
  runWordsSchema,
  splitsRequestShape,
  withPreset,
  type AskedOptions,
  type PlainWords,
  type RunRequest,
  type RunWords,
} from './request.js';
export { isPageEnd, isWholePage, PAGE_SEAL_BYTES, sealedPage } from './sealed-page.js';
export { selectionDocumentSchema, type SelectionDocument } from './selection-document.js';
export { ascendingNumbers, severalNumbers } from './several-numbers.js';
export {
  defaultChoice,
  isChosenByDimension,
  paperSelections,
  refitSchema,
  type Refit,
  selectionMethods,
  selectionMethodSchema,
  type NetworkChoice,
  type PaperSelection,
  type SelectionMethod,
} from './selection-method.js';
export {
  baseSpecificationSchema,
  baseSpecificationShape,
  familyOf,
  permutationSchema,
  runIdOf,
  runSpecificationSchema,
  sha256Schema,
  type BaseSpecification,
  type RunSpecification,
  type SettledSpecification,
} from './specification.js';
export {
  endStates,
  runOverviewSchema,
  runPageSchema,
  runStatusSchema,
  wantedSchema,
  type Notice,
  type RunOverview,
  type RunStatus,
  type StageCounts,
  type TroubledTask,
  type Wanted,
} from './status.js';
export {
  modelSummarySchema,
  summaryKeys,
  summarySchema,
  trainDocumentSchema,
  type ModelSummary,
  type Seconds,
  type SelectionFigures,
  type Summary,
  type TrainDocument,
} from './summary.js';
export { AUTO, autoSchema, SEARCH } from './auto.js';
export {
  lossOfFewerPredictors,
  whichPredictors,
  quickSettings,
  tunedLeavesSchema,
  tunedOrderingSchema,
  trialLimitSchema,
  tunedPseudoCountSchema,
  tunedShrinkageSchema,
  tunedSchema,
  tuningDefaults,
  tuningSchema,
  triedPredictorsSchema,
  tunedFractionSchema,
  type TriedPredictors,
  type Tuned,
  type TunedFraction,
  type TunedLeaves,
  type TunedOrdering,
  type TrialLimit,
  type TunedPseudoCount,
  type TunedShrinkage,
  type Tuning,
} from './tuning.js';
export type {
  Atoms,
  BinaryVariable,
  CategoricalVariable,
  DateFormat,
  DurationFormat,
  MomentFormat,
  OrderedFormat,
  TimeFormat,
  LeftOut,
  MendedColumn,
  NumberFormat,
  OrderedVariable,
  Pieces,
  Table,
  Variable,
} from './variable.js';
export { variantSummarySchema, type Variant, type VariantSummary } from './variants.js';
export { type RunWarning } from './warning.js';
export {
  clusterGlanceSchema,
  workerGlanceSchema,
  type ClusterGlance,
  type RunGlance,
  type WorkerGlance,
} from './cluster-glance.js';
export {
  likelihoodSchema,
  taskDetailSchema,
  taskGridSchema,
  taskLetters,
  type Likelihood,
  type TaskCurves,
  type TaskDetails,
  type TaskGrid,
} from './task-grid.js';
export {
  batchOf,
  dimensionOfTask,
  JOB_VERSION,
  jobSchema,
  memberKey,
  memberOfTask,
  noProgress,
  pools,
  taskNames,
  taskProgressSchema,
  tasksOfJob,
  type Job,
  type MemberNetwork,
  type Pool,
  type Task,
  type TaskDetail,
  type TaskProgress,
} from './task.js';
