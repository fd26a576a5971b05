import { BitMatrix, readDataset } from '@orchard/dataset';
import { RandomStream } from '@orchard/numerics';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { attachSorted, designOf, fitPath, lossOf, sortRows, type Design, type LogisticWeights } from './index.js';

/**
 * Rows of which each column leans on two before it; the first is rare, the second usual, the third always 0, the fourth
 * doubles the second.
 */
function leaning(rows: number, columns: number, seed = 1): BitMatrix {
  const stream = new RandomStream(seed, 1030);
  const matrix = BitMatrix.create(rows, columns);
  for (let row = 0; row < rows; row++)
    for (let column = 0; column < columns; column++) {
      const told = column < 4 ? 0 : matrix.get(row, column - 4) - matrix.get(row, column - 3);
      const rate = column === 0 ? 0.04 : column === 1 ? 0.9 : 0.5 + 0.4 * told;
      const isOne = column === 2 ? false : column === 3 ? matrix.get(row, 1) === 1 : stream.uniform() < rate;
      matrix.set(row, column, isOne);
    }
  return matrix;
}

const sorted = (matrix: BitMatrix) => attachSorted(sortRows(matrix));

/** The loss and its slopes as they are written, row after row: nothing is grouped, sorted or listed. */
function plainly(matrix: BitMatrix, target: number, { intercept, predictors, weights }: LogisticWeights) {
  const slopes = new Float64Array(target);
  let loss = 0;
  let slope = 0;
  const sign = (row: number, column: number): number => 2 * matrix.get(row, column) - 1;
  for (let row = 0; row < matrix.rows; row++) {
    let odds = intercept;
    predictors.forEach((column, at) => (odds += weights[at]! * sign(row, column)));
    const y = sign(row, target);
    loss += Math.log1p(Math.exp(-y * odds));
    const pull = y / (1 + Math.exp(y * odds));
    slope += pull;
    for (let column = 0; column < target; column++) slopes[column]! += pull * sign(row, column);
  }
  return { loss, slope, slopes };
}

function costOf(design: Design, fitted: LogisticWeights, penalty: number): number {
  const size = fitted.weights.reduce((sum, weight) => sum + Math.abs(weight), 0);
  return lossOf(design, fitted) + penalty * (size + Math.abs(fitted.intercept) / 10);
}

function expectMinimum(matrix: BitMatrix, target: number, fitted: LogisticWeights, penalty: number, tolerance: number) {
  const { slope, slopes } = plainly(matrix, target, fitted);
  const all = new Float64Array(target);
  fitted.predictors.forEach((column, at) => (all[column] = fitted.weights[at]!));
  const isMinimal = (weight: number, own: number, by: number): void => {
    if (weight === 0) expect(Math.abs(own)).toBeLessThanOrEqual(by * (1 + tolerance) + 1e-9);
    else expect(Math.abs(own - by * Math.sign(weight))).toBeLessThanOrEqual(by * tolerance + 1e-9);
  };
  isMinimal(fitted.intercept, slope, penalty / 10);
  all.forEach((weight, column) => {
    isMinimal(weight, slopes[column]!, penalty);
  });
}

