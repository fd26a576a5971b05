import { BitMatrix } from '@orchard/dataset';
import { expect, test } from 'vitest';
import { mayBeLong, sampleOf, soonerInWords } from './expected-needs.js';
import type { Splits } from '@orchard/pipeline';

test.each([20_000, 20_130, 75_000, 99_000, 150_000])(
  'some of the rows are taken, evenly, whatever their number: %i',
  (rows) => {
    const valid = BitMatrix.create(rows / 10, 1);
    const sample = sampleOf({ train: BitMatrix.create(rows - valid.rows, 1), valid, test: null });
    expect(sample.train.rows + sample.valid.rows).toBeGreaterThanOrEqual(16_000);
    expect(sample.train.rows + sample.valid.rows).toBeLessThanOrEqual(16_002);
  },
);

const needs = { threads: 2, memoryBytes: 4e6, secondsLeast: 60 };

test('how a model is had sooner is said of runs of hours', () => {
  expect(soonerInWords({ ...needs, secondsMost: 7200 })).toContain('--budget 10m');
  expect(soonerInWords({ ...needs, secondsMost: 600 })).toBe('');
  expect(soonerInWords({ ...needs, secondsLeast: null, secondsMost: null })).toBe('');
});

test.each([
  [800, 20, false],
  [800, 300, true],
  [20_000, 2, true],
])('%i rows of %i columns of a table may be long: %s', (rows, count, isLong) => {
  const columns = { table: {}, count };
  const part = (of: number) => ({ rows: of, columns });
  const splits = { train: part(rows - 10), valid: part(10), test: null } as unknown as Splits;
  expect(mayBeLong(splits)).toBe(isLong);
});
