import type { Kernel, TrainingData } from '@orchard/kernel';
import { checkpointsByClock } from '@orchard/pipeline';
import { runTask, type Trainer } from './trainer.js';

/** Trains in the calling thread, which does nothing else meanwhile: for tests, tools and very small data. */
export function trainerHere(kernel: Kernel, data: TrainingData): Trainer {
  return {
    // the executor turns whatever is thrown into a rejection
    run: (task, { signal, onProgress, onCheckpoint, checkpointSeconds } = {}) =>
      new Promise((resolve) => {
        const isCancelled = (): boolean => signal?.aborted ?? false;
        const checkpoint = checkpointsByClock(onCheckpoint, checkpointSeconds);
        resolve(runTask(kernel, data, task, { isCancelled, checkpoint, ...(onProgress && { onProgress }) }));
      }),
  };
}
