import { isRefusal } from '@orchard/refusal';
import { parentPort } from 'node:worker_threads';
import { readSource } from './readings/read-source.js';
import type { SourceAnswer, SourceToRead } from './source-thread.js';

const reportMilliseconds = 500;
let reported = -Infinity;

parentPort!.once('message', ({ request, s3 }: SourceToRead) => {
  readSource(request, s3, (progress) => {
    const now = performance.now();
    if (now - reported < reportMilliseconds) return;
    reported = now;
    // of this thread alone: its heap, and the rows that it packs, which lie beside
    const { heapTotal, external } = process.memoryUsage();
    parentPort!.postMessage({ progress, memoryBytes: heapTotal + external } satisfies SourceAnswer);
  }).then(
    (read) =>
      parentPort!.postMessage(
        { read } satisfies SourceAnswer,
        read.parts.map(({ bytes }) => bytes.buffer),
      ),
    (error: unknown) => {
      if (!isRefusal(error)) throw error;
      const { code, got, expected, where, remedy } = error;
      parentPort!.postMessage({
        refusal: {
          code,
          parts: { got, expected, remedy, ...(where !== undefined && { where }) },
          isWithoutRoom: isWithoutRoom(error),
        },
      } satisfies SourceAnswer);
    },
  );
});

/** Of the disk of this machine: the rows are not at fault. */
function isWithoutRoom({ cause }: Error): boolean {
  return ['ENOSPC', 'EDQUOT'].includes(String((cause as { readonly code?: unknown } | undefined)?.code));
}
