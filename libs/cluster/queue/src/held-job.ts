import { noProgress, type Job, type TaskProgress } from '@orchard/contracts';
import type { Job as BullJob } from 'bullmq';
import type { JobResult } from './queues.js';

/** Why a job is to be let go of: its run was cancelled or deleted, or this process ends. */
export type StopReason = 'run-stopped' | 'shutdown';

/** A job in the hands of its processor. */
export interface HeldJob {
  readonly id: string;
  readonly job: Job;
  /** Whether it came from the queue of short jobs, for which this worker has places of their own. */
  readonly isShort: boolean;
  /** Names the latest time that a worker which had it vanished; null where none did. */
  readonly loss: string | null;
  /** The name of that worker; empty where it is unknown. */
  readonly lostBy: string;
  /** When it was put into the queue, in milliseconds since 1970. */
  readonly addedAt: number;
  /** No worker took this job before: unless Redis was emptied, nothing of it was stored since it was made. */
  readonly isFirst: boolean;
  /** Aborted with a {@link StopReason}. */
  readonly signal: AbortSignal;
  /** Tells how far it is; passed on at most once a second. */
  report(progress: TaskProgress): void;
}

/**
 * The result of a job that could not be done here and now. It is gone from the queue then: the coordinator waits by one
 * clock of its own, instead of by those of the workers.
 */
export function returned(reason: string | null, waitMilliseconds: number): JobResult {
  return { outcome: 'returned', progress: noProgress, seconds: 0, reason, waitMilliseconds };
}

/**
 * Names the latest loss of a job; null where no worker lost it. Redis's count of losses begins anew with every job that
 * is made; the time of making tells them apart.
 */
export function lossOf({ stalledCounter, timestamp }: BullJob): string | null {
  return stalledCounter > 0 ? `${timestamp}-${stalledCounter}` : null;
}

/** The same of a job whose holder has just turned out to be gone: the name that its next holder would find. */
export function nextLossOf({ stalledCounter, timestamp }: BullJob): string {
  return `${timestamp}-${stalledCounter + 1}`;
}
