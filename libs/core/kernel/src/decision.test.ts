import type { BitMatrix } from '@orchard/dataset';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { decisionOf, KernelError, labelsOf, loadKernel, predictorsOf, TrainingData, trainingCounts } from './index.js';
import type { Decision, Kernel, Target } from './index.js';
import { boost, expectSameRounds, follow, oneHotMatrix, paperGrowth, randomMatrix, sampler } from './kernel.suite.js';
import { randomDecision, randomTable, REACHES, someRows, type Packing } from './random-table.suite.js';

const rowsOf = (matrix: BitMatrix, from: number, count: number) =>
  count === 0 ? null : matrix.selectRows(Array.from({ length: count }, (_, row) => from + row));

describe.each(['reference', 'wasm'] as const)('a decision in the %s kernel', (kind) => {
  let kernel: Kernel;
  beforeAll(async () => {
    kernel = await loadKernel(kind);
  });

  const matrix = randomMatrix(5, 160, 19);
  const arrange = (train = rowsOf(matrix, 0, 100)!) =>
    TrainingData.arrange(
      { train, valid: rowsOf(matrix, 100, 40), test: rowsOf(matrix, 140, 20) },
      { threads: 1, leaves: 8 },
    );
  const run = (data: TrainingData, target: number | Decision) =>
    boost(kernel.conditional(data, target, paperGrowth(8), true), 18);
  const columnOf = (data: TrainingData, position: number, reaches = (row: number) => row >= 0) =>
    Uint8Array.from({ length: data.rowCount }, (_, row) => (reaches(row) ? data.bit(row, position) : 2));

  it('with the labels of a column is that column’s conditional', () => {
    const data = arrange();
    for (const position of [0, 1, 9, 18])
      expectSameRounds(run(data, decisionOf(position, columnOf(data, position))), run(data, position));
  });

  it('trains as if the rows that do not reach it were not there', () => {
    const data = arrange();
    // by columns that are no predictors: of rows that agree in those some reach it and some do not
    const reaches = (bit: (position: number) => number) => bit(14) === 1 || bit(15) === 1 || bit(17) === 0;
    const all = Array.from({ length: 100 }, (_, row) => row);
    const reaching = matrix.selectRows(all.filter((row) => reaches((position) => matrix.get(row, position))));
    // the grid is that of the whole of the data: here the same as of those rows
    expect(reaching.rows).toBeGreaterThan(64);
    expect(reaching.rows).toBeLessThan(100);
    const labels = columnOf(data, 18, (row) => data.splitOf(row) > 0 || reaches((position) => data.bit(row, position)));
    const alone = arrange(reaching);
    for (const predictors of [4, 14])
      expectSameRounds(
        run(data, decisionOf(predictors, labels)),
        run(alone, decisionOf(predictors, columnOf(alone, 18))),
      );
  });

  it('may look at all columns, or at none', () => {
    const data = arrange();
    const labels = columnOf(data, 18);
    expect(Array.from(run(data, decisionOf(19, labels))[0]!.tree.splitPredictor)).toEqual([18]);
    expect(run(data, decisionOf(0, labels))[0]!.tree.splitLeaf.length).toBe(0);
  });

  it('that no row reaches has one leaf without weight, and no likelihood', () => {
    const data = arrange();
    const [round] = run(
      data,
      decisionOf(
        18,
        columnOf(data, 18, () => false),
      ),
    );
    expect([Array.from(round!.tree.residual), Array.from(round!.tree.weight)]).toEqual([[0], [0]]);
    expect(Array.from(round!.values)).toEqual([0]);
    expect(Object.values(round!.likelihoods).map((value) => value === 0)).toEqual([true, true, true]);
  });

  it('that held-out rows alone reach judges them by the odds it starts with', () => {
    const data = arrange();
    const rounds = run(
      data,
      decisionOf(
        18,
        columnOf(data, 18, (row) => data.splitOf(row) !== 0),
      ),
    );
    for (const { tree, likelihoods } of rounds) {
      expect(tree.splitLeaf.length).toBe(0);
      expect(likelihoods.train).toBeCloseTo(0, 15);
      expect(likelihoods.valid).toBeCloseTo(-40 * Math.LN2, 12);
      expect(likelihoods.test).toBeCloseTo(-20 * Math.LN2, 12);
    }
  });

  it('is refused where it does not fit the data', () => {
    const data = arrange();
    const { rows, labels } = decisionOf(0, columnOf(data, 18));
    const attempt = (decision: Decision) => () => kernel.conditional(data, decision, paperGrowth(8), true);
    for (const predictors of [-1, 20, 1.5, NaN])
      expect(attempt({ predictors, rows, labels })).toThrow(/got .* predictors, expected a whole number from 0 to 19/);
    expect(attempt({ predictors: 5, rows, labels: labels.subarray(1) })).toThrow(/got 159 labels, expected 160/);
    for (const [own, message] of [
      [rows.with(7, 6), /got row 6 after 6, expected rising rows, all below 160/],
      [rows.with(159, 160), /got row 160 after 158/],
    ] as const)
      expect(attempt({ predictors: 5, rows: own, labels })).toThrow(message);
    expect(attempt({ predictors: 5, rows, labels: labels.with(7, 3) })).toThrow(
      /got 3 for sorted row 7, expected 0 or 1/,
    );
    expect(attempt({ predictors: 5, rows, labels: labels.with(7, 3) })).toThrow(KernelError);
  });

  it('starts from the odds of each row, of any target', async () => {
    const data = arrange();
    // of rows that agree in the predictors the same
    const startOdds = (row: number) => (data.bit(row, 2) === 1 ? 4 : 0.25);
    const labels = columnOf(data, 18, (row) => data.bit(row, 1) === 0);
    for (const own of [labels, labels.map((label) => Math.min(label, 0))]) {
      const conditional = kernel.conditional(data, { ...decisionOf(9, own), startOdds }, paperGrowth(8), true);
      let train = 0;
      for (let row = 0; row < data.rowCount; row++)
        if (own[row]! < 2 && data.splitOf(row) === 0) train -= Math.log(1 + startOdds(row) ** (1 - 2 * own[row]!));
      expect(conditional.logLikelihoods().train).toBeCloseTo(train, 10);
      const other = (await loadKernel('reference')).conditional(
        data,
        { ...decisionOf(9, own), startOdds },
        paperGrowth(8),
        true,
      );
      expectSameRounds(boost(conditional, 18), boost(other, 18));
    }
  });

  it('counts the training rows that reach it, validation rows too once they are pooled', () => {
    const data = arrange();
    const labels = columnOf(data, 18, (row) => row % 4 > 0);
    const decision = decisionOf(18, labels);
    expect(labelsOf(data, decision)).toEqual(labels);
    const count = (splits: number[], label: (value: number) => boolean) =>
      labels.filter((value, row) => splits.includes(data.splitOf(row)) && label(value)).length;
    for (const [view, splits] of [
      [data, [0]],
      [data.pooled(), [0, 1]],
    ] as const) {
      const rows = count([...splits], (label) => label < 2);
      expect(trainingCounts(view, decision)).toEqual({ rows, ones: count([...splits], (label) => label === 1) });
    }
    expect(trainingCounts(data, 3)).toEqual({ rows: 100, ones: data.trainingOnes(3) });
  });
});