describe('a path', () => {
  const matrix = leaning(700, 14);
  const penalties = [200, 64, 16, 4, 1, 0.25];

  test.each([0, 1, 2, 3, 4, 9, 13])('of column %i fulfils the conditions of a minimum at every λ', (target) => {
    const steps = [...fitPath(designOf(sorted(matrix), target), penalties)];
    steps.forEach((fitted, at) => {
      expectMinimum(matrix, target, fitted, penalties[at]!, 0.01);
    });
    expect(steps).toHaveLength(penalties.length);
    // nothing is as steep as the first λ but where a column is another's double
    expect(steps[0]!.predictors.length).toBeLessThanOrEqual(1);
    if (target > 4) expect(steps.at(-1)!.predictors.length).toBeGreaterThan(4);
  });

  test('ends where that of a λ alone does, and nearer the minimum with less tolerance', () => {
    const design = designOf(sorted(matrix), 13);
    const cost = (penalties: number[], tolerance: number): number => {
      const fitted = [...fitPath(design, penalties, { tolerance })].at(-1)!;
      return costOf(design, fitted, 0.25);
    };
    const least = cost([0.25], 1e-6);
    expect(cost(penalties, 1e-6)).toBeCloseTo(least, 8);
    expect(cost(penalties, 0.3)).toBeGreaterThan(least);
    expect(cost(penalties, 0.3)).toBeLessThan(least + 0.1);
  });

  test('knows rows that are there several times, and gives the same bits in any order of rows', () => {
    const order = Array.from({ length: 700 }, (_, row) => (row * 27) % 700);
    const [a, b] = [matrix, matrix.selectRows(order)].map((one) => [...fitPath(designOf(sorted(one), 13), [16, 4])]);
    expect(a).toEqual(b);
    const twice = matrix.selectRows(order.concat(order));
    const [doubled] = [...fitPath(designOf(sorted(twice), 13), [8], { tolerance: 1e-6 })];
    const [single] = [...fitPath(designOf(sorted(matrix), 13), [4], { tolerance: 1e-6 })];
    expect(doubled!.predictors).toEqual(single!.predictors);
    doubled!.weights.forEach((weight, at) => expect(weight).toBeCloseTo(single!.weights[at]!, 5));
  });

  /**
   * scikit-learn 1.9.1: LogisticRegression(solver='liblinear', penalty='l1', C=1/λ, intercept_scaling=10, tol=1e-8) of
   * x as ±1.
   */
  test.each([
    [90, 11.3, 651.1838903573, 33],
    [179, 11.3, 517.1915075737, 66],
    [179, 4, 424.9014826214, 118],
  ])('of column %i of dna is what liblinear finds at λ = %d', async (target, penalty, known, weights) => {
    const file = fileURLToPath(new URL('../../../../test/data/dna/train.data.gz', import.meta.url));
    const design = designOf(sorted(await readDataset(file)), target);
    const [rough] = [...fitPath(design, [penalty])];
    expect(costOf(design, rough!, penalty) / known - 1).toBeLessThan(1e-6);
    const [exact] = [...fitPath(design, [penalty], { tolerance: 1e-5 })];
    expect(costOf(design, exact!, penalty)).toBeCloseTo(known, 8);
    expect(exact!.weights).toHaveLength(weights);
  });
});

describe('a design', () => {
  test('says of rows what the rows say, whichever value of a predictor is listed', () => {
    const matrix = leaning(300, 9, 5);
    for (const target of [0, 1, 5, 8]) {
      const design = designOf(sorted(matrix), target);
      const weights = Float64Array.from({ length: target }, (_, at) => ((at * 7) % 5) / 4 - 0.4);
      const fitted = { intercept: 0.3, predictors: Uint32Array.from(weights.keys()), weights };
      expect(design.trials.reduce((sum, rows) => sum + rows, 0)).toBe(300);
      expect(lossOf(design, fitted)).toBeCloseTo(plainly(matrix, target, fitted).loss, 8);
      for (let column = 0; column < target; column++) {
        const size = design.starts[column + 1]! - design.starts[column]!;
        expect(2 * size).toBeLessThanOrEqual(design.trials.length);
      }
    }
    expect(designOf(sorted(matrix), 0).trials).toEqual(Float64Array.of(300));
  });

  test('groups rows of equal predictors, across bytes', () => {
    const rows = ['0'.repeat(8) + '10', '0'.repeat(8) + '11', '0'.repeat(7) + '100', '0'.repeat(8) + '00'];
    const design = designOf(sorted(BitMatrix.fromRows(rows)), 9);
    expect([...design.trials]).toEqual([1, 2, 1]);
    expect([...design.ones]).toEqual([0, 1, 0]);
  });
});
