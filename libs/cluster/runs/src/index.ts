export { type AttemptLimits } from './attempts.js';
export { clusterOf, registerCluster } from './cluster-identity.js';
export { RunError, type RunErrorCode } from './errors.js';
export { collectGarbage, type Garbage, type GarbageOptions } from './garbage.js';
export { TaskLedger } from './ledger.js';
export { markSchema, type Mark } from './lifecycle.js';
export { openRuns, type Datasets, type Reconciler, type Runs } from './open-runs.js';
export type { ReconcilerSettings } from './reconciler.js';
export type { RunLife, RunLog, RunObserver, RunPage, TaskCount } from './runs.js';
