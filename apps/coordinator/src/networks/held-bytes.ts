import { TIMES_OPENED } from '@orchard/pipeline';

/** Of the memory, what open models may take. */
const SHARE = 1 / 4;
/** As this process found it: one that has models open has less. */
const atStart = process.availableMemory();

/** Bytes of model files that are held open, over all threads: opened they take many times as much. */
export function heldBytes(cacheBytes: number, memoryBytes = atStart): number {
  return Math.min(cacheBytes, Math.floor((SHARE * memoryBytes) / TIMES_OPENED));
}
