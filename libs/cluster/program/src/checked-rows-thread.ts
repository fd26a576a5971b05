import { BitMatrix } from '@orchard/dataset';
import { parentPort } from 'node:worker_threads';
import type { CheckedRows, RowsToCheck } from './checked-rows.js';

parentPort!.once('message', ({ bytes, id }: RowsToCheck) => {
  parentPort!.postMessage({ bytes, isIntact: isDataset(bytes, id) } satisfies CheckedRows, [bytes.buffer]);
});

function isDataset(bytes: Uint8Array<ArrayBuffer>, id: string): boolean {
  try {
    return BitMatrix.from(bytes.buffer).contentHash() === id;
  } catch {
    return false;
  }
}
