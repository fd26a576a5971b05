import { BitMatrix } from '@orchard/dataset';
import { RandomStream } from '@orchard/numerics';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { loadKernel, TrainingData } from './index.js';
import { boost, expectSameRounds, oneHotMatrix, paperGrowth, randomMatrix } from './kernel.suite.js';
import { randomDecision, randomTable } from './random-table.suite.js';

const arrange = (train: BitMatrix, groups?: readonly number[]) =>
  TrainingData.arrange({ train, valid: null, test: null }, { threads: 1, leaves: 32, groups });

const rangesOf = (data: TrainingData) => data.groups().map(({ start, end }) => [start, end]);

/** Rows of such fields, each independent of the others: bits `x > c`, or one bit a label. */
function rowsOfFields(rows: number, fields: readonly { width: number; ordered: boolean }[]): BitMatrix {
  const stream = new RandomStream(11, 95);
  const dimensions = fields.reduce((sum, { width }) => sum + width, 0);
  // as many columns more that are only predicted
  const matrix = BitMatrix.create(rows, 2 * dimensions);
  for (let row = 0; row < rows; row++) {
    let start = 0;
    for (const { width, ordered } of fields) {
      const value = stream.below(width + 1);
      for (let bit = 0; bit < width; bit++) if (ordered ? value > bit : value === bit) matrix.set(row, start + bit, 1);
      start += width;
    }
    for (let dim = dimensions; dim < 2 * dimensions; dim++) if (stream.below(2)) matrix.set(row, dim, 1);
  }
  return matrix;
}

const ordered = (width: number) => ({ width, ordered: true });
const labels = (width: number) => ({ width, ordered: false });
const arrangeFields = (...fields: { width: number; ordered: boolean }[]) =>
  arrange(
    rowsOfFields(2000, fields),
    fields.map(({ width }) => width),
  );

describe('groups of the predictors of a table', () => {
  it('are one a variable, for 64 cut points and for labels', () => {
    expect(rangesOf(arrangeFields(ordered(64), ordered(64), ordered(64)))).toEqual([
      [0, 64],
      [64, 128],
      [128, 192],
    ]);
    expect(rangesOf(arrangeFields(labels(30), ordered(50), labels(40)))).toEqual([
      [0, 30],
      [30, 80],
      [80, 120],
    ]);
  });

  it('are one for several variables where few of their combinations occur', () => {
    // 6 x 8 codes, then 65
    expect(rangesOf(arrangeFields(labels(5), ordered(7), ordered(64)))).toEqual([
      [0, 12],
      [12, 76],
    ]);
  });

  it('are two for a variable of more than 64 bits, such as 64 cut points and whether it is there', () => {
    expect(rangesOf(arrangeFields(ordered(65), ordered(64)))).toEqual([
      [0, 64],
      [64, 65],
      [65, 129],
    ]);
  });

  it('are no more than there are bytes: where variables are narrow, some end within one', () => {
    const stream = new RandomStream(12, 95);
    const widths = [7, 2, 7, 2, 7, 2, 7, 2, 7, 2, 7, 2, 7, 2, 7, 2];
    const train = BitMatrix.create(8000, 72);
    for (let row = 0; row < train.rows; row++) {
      const usual = stream.below(4) > 0;
      for (let dim = 0; dim < 72; dim++) if (usual || stream.below(2)) train.set(row, dim, 1);
    }
    const groups = rangesOf(arrange(train, widths));
    expect(groups.length).toBeGreaterThan(0);
    expect(groups.length).toBeLessThanOrEqual(9);
    expect(groups.at(-1)![1]).toBe(72);
  });

  it('never reach into columns that are no predictors, though those would make a group too', () => {
    const same = rowsOfFields(2000, [ordered(20), ordered(20), ordered(20)]);
    expect(rangesOf(arrange(same, [20, 20]))).toEqual([
      [0, 20],
      [20, 40],
    ]);
  });

  it('are sought where nothing is said, in data that look one-hot; single bits are as if nothing were said', () => {
    const oneHot = oneHotMatrix(4, 2000, 120);
    expect(rangesOf(arrange(oneHot)).length).toBeGreaterThan(0);
    expect(rangesOf(arrange(oneHot, new Array<number>(120).fill(1)))).toEqual(rangesOf(arrange(oneHot)));
    expect(rangesOf(arrange(randomMatrix(4, 2000, 120)))).toEqual([]);
  });

  it('are left to bytes where those take fewer additions', () => {
    expect(rangesOf(arrange(randomMatrix(4, 2000, 120), new Array<number>(60).fill(2)))).toEqual([]);
  });

  it('are refused where they are not of the columns', () => {
    const train = randomMatrix(1, 50, 12);
    expect(() => arrange(train, [8, 5])).toThrow(/got 13 columns in 2 groups, expected whole numbers .* at most 12/);
    expect(() => arrange(train, [8, -1])).toThrow(/got a group of -1 columns/);
    expect(() => arrange(train, [2.5])).toThrow(/got a group of 2.5 columns/);
  });

  it('change no bit of a tree, whatever their widths, nor do columns behind them', async () => {
    const kernel = await loadKernel();
    fc.assert(
      fc.property(
        fc.record({
          seed: fc.nat(1e6),
          variables: fc.integer({ min: 1, max: 12 }),
          rows: fc.integer({ min: 1, max: 3000 }),
          // widths that are not those of the variables: any will do
          widths: fc.option(fc.array(fc.integer({ min: 0, max: 70 }), { maxLength: 40 })),
        }),
        ({ seed, variables, rows, widths: drawn }) => {
          const { matrix, widths } = randomTable(seed, rows, variables);
          let left = matrix.dimensions;
          const groups = drawn?.filter((width) => (left -= width) >= 0) ?? widths;
          const [grouped, plain] = [arrange(matrix, groups), arrange(matrix)];
          expect(rangesOf(grouped).length).toBeLessThanOrEqual(Math.ceil(matrix.dimensions / 8));
          for (const predictors of [matrix.dimensions, widths[0]! >> 1, seed % (matrix.dimensions + 1)]) {
            const decision = randomDecision(plain, seed, predictors, 'by-value');
            const run = (data: TrainingData) => boost(kernel.conditional(data, decision, paperGrowth(32), true), 3);
            expectSameRounds(run(grouped), run(plain));
          }
        },
      ),
      { numRuns: Number(process.env['ORCHARD_PROPERTY_RUNS'] ?? 60), seed: 20261124 },
    );
  });
});