describe.each(['bits', 'single', 'bundled'] as const)('decisions of random rows (%s)', (rowsAre) => {
  it('are the same bit for bit in both kernels', async () => {
    const wasm = await loadKernel('wasm');
    const reference = await loadKernel('reference');
    fc.assert(
      fc.property(
        fc.record({
          seed: fc.nat(1e6),
          variables: fc.integer({ min: 1, max: 9 }),
          rows: fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 300 })),
          distinctShare: fc.constantFrom(0.02, 0.3, 1, 1),
          valid: fc.integer({ min: 0, max: 90 }),
          // without test rows a refit puts off what is not asked for
          test: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 60 })),
          leaves: fc.constantFrom(1, 2, 8, 40),
          l2: fc.constantFrom(0, 0.3),
          minLeafWeight: fc.constantFrom(0, 0.1, 2),
          maxLeafValue: fc.constantFrom(Infinity, 2),
          startOdds: fc.constantFrom(1, 0.3),
          restricted: fc.boolean(),
          gradients: fc.constantFrom('newton' as const, 'newton' as const, 'first' as const),
          // decisions that few rows reach bundle nothing
          reaches: fc
            .shuffledSubarray([...REACHES], { minLength: 2, maxLength: 3 })
            .map((some) => ['all' as const, ...some]),
          rounds: fc.constantFrom(3, 3, 3, 18),
          sampled: fc.constantFrom(undefined, undefined, 1, 5, 130),
        }),
        (c) => {
          const data = randomData(c, rowsAre);
          const predictors = data.dimensions;
          const { leaves, minLeafWeight, l2, startOdds, gradients } = c;
          const growth = { leaves, minLeafWeight, l2, startOdds, gradients };
          const values = { shrinkage: 0.3, l2: c.l2, maxLeafValue: c.maxLeafValue };
          const targets: Target[] = c.reaches.map((reach, index) =>
            randomDecision(data, c.seed + index, (c.seed * (index + 1)) % (predictors + 1), reach),
          );
          // one after the other in the same workspace: nothing of a conditional may reach the next
          for (const target of [...targets, c.seed % predictors]) {
            const seen = predictorsOf(target);
            const allowed = c.restricted
              ? (round: number) => Uint8Array.from({ length: seen }, (_, at) => (at * (1 + (at >> 3)) + round) % 2)
              : undefined;
            const rows = c.sampled === undefined ? undefined : sampler(data, target, c.sampled);
            const run = (kernel: Kernel) =>
              boost(kernel.conditional(data, target, growth, true), c.rounds, values, allowed, rows);
            const fast = run(wasm);
            expectSameRounds(fast, run(reference));
            // resumed: the trees are followed
            const again = (kernel: Kernel, of: TrainingData) =>
              follow(kernel.conditional(of, target, paperGrowth(64), false), fast, values);
            const replayed = again(wasm, data);
            expectSameRounds(replayed, again(reference, data));
            if (c.startOdds === 1 && rows === undefined)
              expect(replayed.map(({ tree }) => tree)).toEqual(fast.map(({ tree }) => tree));
            expectSameRounds(again(wasm, data.pooled()), again(reference, data.pooled()));
          }
        },
      ),
      { numRuns: Number(process.env['ORCHARD_PROPERTY_RUNS'] ?? 60), seed: 20261127 },
    );
  });
});

interface RandomRows {
  readonly seed: number;
  readonly variables: number;
  readonly rows: number;
  readonly distinctShare: number;
  readonly valid: number;
  readonly test: number;
  readonly sampled?: number | undefined;
}

function randomData(c: RandomRows, rowsAre: 'bits' | Packing): TrainingData {
  const { rows, valid, test } = c;
  const count = rows + valid + test;
  const distinct = Math.ceil(rows * c.distinctShare);
  const options = { threads: 1, leaves: 64, rowsPerTree: c.sampled };
  if (rowsAre === 'bits') {
    const all =
      c.seed % 2 === 0
        ? randomMatrix(c.seed, count, 8 * c.variables, distinct)
        : oneHotMatrix(c.seed, count, 8 * c.variables);
    const part = (from: number, length: number) => rowsOf(all, from, length);
    return TrainingData.arrange(
      { train: part(0, rows)!, valid: part(rows, valid), test: part(rows + valid, test) },
      options,
    );
  }
  const all = randomTable(c.seed, count, c.variables, rowsAre, distinct);
  const part = (from: number, length: number) => someRows(all, from, length);
  return TrainingData.arrange(
    { train: part(0, rows)!, valid: part(rows, valid), test: part(rows + valid, test) },
    options,
  );
}
