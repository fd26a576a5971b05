import type { PutResult } from '@orchard/storage';
import type { DataRequest } from './compute.js';
import { PipelineError } from './errors.js';
import type { TaskContext, TaskOutcome } from './family.js';

/** An artefact that one computation makes, null where it was cancelled. */
export interface MadeArtefact<Made> {
  readonly name: string;
  readonly data: DataRequest;
  readonly computation: string;
  readonly input: unknown;
  /** For messages: `round 3`. */
  readonly what: string;
  /** Stores what the computation gave. */
  readonly write: (made: Made) => Promise<PutResult>;
  /** Summed nats of the validation rows by what was made. @default none */
  readonly natsOf?: (made: Made) => number;
}

/**
 * The whole of a task that makes one artefact, and does nothing where it is stored.
 *
 * @throws PipelineError `interrupted`
 */
export async function makeArtefact<Made = Uint8Array>(
  { store, compute, isNew, signal }: TaskContext,
  { name, data, computation, input, what, write, natsOf }: MadeArtefact<Made>,
): Promise<TaskOutcome> {
  if (!isNew && (await store.head(name)) !== null) return { stored: 'exists' };
  const made = await compute.withData(data, (call) => call<Made | null>(computation, input, { signal, what }));
  if (made !== null) {
    const stored = await write(made);
    return natsOf === undefined ? { stored } : { stored, progress: { share: 1, trees: 0, nats: natsOf(made) } };
  }
  throw interruptedTask(what);
}

/** That a task was to stop before its artefact was made. @param where what was under way */
export function interruptedTask(where: string): PipelineError {
  return new PipelineError('interrupted', {
    got: 'a request to stop',
    expected: 'time to finish',
    where,
    remedy: 'Run again: what is stored stays, and this begins again.',
  });
}

/**
 * How many threads have room beside data that all share.
 *
 * @param shared bytes of the data
 * @param own bytes of each thread
 */
export function threadsBeside(shared: number, own: number): DataRequest['fit'] {
  return (threads, room) => {
    const fitting = Math.max(1, Math.min(threads, Math.floor((room - shared) / own)));
    return { threads: fitting, bytes: shared + fitting * own };
  };
}
