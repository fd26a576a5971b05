export { QueueError, type BadInput, type QueueErrorCode } from './errors.js';
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
