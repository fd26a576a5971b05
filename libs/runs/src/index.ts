export { defaultLimits, type AttemptLimits } from './attempts.js';
export { RunError, type BadInput, type RunErrorCode } from './errors.js';
export { collectGarbage, type Garbage, type GarbageOptions } from './garbage.js';
export { WorkLedger } from './ledger.js';
export { openRuns } from './open-runs.js';
export type { ReconcilerSettings } from './reconciler.js';
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
export type { Datasets, Reconciler, RunLife, RunLog, RunObserver, RunPage, Runs, WorkCount } from './runs.js';
