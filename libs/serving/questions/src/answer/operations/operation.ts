import { availableParallelism } from 'node:os';
import type { Threads } from '@orchard/analysis';
import type { RunProgress } from '@orchard/contracts';
import type { DensityModel } from '@orchard/model';
import { z } from 'zod';
import type { Document } from '../frames.js';

/** Where a question may be worked on. */
export interface Work {
  /** The model's file, for threads that open it. */
  readonly bytes: Uint8Array;
  /** Says how far the answer is. */
  readonly onProgress: (progress: WorkProgress) => void;
}

/** How far an answer is, as a run says it. */
export type WorkProgress = Pick<RunProgress, 'stage' | 'state' | 'tasks' | 'logLikelihood'>;

/**
 * A question that a model answers: from its document to the document of the answer. It knows nothing of processes,
 * frames or files, so that any server may offer it.
 *
 * @param work where this thread is not the only one that may work on it
 * @throws Refusal for what is not a question, and for what this model has no answer to
 */
export type Operation = (model: DensityModel, question: Document, work?: Work) => Promise<Document> | Document;

/** Threads that a question may take. */
export const threadsSchema = z.int().min(1).max(1024).optional();

/** @param threads as the question has them. @default all cores */
export function threadsFor(
  work: Work | undefined,
  threads = availableParallelism(),
): Pick<Threads, 'bytes' | 'threads'> | null {
  return work === undefined ? null : { bytes: work.bytes, threads };
}
