export { artefactNames, networkFileName, numberIn } from './artefact-names.js';
export { checkpointsByClock, type KeepCheckpoint } from './checkpoint-clock.js';
export { ahead } from './ahead.js';
export { builtModule } from './built-module.js';
export type {
  Call,
  Computation,
  ComputationContext,
  Computations,
  Compute,
  ComputeHooks,
  DataRequest,
} from './compute.js';
export { concurrently } from './concurrently.js';
export { countedRows, loadCounted, sharedCodes } from './counted-rows.js';
export { damagedArtefacts, damagedBelow } from './damaged-artefacts.js';
export { dataWarnings } from './data-warnings.js';
export {
  datasetFacts,
  factsOf,
  isMissing,
  loadDataset,
  registerDataset,
  removeUnregistered,
  storeDataset,
} from './datasets.js';
export { documentBytes, parseDocument, readDocument, sealedBytes, writeDocument } from './documents.js';
export { computationOfEnding, headOf, reportOfEnding, type End, type Ending } from './ending.js';
export { PipelineError, type PipelineErrorCode } from './errors.js';
export {
  familyOfOneModel,
  ofSameNumerics,
  type Before,
  type OneModel,
  type OpenTask,
  type RunSoFar,
} from './family-of-one-model.js';
export { familyOfOneTask, type OneTask } from './family-of-one-task.js';
export { computationOfStep, familyOfSteps, type OfSteps } from './family-of-steps.js';
export { Families } from './families.js';
export {
  loadPackage,
  type AbsentPackage,
  type FamilyPackage,
  type LoadedPackage,
  type PackageContents,
} from './family-package.js';
export {
  isLearnedBy,
  kindOf,
  learnedBy,
  namesAll,
  type Family,
  type HeldOut,
  type Plan,
  type PlannedTask,
  type PlanOptions,
  type ReportOptions,
  type ResolvedRun,
  type SecondsRange,
  type TaskContext,
  type TaskHandler,
  type TaskKind,
  type TaskOutcome,
  type TrainingNeeds,
} from './family.js';
export { foldsOfRows, pooledRows, foldSizes, refold, type Fold } from './folds.js';
export {
  orderingDocumentSchema,
  orderingNames,
  orderingsFolder,
  plainOrdering,
  readOrdering,
  warningsOfOrdering,
  writeOrdering,
  type OrderingDocument,
} from './found-orderings.js';
export { judgingRows, type JudgingRows } from './judging-rows.js';
export { Kept, keptDocuments } from './kept.js';
export { LocalCompute, type LocalComputeOptions } from './local-compute.js';
export { pausesOf } from './pauses.js';
export { interruptedTask, makeArtefact, threadsBeside, type MadeArtefact } from './make-artefact.js';
export { memberSeed } from './member-seed.js';
export { natsOfEach, type NatsOfMeans } from './nats-of-each.js';
export { replayTask, type Replay, type ReplayedOutput, type ReplayOptions } from './replay/replay-task.js';
export { requireFewColumns } from './require-few-columns.js';
export { NoRoom, ResidentData } from './resident-data.js';
export { bestOfTasks, sumOfTasks, type RisingLikelihood } from './rising-likelihood.js';
export { roomHere, TIMES_OPENED } from './room-here.js';
export { runLocally, type LocalRun, type LocalRunOptions } from './run-locally.js';
export {
  checkSplits,
  createRun,
  describeRun,
  factsOfSplits,
  openRun,
  requireSameNumerics,
  type Run,
  type RunDatasets,
} from './run.js';
export { bySources, stackBySources } from './source-positions.js';
export { shownRounds } from './shown-rounds.js';
export { StageMeter } from './stage-meter.js';
export { headOfStep, likeliestStep, Steps, type Place, type StepsOptions, type StoredStep } from './steps.js';
export { storedNames } from './stored-names.js';
export { storedNats } from './stored-nats.js';
export {
  datasetInSummary,
  fileInSummary,
  factsOfRows,
  judgedModel,
  loadSplits,
  meanLogLikelihood,
  storeModelFiles,
  type Splits,
} from './store-model.js';
export { gridOf, likelihoodOf, noLikelihood, taskOf, type Holder, type RunLook } from './run-look.js';
export { keepThreads } from './spare-threads.js';
export {
  interruptedAfter,
  trainFromCheckpoints,
  type TrainingHooks,
  type TrainingOutcome,
  type TrainingTask,
} from './train-from-checkpoints.js';
export { failureInThread } from './thread-messages.js';
export { ThreadPool, type SharedData, type ThreadPoolOptions } from './thread-pool.js';
export { ThreadsWhenAsked } from './threads-when-asked.js';
export { openRowsAt, type RowsAtOptions, type Transferred } from './open-rows-at.js';
