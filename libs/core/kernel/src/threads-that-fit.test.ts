import fc from 'fast-check';
import { expect, describe, it } from 'vitest';
import { KernelError, loadKernel, threadsThatFit, TrainingData, trainingBytes, type SplitSizes } from './index.js';
import { boost, expectSameRounds, paperGrowth, randomMatrix } from './kernel.suite.js';

const GIB = 2 ** 30;
const sizes = (dimensions: number, train: number, valid = 0, test = 0): SplitSizes => ({
  train: { rows: train, dimensions },
  valid: valid === 0 ? null : { rows: valid, dimensions },
  test: test === 0 ? null : { rows: test, dimensions },
});

/** Rows of which many are equal. */
const shapes = fc.record({
  seed: fc.nat(1e6),
  dimensions: fc.oneof(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 1, max: 2500 })),
  train: fc.integer({ min: 1, max: 300 }),
  valid: fc.integer({ min: 0, max: 90 }),
  test: fc.integer({ min: 0, max: 60 }),
  distinctShare: fc.constantFrom(0.02, 0.3, 1),
  leaves: fc.constantFrom(1, 2, 8, 40, 500),
  threads: fc.integer({ min: 1, max: 5 }),
  rowsPerTree: fc.constantFrom(undefined, undefined, 1, 100),
});

type Shape = typeof shapes extends fc.Arbitrary<infer Value> ? Value : never;

function splitsOf({ seed, dimensions, train, valid, test, distinctShare }: Shape) {
  const all = randomMatrix(seed, train + valid + test, dimensions, Math.max(1, Math.floor(train * distinctShare)));
  const part = (from: number, count: number) => all.selectRows(Array.from({ length: count }, (_, row) => from + row));
  return {
    train: part(0, train),
    valid: valid === 0 ? null : part(train, valid),
    test: test === 0 ? null : part(train + valid, test),
  };
}

