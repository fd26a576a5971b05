import type { Field, FieldRows } from '@orchard/dataset';
import { RandomStream } from '@orchard/numerics';
import { describe, expect, it } from 'vitest';
import { decisionOf, loadKernel, TrainingData } from './index.js';
import { boost, expectSameRounds, paperGrowth } from './kernel.suite.js';

/** One variable of ten codes: a cut point below each code but the first, then a predictor for each of the last five. */
const cuts = Array.from({ length: 9 }, (_, cut) => [cut + 1, 10]);
const singles = [5, 6, 7, 8, 9].map((code) => [code, code + 1]);
const PREDICTORS = cuts.length + singles.length;
const field: Field = {
  ...{ start: 0, end: PREDICTORS, codes: 10, sets: null },
  ranges: Uint16Array.from([...cuts, ...singles].flat()),
};

function rowsOf(codes: readonly number[]): FieldRows {
  const bytes = new Uint8Array(codes.length * 8);
  codes.forEach((code, row) => (bytes[row * 8] = code));
  const layout = { predictors: PREDICTORS, fields: [field], stride: 8 };
  return { rows: codes.length, dimensions: PREDICTORS, layout, bytes };
}

describe.each(['reference', 'wasm'] as const)('predictors that no row tells apart, in the %s kernel', (kind) => {
  const firstSplit = async (codes: readonly number[], allowed?: (predictor: number) => boolean) => {
    const kernel = await loadKernel(kind);
    const data = TrainingData.arrange({ train: rowsOf(codes), valid: null, test: null }, { threads: 1, leaves: 2 });
    const labels = Uint8Array.from({ length: codes.length }, (_, row) => data.bit(row, 4));
    const decision = decisionOf(PREDICTORS, labels);
    const may = allowed && Uint8Array.from({ length: PREDICTORS }, (_, predictor) => (allowed(predictor) ? 1 : 0));
    return kernel.conditional(data, decision, paperGrowth(2), true).grow(may).splitPredictor[0];
  };

  it('are one split, that of the earliest', async () => {
    expect(await firstSplit([2, 2, 2, 9, 9])).toBe(2);
  });

  it('are that of the earliest that is allowed', async () => {
    expect(await firstSplit([2, 2, 2, 9, 9], (predictor) => predictor > 5)).toBe(6);
  });

  it('are not those between a cut point and a value that it splits off alone, which split nothing', async () => {
    expect(await firstSplit([2, 2, 2, 9, 9], (predictor) => predictor >= cuts.length)).toBe(PREDICTORS - 1);
  });
});

/** Cut points alone: every row of a table of variables of so many codes, each twice. */
function everyRow(sizes: readonly number[]): FieldRows {
  const rows = 2 * sizes.reduce((product, size) => product * size, 1);
  const fields: Field[] = [];
  for (const codes of sizes) {
    const start = fields.at(-1)?.end ?? 0;
    const ranges = Uint16Array.from(Array.from({ length: codes - 1 }, (_, cut) => [cut + 1, codes]).flat());
    fields.push({ start, end: start + codes - 1, codes, ranges, sets: null });
  }
  const bytes = new Uint8Array(rows * 8);
  for (let row = 0; row < rows; row++) {
    let rest = row;
    sizes.forEach((size, field) => {
      bytes[row * 8 + field] = rest % size;
      rest = Math.floor(rest / size);
    });
  }
  const predictors = fields.at(-1)!.end;
  return { rows, dimensions: predictors, layout: { predictors, fields, stride: 8 }, bytes };
}

it.each([[[256]], [[16, 16]], [[36, 7]], [[3, 2, 8, 5]], [[2, 2, 2, 2, 2, 2, 2]]])(
  'variables of %j codes, which a byte has room for, are summed and split as the reference does it',
  async (sizes) => {
    const train = everyRow(sizes);
    const data = TrainingData.arrange({ train, valid: null, test: null }, { threads: 1, leaves: 4 });
    const stream = new RandomStream(7, 1);
    const labels = Uint8Array.from({ length: train.rows }, () => stream.below(2));
    const [fast, plain] = await Promise.all(
      (['wasm', 'reference'] as const).map(async (kind) => {
        const kernel = await loadKernel(kind);
        return boost(kernel.conditional(data, decisionOf(train.dimensions, labels), paperGrowth(4), true), 12);
      }),
    );
    expectSameRounds(fast!, plain!);
  },
);

it('1,100 numbers of 255 cut points, 280,500 predictors, are split as the reference does it', async () => {
  const [columns, rows] = [1100, 24];
  const stream = new RandomStream(11, 1);
  const ranges = Uint16Array.from(Array.from({ length: 255 }, (_, cut) => [cut + 1, 256]).flat());
  const fields = Array.from({ length: columns }, (_, column): Field => ({
    ...{ start: 255 * column, end: 255 * (column + 1), codes: 256, ranges, sets: null },
  }));
  const stride = Math.ceil(columns / 8) * 8;
  const bytes = Uint8Array.from({ length: rows * stride }, () => stream.below(256));
  const layout = { predictors: 255 * columns, fields, stride };
  const train: FieldRows = { rows, dimensions: layout.predictors, layout, bytes };
  const data = TrainingData.arrange({ train, valid: null, test: null }, { threads: 1, leaves: 3 });
  const labels = Uint8Array.from({ length: rows }, (_, row) => data.bit(row, 255 * 1099 + 127));
  const [fast, plain] = await Promise.all(
    (['wasm', 'reference'] as const).map(async (kind) => {
      const kernel = await loadKernel(kind);
      return boost(kernel.conditional(data, decisionOf(layout.predictors, labels), paperGrowth(3), true), 2);
    }),
  );
  expectSameRounds(fast!, plain!);
  // an earlier column separates these labels only by chance, once in millions
  expect(fast![0]!.tree.splitPredictor[0]).toBeGreaterThanOrEqual(255 * 1099);
});
