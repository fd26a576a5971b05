import { posted } from '@orchard/refusal';
import { parentPort, workerData } from 'node:worker_threads';
import { checkpointsByClock } from './checkpoint-clock.js';
import type { Computation } from './compute.js';
import { transferables, type FromThread, type ThreadStart, type ToThread } from './thread-messages.js';
import { ThreadStore } from './thread-store.js';

/**
 * The entry of a thread: it runs what it is posted, one computation at a time. It knows no family: the
 * module of the computation is named with each. What is stored goes through the main thread; a computation that reads
 * a source fetches it itself.
 */

/** More often than this no reader needs it. */
const progressMilliseconds = 200;

const port = parentPort!;
const { thread, kernel } = workerData as ThreadStart;
/** What was shared with this thread, and what was made of it. */
const shared = new Map<number, { readonly handle: unknown; attached: unknown }>();

function post(message: FromThread): void {
  port.postMessage(message, transferables(message));
}

function postCheckpoint(bytes: Uint8Array, round: number): void {
  post({ kind: 'checkpoint', bytes, round });
}

/** Bytes to store are copied: the computation may go on using them. */
const store = new ThreadStore((call, method, args) => {
  port.postMessage({ kind: 'store', call, method, args } satisfies FromThread);
});

async function run(message: ToThread & { kind: 'run' }): Promise<void> {
  const { module, name, input, data, cancel, checkpointSeconds, wantsCheckpoints } = message;
  if (data !== null && !shared.has(data.number)) shared.set(data.number, { handle: data.handle, attached: null });
  const { computations } = (await import(module)) as { computations: Readonly<Record<string, Computation>> };
  let reported = performance.now();
  const result = await computations[name]!(input, {
    thread,
    store,
    kernel,
    data: <Data>(attach: (handle: unknown, thread: number) => Data): Data => {
      const own = shared.get(data!.number)!;
      own.attached ??= attach(own.handle, thread);
      return own.attached as Data;
    },
    isCancelled: () => Atomics.load(cancel, 0) !== 0,
    onProgress: (progress) => {
      const now = performance.now();
      if (now - reported < progressMilliseconds) return;
      reported = now;
      post({ kind: 'progress', progress });
    },
    checkpoint: checkpointsByClock(wantsCheckpoints ? postCheckpoint : undefined, checkpointSeconds),
  });
  post({ kind: 'done', result });
}

port.on('message', (message: ToThread) => {
  switch (message.kind) {
    case 'run':
      run(message).catch((error: unknown) => {
        post({ kind: 'failed', failure: posted(error) });
      });
      return;
    case 'release':
      shared.delete(message.data);
      return;
    case 'answer':
      store.answer(message.call, message.result);
      return;
    case 'refusal':
      store.refuse(message.call, message.failure);
  }
});

post({ kind: 'ready' });
