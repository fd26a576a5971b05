import { builtModule } from '@orchard/pipeline';
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

/** To the thread and back: the buffer itself goes, no copy of it. */
export interface RowsToCheck {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** The data set that they should be. */
  readonly id: string;
}

export interface CheckedRows {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly isIntact: boolean;
}

/**
 * Whether bytes are the data set of this content hash. A gigabyte takes seconds, so a thread hashes: the main thread
 * renews the locks of jobs, and those of the pool may be the ones that wait for the rows.
 *
 * @param bytes are not to be used any more: those of the answer are the same
 */
export async function checkRows(bytes: Uint8Array<ArrayBuffer>, id: string): Promise<CheckedRows> {
  const whole = bytes.byteLength === bytes.buffer.byteLength ? bytes : bytes.slice();
  const thread = new Worker(builtModule('checked-rows-thread', import.meta.url), {
    execArgv: ['--enable-source-maps'],
    name: 'orchard-rows',
  });
  try {
    thread.postMessage({ bytes: whole, id } satisfies RowsToCheck, [whole.buffer]);
    const [answer] = (await once(thread, 'message')) as [CheckedRows];
    return answer;
  } finally {
    await thread.terminate();
  }
}