describe('the memory that training takes', () => {
  it('is known from the sizes alone, to the byte', () => {
    fc.assert(
      fc.property(shapes, (shape) => {
        const { dimensions, train, valid, test, leaves, threads, rowsPerTree } = shape;
        const data = TrainingData.arrange(splitsOf(shape), { leaves, threads, rowsPerTree });
        const bytes = trainingBytes(sizes(dimensions, train, valid, test), { leaves, threads, rowsPerTree });
        expect(bytes).toBe(data.handle.memory.buffer.byteLength);
        expect(bytes).toBe(data.handle.layout.bytes);
      }),
      { numRuns: 100, seed: 20261122 },
    );
  });

  it('is made as large as a limit allows, and one thread more would not fit', async () => {
    const wasm = await loadKernel();
    const reference = await loadKernel('reference');
    fc.assert(
      fc.property(shapes, fc.integer({ min: 1, max: 8 }), (shape, mebibytes) => {
        const { dimensions, train, valid, test, leaves } = shape;
        const facts = sizes(dimensions, train, valid, test);
        const limit = mebibytes * 2 ** 20 - 1;
        fc.pre(trainingBytes(facts, { leaves, threads: 1 }) <= limit);
        const { threads, bytes } = threadsThatFit(facts, { leaves, threads: 64, bytes: limit });
        const { handle } = TrainingData.arrange(splitsOf(shape), { leaves, threads });
        expect(handle.memory.buffer.byteLength).toBe(bytes);
        expect(bytes).toBeLessThanOrEqual(limit);
        if (threads < 64) expect(trainingBytes(facts, { leaves, threads: threads + 1 })).toBeGreaterThan(limit);
        const last = TrainingData.attach(handle, threads - 1);
        const growth = paperGrowth(leaves);
        const position = Math.min(dimensions - 1, 20);
        expectSameRounds(
          boost(wasm.conditional(last, position, growth, true), 3),
          boost(reference.conditional(last, position, growth, true), 3),
        );
      }),
      { numRuns: 40, seed: 20261122 },
    );
  });

  it('is several memories where one is too small for all threads, each thread with the same rows', async () => {
    const wasm = await loadKernel();
    fc.assert(
      fc.property(shapes, fc.integer({ min: 2, max: 9 }), (shape, threads) => {
        const { dimensions, train, valid, test, leaves, rowsPerTree } = shape;
        const facts = sizes(dimensions, train, valid, test);
        const memoryBytes = trainingBytes(facts, { leaves, rowsPerTree, threads: shape.threads });
        const how = { leaves, rowsPerTree, threads, memoryBytes };
        const { handle } = TrainingData.arrange(splitsOf(shape), how);
        const memories = [handle, ...handle.copies].map(({ memory }) => memory.buffer.byteLength);
        expect(memories.every((bytes) => bytes <= memoryBytes)).toBe(true);
        expect(memories.length).toBeGreaterThanOrEqual(threads > 5 ? 2 : 1);
        const bytes = memories.reduce((sum, own) => sum + own, 0);
        expect(trainingBytes(facts, how)).toBe(bytes);
        expect(threadsThatFit(facts, { ...how, bytes }).threads).toBe(threads);
        expect(threadsThatFit(facts, { ...how, bytes: bytes - 1 }).threads).toBeLessThan(threads);
        const seen = Array.from({ length: threads }, (_, thread) => TrainingData.attach(handle, thread));
        const workspaces = seen.map(({ handle: { memory, layout }, thread }) => {
          const number = [handle, ...handle.copies].findIndex((one) => one.memory === memory);
          return `${number} ${layout.workspaces[thread]}`;
        });
        expect(new Set(workspaces).size).toBe(threads);
        const boosted = (data: TrainingData) =>
          boost(wasm.conditional(data, Math.min(dimensions - 1, 20), paperGrowth(leaves), true), 2);
        const first = boosted(seen[0]!);
        for (const own of seen.slice(1)) expect(boosted(own)).toEqual(first);
      }),
      { numRuns: 40, seed: 20261128 },
    );
  });

  it('lets as many threads train as there is room for, and no more than are wanted', () => {
    const large = sizes(784, 600_000);
    const leaves = 32;
    expect(trainingBytes(large, { leaves, threads: 32 })).toBeGreaterThan(4 * GIB);
    const { threads, bytes, bytesPerThread } = threadsThatFit(large, { leaves, threads: 32 });
    expect(threads).toBeGreaterThanOrEqual(16);
    expect(threads).toBeLessThan(32);
    expect(bytes).toBeLessThanOrEqual(4 * GIB);
    expect(bytes + bytesPerThread).toBeGreaterThan(4 * GIB);
    expect(threadsThatFit(large, { leaves, threads: 5 }).threads).toBe(5);
    expect(threadsThatFit(large, { leaves, threads: 32, bytes: 64 * GIB }).threads).toBe(32);
    const twice = threadsThatFit(large, { leaves, threads: 64, bytes: 8 * GIB });
    expect(twice.threads).toBeGreaterThanOrEqual(2 * threads);
    expect(twice.threads).toBeLessThan(64);
    expect(twice.bytes).toBeLessThanOrEqual(8 * GIB);
  });
});

describe('a table of numbers of 255 cut points', () => {
  it.each([
    [1_000_000, 20, 16],
    [1_000_000, 50, 12],
    [10_000_000, 28, 3],
    [11_000_000, 28, 2],
    [25_000, 6_000, 2],
  ])('of %i rows and %i columns is trained by %i threads at once', (rows, columns, threads) => {
    const fields = Array.from({ length: columns }, (_, column) => ({
      ...{ start: 255 * column, end: 255 * (column + 1), codes: 256, ranges: null, sets: null },
    }));
    const predictors = 255 * columns;
    const layout = { predictors, fields, stride: Math.ceil(columns / 8) * 8 };
    const part = (share: number) => ({ rows: rows * share, dimensions: predictors, layout });
    const splits = { train: part(0.9), valid: part(0.1), test: null };
    expect(threadsThatFit(splits, { leaves: 64, threads }).threads).toBe(threads);
    expect(threadsThatFit(splits, { leaves: 64, threads, rowsPerTree: 100_000 }).threads).toBe(threads);
  });
});

