import { BitMatrix } from '@orchard/dataset';
import {
  categorical,
  measured,
  ordered,
  randomCodes,
  rowsOfCodes,
  tableOfVariables,
} from '@orchard/dataset/conformance/tables';
import { describeFamily, trainedOn } from '@orchard/pipeline/conformance';
import { describe, expect, test } from 'vitest';
import { partition, PartitionBound } from './index.js';
import { everyPairing } from './pairs.suite.js';

describeFamily(partition, { experts: 4, restarts: 2, steps: 3 });
describeFamily(partition, { experts: 17, restarts: 1, steps: 2 }, { nightly: 'all' });
describeFamily(
  partition,
  { experts: 3, restarts: 2, steps: 2 },
  { rows: () => Promise.resolve(someRowsOfTable()), nightly: 'all' },
);

/** Numbers with masses of their own and missing values, labels and whole numbers. */
function someRowsOfTable(): readonly [BitMatrix, BitMatrix, BitMatrix] {
  const variables = [measured('m', 6, 2, 3), categorical('c', 3), ordered('o', 5, 'mass')];
  const table = tableOfVariables(variables);
  const rowsOf = (rows: number, seed: number): BitMatrix => {
    const columns = randomCodes(variables, rows, seed);
    const codes = Array.from({ length: rows }, (_, row) => columns.map((column) => column[row]!));
    return rowsOfCodes({ table }, codes);
  };
  return [rowsOf(60, 1), rowsOf(20, 2), rowsOf(20, 3)];
}

/** Images of 2 x 4 pixels, each half black, white, or anything. */
function images(): BitMatrix {
  const rows = Array.from({ length: 60 }, (_, row) => {
    const half = (state: number): string => ['0000', '1111', '0110', '1001'][state % 4]!;
    return half(row) + half(Math.floor(row / 4));
  });
  return BitMatrix.fromRows(rows, { shape: [2, 4] });
}

describe('a run', () => {
  test('of a table ends in its step that the validation rows like best, and reports what experts say', async () => {
    const { store, run, model, summary } = await trainedOn(someRowsOfTable(), partition, { experts: 3, steps: 3 });
    const { chosen } = summary as unknown as { chosen: { valid: number; step: number } };
    expect(model.likelihoods.valid).toBeCloseTo(chosen.valid, 9);
    expect(model.family).toBe('table-partition');
    const report = await partition.report(store, run, {});
    expect(report).toMatch(/m: -?\d+ ± \d/);
    expect(report).toMatch(/c: (c\d|missing or another) \(its part/);
  });

  test('of a table refuses more experts than can be summed over even one by one', async () => {
    const variables = Array.from({ length: 15 }, (_, index) => ordered(`o${String(index)}`, 250, 'density'));
    const facts = { id: '0'.repeat(64), rows: 5, dimensions: 120, names: null, shape: null };
    const table = tableOfVariables(variables);
    const train = { ...facts, table } as unknown as Parameters<typeof partition.resolve>[1]['train'];
    const resolve = (experts: number) => () => partition.resolve({ experts }, { train, valid: train, test: null });
    expect(resolve(559)).not.toThrow();
    expect(resolve(560)).toThrow(
      expect.objectContaining({ code: 'bad-request', expected: 'at most 559 experts of so many' }) as Error,
    );
  });

  test('on the five pairs of figure 4.1 finds experts that compose every row, and few others', async () => {
    const pairs = everyPairing();
    const words = { experts: 10, restarts: 2, steps: 14, factor: 4 };
    const { model } = await trainedOn([pairs, pairs], partition, words);
    const drawn = model.sample(1000, 1);
    let right = 0;
    for (let row = 0; row < 1000; row++)
      if ([0, 2, 4, 6, 8].every((dim) => drawn.get(row, dim) !== drawn.get(row, dim + 1))) right++;
    // all rows alike: 31 are right, and the 32 have -3.466 where nothing else is ever drawn
    expect(right).toBeGreaterThan(300);
    expect(model.likelihoods.valid).toBeGreaterThan(-4.5);
  });

  test('of images shows each expert and its area as images, of other columns as a table', async () => {
    for (const [matrix, shown] of [
      [images(), /aria-label="A template"[^]*aria-label="Its area"/],
      [everyPairing(), /Of each expert how often it takes part, and the 10 columns/],
    ] as const) {
      const { run, store } = await trainedOn([matrix, matrix], partition, { experts: 3, restarts: 2, steps: 3 });
      const report = await partition.report(store, run, {});
      expect(report).toMatch(shown);
      expect(report).toContain('The validation rows chose among 6 steps');
      expect(report.match(/\(chosen\)/g)).toHaveLength(1);
      expect(report).not.toContain('lower bound');
    }
  });

  test('of more experts than can be asked exactly tells a bound, and says so', async () => {
    const rows = images();
    const words = { experts: 17, restarts: 1, steps: 3 };
    const { run, model, summary, store } = await trainedOn([rows, rows, rows], partition, words);
    expect(model).toBeInstanceOf(PartitionBound);
    expect(summary).toMatchObject({ likelihoodIs: 'lower bound' });
    const report = await partition.report(store, run, {});
    expect(report).toMatch(/A test row has a log-likelihood of at least −[\d.]+ nats \(a lower bound\)/);
    expect(report).toContain('nats per row, at least (a lower bound)');
  });

  const facts = { id: '0'.repeat(64), rows: 5, dimensions: 3, names: null, shape: null };
  const resolve = (said: object) => partition.resolve({ ...said }, { train: facts, valid: facts, test: null });

  test('says what is usual, and is another run where something else is said', () => {
    const usual = { experts: 8, pseudoCount: 1, factor: 2, restarts: 4, steps: 15, seed: 0 };
    expect(resolve({}).specification).toMatchObject(usual);
    expect(resolve(usual).runId).toBe(resolve({}).runId);
    expect(resolve({ factor: 4 }).runId).not.toBe(resolve({}).runId);
  });

  test.each([
    { experts: 0 },
    { experts: 1001 },
    { pseudoCount: 0 },
    { factor: 1 },
    { restarts: 0 },
    { steps: 1.5 },
    { leaves: 3 },
  ])('refuses %o', (said) => {
    expect(partition.words.safeParse(said).success).toBe(false);
  });
});
