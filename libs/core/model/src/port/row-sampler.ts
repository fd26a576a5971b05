import type { BitMatrix } from '@orchard/dataset';
import { checkCount, checkSeed } from './arguments.js';

/**
 * Samples rows batch after batch. Row r of all batches together is row r of `sample`, however many rows a batch has: so
 * a sample of any size takes the memory of a batch.
 */
export interface RowSampler {
  next(count: number): BitMatrix;
}

/** Samples rows by their numbers, so that slices of one sampling may be drawn by several machines. */
export interface NumberedSampler extends RowSampler {
  /** Leaves out the next rows, which cost next to nothing. */
  skip(count: number): void;
}

/** A model whose rows are each drawn by their number: whatever its family samples, alone or in batches, is the same. */
export abstract class DrawnByRow {
  /** `count` independent rows, of which row r depends on the seed and on `firstRow + r` alone. */
  protected abstract draw(count: number, seed: number, firstRow: number): BitMatrix;

  sample(count: number, seed: number): BitMatrix {
    return this.sampler(seed).next(count);
  }

  sampler(seed: number): NumberedSampler {
    checkSeed(seed);
    return samplerOf((count, firstRow) => this.draw(count, seed, firstRow));
  }
}

/**
 * @param draw samples so many rows, of which the first one has that number
 * @param leave what leaving out so many rows needs, of which the first one has that number
 */
export function samplerOf(
  draw: (count: number, firstRow: number) => BitMatrix,
  leave: (count: number, firstRow: number) => void = () => undefined,
): NumberedSampler {
  let firstRow = 0;
  return {
    next: (count) => {
      checkCount(count);
      const rows = draw(count, firstRow);
      firstRow += count;
      return rows;
    },
    skip: (count) => {
      checkCount(count);
      leave(count, firstRow);
      firstRow += count;
    },
  };
}
