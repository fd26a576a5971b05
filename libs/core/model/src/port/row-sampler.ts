import type { BitMatrix } from '@orchard/dataset';
import { checkCount } from './arguments.js';

/**
 * Samples rows batch after batch. Row r of all batches together is row r of `sample`, however many rows a batch has: so
 * a sample of any size takes the memory of a batch.
 */
export interface RowSampler {
  /** The next rows. */
  next(count: number): BitMatrix;
}

/** @param draw samples so many rows, of which the first one has that number */
export function samplerOf(draw: (count: number, firstRow: number) => BitMatrix): RowSampler {
  let firstRow = 0;
  return {
    next: (count) => {
      checkCount(count);
      const rows = draw(count, firstRow);
      firstRow += count;
      return rows;
    },
  };
}
