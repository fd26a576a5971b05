import { BitMatrix } from '@orchard/dataset';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { KernelError, loadKernel, Split, TrainingData } from './index.js';
import { randomMatrix } from './kernel.suite.js';

const written = (matrix: BitMatrix, row: number) =>
  Array.from({ length: matrix.dimensions }, (_, dim) => matrix.get(row, dim)).join('');

describe('arranged rows', () => {
  it('are all rows of all splits, sorted, with the bits that each shares with the one before', () => {
    fc.assert(
      fc.property(
        fc.nat(1e6),
        fc.integer({ min: 1, max: 300 }),
        fc.integer({ min: 1, max: 150 }),
        fc.constantFrom(0.05, 1),
        (seed, rows, dimensions, share) => {
          const all = randomMatrix(seed, rows + 7, dimensions, Math.ceil(rows * share));
          const part = (from: number, to: number) =>
            all.selectRows(Array.from({ length: to - from }, (_, i) => from + i));
          const data = TrainingData.arrange(
            { train: part(0, rows), valid: part(rows, rows + 4), test: part(rows + 4, rows + 7) },
            { threads: 2, leaves: 4 },
          );
          const expected = Array.from({ length: rows + 7 }, (_, row) => [
            written(all, row),
            row < rows ? 0 : row < rows + 4 ? 1 : 2,
          ]);
          const actual = Array.from({ length: rows + 7 }, (_, row) => [
            Array.from({ length: dimensions }, (_, dim) => data.bit(row, dim)).join(''),
            data.splitOf(row),
          ]);
          const sorted = (list: (string | number)[][]) => list.map((row) => row.join(':')).sort();
          expect(sorted(actual)).toEqual(sorted(expected));
          for (let row = 1; row < actual.length; row++) {
            const [before, here] = [String(actual[row - 1]![0]), String(actual[row]![0])];
            expect(before <= here).toBe(true);
            let shared = 0;
            while (shared < dimensions && before[shared] === here[shared]) shared++;
            expect(data.sharedBits[row]).toBe(shared);
          }
        },
      ),
      { numRuns: 60, seed: 20261121 },
    );
  });

  it('count validation rows as training rows once pooled', () => {
    const train = BitMatrix.fromRows(['10', '11']);
    const data = TrainingData.arrange(
      { train, valid: BitMatrix.fromRows(['01']), test: null },
      { threads: 1, leaves: 2 },
    );
    expect([data.trainingRows, data.validationRows, data.trainingOnes(0), data.trainingOnes(1)]).toEqual([2, 1, 2, 1]);
    const pooled = data.pooled();
    expect([pooled.trainingRows, pooled.validationRows, pooled.trainingOnes(1)]).toEqual([3, 0, 2]);
  });

  it('are counted whole vectors at a time: the ones of all training rows, or of those with a value at a position', () => {
    fc.assert(
      fc.property(
        fc.record({
          seed: fc.nat(1e6),
          rows: fc.integer({ min: 1, max: 600 }),
          dimensions: fc.integer({ min: 1, max: 300 }),
          isPooled: fc.boolean(),
        }),
        ({ seed, rows, dimensions, isPooled }) => {
          const train = randomMatrix(seed, rows, dimensions, rows);
          const valid = randomMatrix(seed + 1, 9, dimensions, 9);
          const arranged = TrainingData.arrange({ train, valid, test: valid }, { threads: 2, leaves: 2 });
          const own = TrainingData.attach(arranged.handle, 1);
          const data = isPooled ? own.pooled() : own;
          const position = seed % dimensions;
          const expected = (isCounted: (row: number) => boolean, positions: number) => {
            const training = Array.from({ length: data.rowCount }, (_, row) => row).filter(
              (row) => data.splitOf(row) === Split.train && isCounted(row),
            );
            return Array.from(
              { length: positions },
              (_, at) => training.filter((row) => data.bit(row, at) === 1).length,
            );
          };
          expect([...data.trainingOnesOf(dimensions)]).toEqual(expected(() => true, dimensions));
          for (const value of [0, 1] as const)
            expect([...data.trainingOnesOf(position, { position, value })]).toEqual(
              expected((row) => data.bit(row, position) === value, position),
            );
        },
      ),
      { numRuns: 30, seed: 20261125 },
    );
  });

  it('are seen alike by every thread that attaches, and by no thread beyond those asked for', () => {
    const data = TrainingData.arrange(
      { train: randomMatrix(1, 20, 9), valid: null, test: null },
      { threads: 2, leaves: 4 },
    );
    const other = TrainingData.attach(structuredClone(data.handle), 1);
    expect(Array.from(other.rows)).toEqual(Array.from(data.rows));
    expect(() => TrainingData.attach(data.handle, 2)).toThrow(KernelError);
  });
});

describe('what cannot be arranged', () => {
  it('is a split of other dimensions or without rows', () => {
    const train = BitMatrix.fromRows(['010', '111']);
    const sizing = { threads: 1, leaves: 4 };
    const other = BitMatrix.fromRows(['01']);
    expect(() => TrainingData.arrange({ train, valid: other, test: null }, sizing)).toThrow(
      /validation split does not match.*got 2 dimensions, expected 3/,
    );
    const none = BitMatrix.create(0, 3);
    expect(() => TrainingData.arrange({ train, valid: null, test: none }, sizing)).toThrow(/test split is empty/);
    expect(() => TrainingData.arrange({ train: none, valid: null, test: null }, sizing)).toThrow(
      /training split is empty/,
    );
  });

  it('is more than 4 GiB, with the figure', () => {
    const train = { rows: 1e7, dimensions: 784 } as BitMatrix;
    expect(() => TrainingData.arrange({ train, valid: null, test: null }, { threads: 4, leaves: 64 })).toThrow(
      /got 10000000 rows x 784 dimensions with 64 leaves and 1 thread, [\d.]+ GiB, expected at most 4\.00 GiB \(a thread/,
    );
  });

  it('is more rows than the grid of exact sums can tell apart', () => {
    const train = { dimensions: 1, rows: 2 ** 26 + 1 } as BitMatrix;
    expect(() => TrainingData.arrange({ train, valid: null, test: null }, { threads: 1, leaves: 2 })).toThrow(
      /training split has too many rows for the grid.*got 67108865 rows, expected at most 67108864/,
    );
  });
});

it('a kernel that traps ends in a typed error, not in a wrong answer', async () => {
  const { handle } = TrainingData.arrange(
    { train: randomMatrix(3, 50, 9), valid: null, test: null },
    { threads: 1, leaves: 4 },
  );
  // a workspace that lies beyond the memory
  const broken = TrainingData.attach(handle, 0);
  Object.assign(broken.handle.layout, { workspaces: [handle.memory.buffer.byteLength] });
  const kernel = await loadKernel();
  const options = { leaves: 4, minLeafWeight: 0, l2: 0, startOdds: 1 };
  expect(() => kernel.conditional(broken, 8, options, true)).toThrow(KernelError);
  expect(() => kernel.conditional(broken, 8, options, true)).toThrow(/The kernel was aborted.*out of bounds/);
});
