import type { Job } from '@orchard/contracts';

/** `conditionals`: train and refit jobs, for workers. `selections`: select and assemble jobs, for selectors. */
export const queueNames = ['conditionals', 'selections'] as const;

export type QueueName = (typeof queueNames)[number];

export function queueOf(job: Job): QueueName {
  return job.stage === 'train' || job.stage === 'refit' ? 'conditionals' : 'selections';
}

/** A job that Redis holds. */
export interface QueuedJob {
  readonly id: string;
  readonly job: Job;
  readonly state: 'waiting' | 'active' | 'delayed';
}

export interface JobCounts {
  readonly waiting: number;
  readonly active: number;
  readonly delayed: number;
}

/** How far a job is; told at most once a second. */
export interface JobProgress {
  /** Rounds so far, those of a checkpoint included. */
  readonly rounds: number;
  /** Rounds grown or refitted by this very job: 0 where the artefact was there. */
  readonly newRounds: number;
  /** Summed nats over the validation rows at the best round so far; null where there are none. */
  readonly bestValid: number | null;
}

/** What a job came to. */
export interface JobResult extends JobProgress {
  /** False where the run no longer wanted it. */
  readonly stored: boolean;
  readonly seconds: number;
}

export type JobEvent =
  | { readonly kind: 'active'; readonly id: string }
  | { readonly kind: 'progress'; readonly id: string; readonly progress: JobProgress }
  | { readonly kind: 'completed'; readonly id: string; readonly result: JobResult }
  | { readonly kind: 'failed'; readonly id: string; readonly reason: string }
  | { readonly kind: 'stalled'; readonly id: string };

/** A worker process as it tells of itself every few seconds; forgotten when it no longer does. */
export interface WorkerPresence {
  readonly id: string;
  readonly threads: number;
  readonly active: number;
  /** Bytes that training data may take in all. */
  readonly memoryBytes: number;
  /** Runs whose data do not fit, and the bytes that they need. */
  readonly refused: Readonly<Record<string, number>>;
}
