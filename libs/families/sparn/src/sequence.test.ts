import { BitMatrix } from '@orchard/dataset';
import { RandomStream } from '@orchard/numerics';
import { Families } from '@orchard/pipeline';
import { describeFamily, trainedOn } from '@orchard/pipeline/conformance';
import { describe, expect, test } from 'vitest';
import type { SparnSequence } from '@orchard/sparse-network';
import { sparn } from './index.js';

const D = 6;

/** Rows whose first columns tell of which kind the others are: like the one before them, or unlike it. */
function rowsOf(rows: number, seed: number): BitMatrix {
  const stream = new RandomStream(seed, 1030);
  const matrix = BitMatrix.create(rows, D);
  for (let row = 0; row < rows; row++)
    for (let column = 0; column < D; column++) {
      const isOther = matrix.get(row, 0) === 1;
      const before = column === 0 ? false : matrix.get(row, column - 1) === 1;
      const isLike = stream.uniform() < 0.9;
      matrix.set(row, column, column < 2 ? stream.uniform() < 0.5 : (before === isLike) !== isOther);
    }
  return matrix;
}

interface Told {
  readonly intervals: readonly {
    readonly first: number;
    readonly end: number;
    readonly chosen: number;
    readonly tried: readonly { readonly components: number; readonly valid: number }[];
    readonly gate: { readonly weights: number } | null;
  }[];
}

describeFamily(
  sparn,
  { penalty: '4,1', components: '2,3', intervals: 2, steps: 2 },
  { skip: [{ test: 'few', reason: 'there are no more intervals than columns' }], nightly: 'half' },
);

test('a run of intervals tells components by the columns before', async () => {
  const splits = [rowsOf(500, 1), rowsOf(250, 2), rowsOf(250, 3)] as const;
  const words = { penalty: '4,1', components: '2,3', tying: 'untied', intervals: 2, steps: 2 };
  const { network, model, run, store, summary } = await trainedOn(splits, sparn, words);
  const { intervals } = (summary as unknown as { sequence: Told }).sequence;
  expect(intervals.map(({ first, end }) => [first, end])).toEqual([
    [0, 3],
    [3, 6],
  ]);
  expect(intervals.map(({ gate }) => gate === null)).toEqual([true, false]);
  for (const { tried, chosen } of intervals) {
    expect(new Set(tried.map(({ components }) => components))).toEqual(new Set([2, 3]));
    expect(tried[chosen]!.valid).toBe(Math.max(...tried.map(({ valid }) => valid)));
  }
  // steps were judged interval by interval: the model says the same of whole rows
  const sum = intervals.reduce((total, { tried, chosen }) => total + tried[chosen]!.valid, 0);
  expect(model.likelihoods.valid).toBeCloseTo(sum, 9);
  const read = new Families([sparn]).openModel(network) as SparnSequence;
  expect(read.likelihoods).toEqual(model.likelihoods);
  const all = BitMatrix.fromRows(Array.from({ length: 2 ** D }, (_, row) => row.toString(2).padStart(D, '0')));
  const total = read.logLikelihood(all).reduce((known, nats) => known + Math.exp(nats), 0);
  expect(Math.abs(total - 1)).toBeLessThan(1e-9);

  // the kind is in the first column: what tells components of the second interval looks at it
  expect(read.intervals[1]!.gate.scores.predictors).toContain(0);
  const truth = 2 * Math.LN2 - 4 * (0.9 * Math.log(0.9) + 0.1 * Math.log(0.1));
  expect(model.likelihoods.test).toBeGreaterThan(-truth - 0.25);

  const report = await sparn.report(store, run, {});
  expect(report).toContain('The intervals');
  expect(report.match(/\(chosen\)/g)).toHaveLength(2);
});

describe('intervals', () => {
  const facts = { id: '0'.repeat(64), rows: 5, dimensions: 6, names: null, shape: null };
  const resolve = (words: object) => sparn.resolve({ ...words }, { train: facts, valid: facts, test: null });

  test('are another run, and one that says nothing of them is what it was', () => {
    expect(resolve({ components: 2, intervals: 3 }).specification).toMatchObject({ intervals: 3, steps: 5 });
    expect(resolve({ components: 2 }).specification).not.toHaveProperty('intervals');
    expect(resolve({ components: 2, intervals: 3 }).runId).not.toBe(resolve({ components: 2, intervals: 2 }).runId);
  });

  test.each([{}, { components: '1,2' }, { components: 2, intervals: 7 }])('are refused with %o', (words) => {
    expect(() => resolve({ intervals: 2, ...words })).toThrow(/Say how many components, without 1/);
  });

  test.each([1, 65, 2.5])('are not %d', (intervals) => {
    expect(sparn.words.safeParse({ components: 2, intervals }).success).toBe(false);
  });
});
