export { createLog } from './create-log.js';
export {
  clusterVariables,
  jobVariables,
  parseEnvironment,
  whole,
  type ClusterSettings,
  type Environment,
} from './environment.js';
export { listening } from './listening.js';
export { openStore, s3ConfigurationOf } from './open-store.js';
export { ownScratch } from './scratch.js';
export { serveOperations, type OperationsServer } from './operations-server.js';
export { runUntilSignal } from './run-until-signal.js';
export { runTaskProgram } from './tasks/start-task-program.js';
