import { setImmediate } from 'node:timers/promises';
import { interruptedTask } from './make-artefact.js';

/** Milliseconds between two pauses. */
const LONGEST_WORK = 100;

/**
 * A pause, to be awaited now and then by what takes long: lets others have the thread.
 *
 * @param what is made, for the message
 * @returns a function that throws PipelineError `interrupted` where the task is to stop
 */
export function pausesOf(isCancelled: () => boolean, what: string): () => Promise<void> {
  let paused = performance.now();
  return async () => {
    if (performance.now() - paused < LONGEST_WORK) return;
    await setImmediate();
    paused = performance.now();
    if (isCancelled()) throw interruptedTask(what);
  };
}
