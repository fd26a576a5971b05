export { defaultPrefix, type QueueConnection } from './connection.js';
export { QueueError, type BadInput, type QueueErrorCode } from './errors.js';
export { jobIdOf } from './job-ids.js';
export { JobQueues } from './job-queues.js';
export { HandBack, JobWorker, type HeldWork, type JobWorkerOptions, type StopReason } from './job-worker.js';
export {
  queueNames,
  queueOf,
  type JobCounts,
  type JobEvent,
  type JobProgress,
  type JobResult,
  type QueuedJob,
  type QueueName,
  type WorkerPresence,
} from './queues.js';
