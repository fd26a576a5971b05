import { BitMatrix } from '@orchard/dataset';
import { expect, test } from 'vitest';
import { sampleOf } from './expected-needs.js';

test.each([20_000, 20_130, 75_000, 99_000, 150_000])(
  'some of the rows are taken, evenly, whatever their number: %i',
  (rows) => {
    const valid = BitMatrix.create(rows / 10, 1);
    const sample = sampleOf({ train: BitMatrix.create(rows - valid.rows, 1), valid, test: null });
    expect(sample.train.rows + sample.valid.rows).toBeGreaterThanOrEqual(16_000);
    expect(sample.train.rows + sample.valid.rows).toBeLessThanOrEqual(16_002);
  },
);
