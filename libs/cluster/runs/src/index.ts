export { type AttemptLimits } from './attempts.js';
export { clusterOf, registerCluster } from './cluster-identity.js';
export { RunError, type RunErrorCode } from './errors.js';
export { OwnExamination, type Examination } from './examination.js';
export { collectGarbage, type Garbage, type GarbageOptions } from './garbage.js';
export { TaskLedger } from './ledger.js';
export { markSchema, type Mark } from './lifecycle.js';
export { openRuns, type BusyPerson, type Datasets, type Reconciler, type RunEnding, type Runs } from './open-runs.js';
export type { ReconcilerSettings } from './reconciler.js';
export { PeopleUse, type PersonUse, type StoredUse } from './people-use.js';
export type { Deletion, Expired, RetentionRules } from './retention.js';
export { parseSources, requireAllowed, type AllowedSource } from './readings/allowed-sources.js';
export {
  beginAttempt,
  keepAnswer,
  Readings,
  requestOf,
  type ReadingAttempt,
  type ReadingJobs,
} from './readings/readings.js';
export type { RunCost } from './run-costs.js';
export { RunPins } from './run-pins.js';
export { RunSheets } from './run-sheets.js';
export type { RunLife, RunLog, RunObserver, RunPage, Submitted, TaskCount } from './runs.js';
