import type { ReadingProgress, ReadingRequest } from '@orchard/contracts';
import { builtModule, type RowsAtOptions } from '@orchard/pipeline';
import { Refusal, type RefusalCode, type RefusalParts } from '@orchard/refusal';
import { Worker } from 'node:worker_threads';
import type { SourceRead } from './readings/read-source.js';

/** To the thread. */
export interface SourceToRead {
  readonly request: ReadingRequest;
  readonly s3: NonNullable<RowsAtOptions['s3']>;
}

/** From the thread: any number of times how far it is and what memory it has, then what it came to. */
export type SourceAnswer =
  | { readonly progress: ReadingProgress; readonly memoryBytes: number }
  | { readonly read: SourceRead }
  | {
      readonly refusal: {
        readonly code: RefusalCode;
        readonly parts: RefusalParts;
        readonly isWithoutRoom: boolean;
      };
    };

/** This machine's disk is full, which another's need not be. */
export class WithoutRoom extends Refusal {}

/**
 * Has a thread read a source: it takes minutes, and the main thread renews the locks of jobs.
 *
 * @throws Refusal for rows that are refused; WithoutRoom where the disk is full; the signal's reason
 */
export async function readSourceInThread(
  source: SourceToRead,
  signal: AbortSignal,
  onProgress: (progress: ReadingProgress) => void,
  onMemory: (bytes: number) => void,
): Promise<SourceRead> {
  signal.throwIfAborted();
  const thread = new Worker(builtModule('read-source-thread', import.meta.url), {
    execArgv: ['--enable-source-maps'],
    name: 'orchard-reader',
  });
  let abort = (): void => undefined;
  try {
    return await new Promise<SourceRead>((resolve, reject) => {
      abort = () => reject(signal.reason as Error);
      signal.addEventListener('abort', abort, { once: true });
      thread.on('message', (answer: SourceAnswer) => {
        if ('progress' in answer) {
          onProgress(answer.progress);
          onMemory(answer.memoryBytes);
        } else if ('read' in answer) resolve(answer.read);
        else {
          const { code, parts, isWithoutRoom } = answer.refusal;
          reject(isWithoutRoom ? new WithoutRoom(code, parts) : new Refusal(code, parts));
        }
      });
      thread.once('error', reject);
      thread.once('exit', (code) => reject(new Error(`the thread that read ended with ${String(code)}`)));
      thread.postMessage(source);
    });
  } finally {
    signal.removeEventListener('abort', abort);
    await thread.terminate();
  }
}