describe('data that fits on no thread', () => {
  const refusal = (facts: SplitSizes, options: { leaves: number; bytes?: number }): KernelError => {
    try {
      threadsThatFit(facts, { threads: 2, ...options });
    } catch (error) {
      if (error instanceof KernelError) return error;
    }
    throw new Error('It was not refused.');
  };
  const offered = (error: KernelError, what: string): number =>
    Number(new RegExp(`at most (\\d+) ${what}`).exec(error.remedy)?.[1]);

  it('is refused with what it takes and how many rows would fit', () => {
    const error = refusal(sizes(784, 20_000_000, 2_000_000), { leaves: 64 });
    expect(error).toMatchObject({ code: 'too-large', retryable: false });
    expect(error.got).toMatch(/^22000000 rows x 784 dimensions with 64 leaves and 1 thread, [\d.]+ GiB$/);
    expect(error.expected).toMatch(/^at most 4\.00 GiB \(a thread takes [\d.]+ GiB here\)$/);
    const rows = offered(error, 'rows in all splits together');
    const scaled = (share: number) => sizes(784, Math.ceil((rows * share) / 1.1), Math.ceil((rows * share) / 11));
    expect(threadsThatFit(scaled(0.999), { leaves: 64, threads: 9 }).threads).toBe(1);
    expect(() => threadsThatFit(scaled(1.001), { leaves: 64, threads: 1 })).toThrow(KernelError);
  });

  it('is offered fewer leaves where they are what takes the memory', () => {
    const facts = sizes(4000, 100_000);
    const leaves = offered(refusal(facts, { leaves: 90_000 }), 'leaves');
    expect(threadsThatFit(facts, { leaves, threads: 9 }).threads).toBe(1);
    expect(() => threadsThatFit(facts, { leaves: leaves + 1, threads: 1 })).toThrow(KernelError);
  });

  it('is offered fewer dimensions where no number of rows would fit', () => {
    const bytes = 20 * 2 ** 20;
    const dimensions = offered(refusal(sizes(262_144, 100), { leaves: 8, bytes }), 'dimensions');
    expect(threadsThatFit(sizes(dimensions, 100), { leaves: 8, threads: 9, bytes }).threads).toBe(1);
    expect(() => threadsThatFit(sizes(dimensions + 1, 100), { leaves: 8, threads: 1, bytes })).toThrow(KernelError);
  });

  it('is told how much memory to allow where the limit was set lower', () => {
    const facts = sizes(784, 600_000);
    const { remedy } = refusal(facts, { leaves: 32, bytes: 100 * 2 ** 20 });
    const mebibytes = Number(/or (\d+) MiB of memory\.$/.exec(remedy)?.[1]);
    expect(threadsThatFit(facts, { leaves: 32, threads: 9, bytes: mebibytes * 2 ** 20 }).threads).toBe(1);
    expect(refusal(facts, { leaves: 32, bytes: 1000 }).remedy).toBe(`Use ${mebibytes} MiB of memory.`);
  });

  it('or does not match, is refused as when it is arranged', () => {
    const facts = { ...sizes(3, 5), test: { rows: 0, dimensions: 3 } };
    expect(() => threadsThatFit(facts, { leaves: 2, threads: 1 })).toThrow(/test split is empty/);
    const other = { ...sizes(3, 5), valid: { rows: 1, dimensions: 4 } };
    expect(() => trainingBytes(other, { leaves: 2, threads: 1 })).toThrow(/validation split does not match/);
  });
});
