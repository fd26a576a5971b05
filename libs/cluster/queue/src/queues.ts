import { taskProgressSchema, type Job, type Pool, type TaskProgress } from '@orchard/contracts';
import type { Lane } from './lanes.js';
import { z } from 'zod';

/** A job that Redis holds. */
export interface QueuedJob {
  readonly id: string;
  readonly job: Job;
  /** Whose queue it is in. */
  readonly pool: Pool;
  readonly lane: Lane | null;
  readonly state: 'waiting' | 'active' | 'delayed';
}

export interface JobCounts {
  readonly waiting: number;
  readonly active: number;
  readonly delayed: number;
}

/** What the tasks of a batch came to, by their keys; those that are not among them were given back. */
export const batchResultSchema = z.object({
  stored: z.array(z.tuple([z.string(), taskProgressSchema.shape.trees, taskProgressSchema.shape.nats])),
  /** With the code of the failure: the attempt is counted in the store. */
  failed: z.array(z.tuple([z.string(), z.string()])),
});

export type BatchResult = Readonly<z.infer<typeof batchResultSchema>>;

/** What a job came to, as its holder left it in Redis. A job that failed has no result. */
export const jobResultSchema = z.object({
  /**
   * - `stored`: its artefact is
   * - `dropped`: the run no longer wants it
   * - `stored`: of a batch, what `batch` says is
   * - `returned`: it could not be done here and now, which counts as no attempt; the coordinator tries it again
   */
  outcome: z.enum(['stored', 'dropped', 'returned']),
  progress: taskProgressSchema,
  seconds: z.number().min(0),
  /** Of a job that was returned: why, for people (null: its holder had to end), and how long it should wait. */
  reason: z.string().nullable(),
  waitMilliseconds: z.number().min(0),
  /** Of a batch that was not given back as a whole. */
  batch: batchResultSchema.optional(),
});

export type JobResult = Readonly<z.infer<typeof jobResultSchema>>;

export type JobEvent =
  | { readonly kind: 'active'; readonly id: string }
  | { readonly kind: 'progress'; readonly id: string; readonly progress: TaskProgress }
  | { readonly kind: 'completed'; readonly id: string; readonly result: JobResult }
  /** The code and what it took: the worker that had the job keeps what happened in the store. */
  | { readonly kind: 'failed'; readonly id: string; readonly code: string; readonly seconds: number }
  | { readonly kind: 'stalled'; readonly id: string };

/** A worker or selector process as it reports itself every few seconds; forgotten when it stops. */
export interface WorkerPresence {
  readonly id: string;
  /** Survives restarts: what it holds is attributed by it. Workers of an earlier release report none. */
  readonly name?: string;
  readonly pool: Pool;
  readonly threads: number;
  readonly active: number;
  /** Bytes that training data may take in all. */
  readonly memoryBytes: number;
  /** Runs whose data do not fit, and the bytes that they need. */
  readonly refused: Readonly<Record<string, number>>;
  /** What people should know of it, a sentence; null where all is well. */
  readonly notice: string | null;
  /** Whether it takes large jobs where its memory is enough. Workers of an earlier release do not. */
  readonly takesLarge?: boolean;
  /** The data sets on its disk, by their ids: large ones are best trained there. Earlier releases report none. */
  readonly cached?: readonly string[];
  /** Short jobs that it does at once beside its threads' own. Workers of an earlier release report none. */
  readonly shortPlaces?: number;
  /** Whether it takes no tasks, for the reason in its notice. Workers of an earlier release do not report it. */
  readonly isAside?: boolean;
}

/** A worker that spoke within the last minutes, for the status: one that fell silent is still shown. */
export interface LateWorker extends WorkerPresence {
  /** Whole seconds since it last spoke, by Redis's clock. */
  readonly silentSeconds: number;
  /** Whether it counts as one that is there. */
  readonly isThere: boolean;
}

/** A job that was taken from the queue because the program that had it is gone. */
export interface LostJob {
  readonly job: Job;
  /** Names the loss, as the next holder of the job would have learned it. */
  readonly loss: string;
  /** The name of that program; empty where it is unknown. */
  readonly worker: string;
}

export interface HeldTask {
  readonly job: Job;
  /** The name of the worker that has it; null where it is unknown. */
  readonly worker: string | null;
  readonly progress: TaskProgress;
}
