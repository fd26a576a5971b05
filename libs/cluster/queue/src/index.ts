export { isUnanswered, type QueueConnection } from './connection.js';
export { QueueError, type QueueErrorCode } from './errors.js';
export { JobQueues } from './job-queues.js';
export { returned, type HeldJob, type StopReason } from './held-job.js';
export { JobWorker, type JobWorkerOptions } from './job-worker.js';
export type { Lane } from './lanes.js';
export type {
  BatchResult,
  HeldTask,
  JobCounts,
  JobEvent,
  JobResult,
  LateWorker,
  LostJob,
  QueuedJob,
  WorkerPresence,
} from './queues.js';
export { ReadingQueue, ReadingWorker, type HeldReading } from './reading-queue.js';
export { RepeatedErrors } from './repeated-errors.js';
export { isReply, withoutArguments } from './replies.js';
