export { RunError, type BadInput, type RunErrorCode } from './errors.js';
export {
  runStates,
  workStages,
  type QuarantinedWork,
  type RunOverview,
  type RunState,
  type RunStatus,
  type StageCounts,
  type WorkStage,
} from './run-status.js';
export type {
  Datasets,
  Reconciler,
  RunLife,
  RunLog,
  RunObserver,
  RunPage,
  Runs,
  WorkCount,
} from './runs.js';
