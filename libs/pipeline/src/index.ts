export { artefactNames, choiceName } from './artefact-names.js';
export { assemble, networkFileName, type Assembled } from './assemble.js';
export { newestCheckpoints } from './checkpoints.js';
export { decodeConditional, decodeCurves, type StoredConditional, type StoredCurves } from './conditional-codec.js';
export { datasetFacts, factsOf, loadDataset, registerDataset, removeUnregistered } from './datasets.js';
export { PipelineError, type BadInput, type PipelineErrorCode } from './errors.js';
export { planRefit, refitDimension, type RefitPlan } from './refit-dimension.js';
export { runLocally, type LocalRun, type LocalRunOptions } from './run-locally.js';
export { costOf, isAssembled, nextWork, type RunWork } from './run-work.js';
export { judgeRun, type JudgedRun } from './judge-run.js';
export { createRun, openRun, resolveRun, type ResolvedRun, type Run, type RunDatasets } from './run.js';
export { readCurves, readSelections, selectRounds, type Selections } from './select-rounds.js';
export { ThreadPool, type PooledTrainer, type ThreadPoolOptions } from './thread-pool.js';
export { trainDimension, type DimensionHooks, type DimensionOutcome, type TrainingPorts } from './train-dimension.js';
export { arrangeTrainingData } from './training-data.js';
export {
  trainerHere,
  type ConditionalProgress,
  type ConditionalTask,
  type TaskHooks,
  type TaskOutcome,
  type Trainer,
} from './trainer.js';
export { dataWarnings, roundsWarning } from './warnings.js';
