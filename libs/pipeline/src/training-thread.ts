import { loadKernel, TrainingData } from '@orchard/kernel';
import { parentPort, workerData } from 'node:worker_threads';
import { failureOf, type FromThread, type ThreadStart, type ToThread } from './thread-messages.js';
import { runTask } from './trainer.js';

/** The entry of a training thread: it computes what it is posted, one task at a time, and touches no file and no network. */

/** More often than this nobody reads it. */
const progressMilliseconds = 200;

const port = parentPort!;
const { thread, kernel: kind } = workerData as ThreadStart;
const kernel = await loadKernel(kind);
const attached = new Map<number, TrainingData>();

function post(message: FromThread, transfer: readonly ArrayBuffer[] = []): void {
  port.postMessage(message, transfer);
}

function run(message: ToThread & { kind: 'run' }): void {
  const { data, handle, task, cancel, checkpointSeconds, wantsCheckpoints } = message;
  if (handle !== null) attached.set(data, TrainingData.attach(handle, thread));
  let reported = performance.now();
  const outcome = runTask(kernel, attached.get(data)!, task, {
    isCancelled: () => Atomics.load(cancel, 0) !== 0,
    onProgress: (progress) => {
      const now = performance.now();
      if (now - reported < progressMilliseconds) return;
      reported = now;
      post({ kind: 'progress', progress });
    },
    onCheckpoint: wantsCheckpoints
      ? (bytes, rounds) => {
          post({ kind: 'checkpoint', bytes, rounds }, [bytes.buffer as ArrayBuffer]);
        }
      : undefined,
    checkpointSeconds,
  });
  post({ kind: 'done', outcome }, [outcome.bytes.buffer as ArrayBuffer]);
}

port.on('message', (message: ToThread) => {
  if (message.kind === 'release') {
    attached.delete(message.data);
    return;
  }
  try {
    run(message);
  } catch (error) {
    post({ kind: 'failed', failure: failureOf(error) });
  }
});

post({ kind: 'ready' });
