import { BitMatrix } from '@orchard/dataset';
import { RandomStream } from '@orchard/numerics';
import { expect, test } from 'vitest';
import {
  attachSorted,
  designOf,
  fitClasses,
  fitPath,
  sortRows,
  type LogisticWeights,
  type RowShares,
} from './index.js';

const stream = new RandomStream(4, 1030);
const matrix = BitMatrix.create(400, 6);
for (let row = 0; row < matrix.rows; row++)
  for (let column = 0; column < 6; column++) matrix.set(row, column, stream.uniform() < 0.5);
const sorted = attachSorted(sortRows(matrix));
const sign = (row: number, column: number): number => 2 * sorted.matrix.get(row, column) - 1;

/** Of each row a first class by its first columns, mostly, and some of the next one. */
function sharesOf(components: number): RowShares {
  const [starts, componentOf, shares] = [[0], [] as number[], [] as number[]];
  for (let row = 0; row < matrix.rows; row++) {
    const told = sorted.matrix.get(row, 0) + sorted.matrix.get(row, 2);
    const first = stream.uniform() < 0.7 ? Math.min(told, components - 1) : stream.below(components);
    const isWhole = row % 3 === 0;
    componentOf.push(first, ...(isWhole ? [] : [(first + 1) % components]));
    shares.push(...(isWhole ? [1] : [0.7, 0.3]));
    starts.push(shares.length);
  }
  return {
    components,
    starts: Uint32Array.from(starts),
    componentOf: Uint32Array.from(componentOf),
    shares: Float64Array.from(shares),
  };
}

/** Of every class the slope along its intercept, then along each weight, row by row. */
function slopesOf(classes: readonly LogisticWeights[], columns: number, { starts, componentOf, shares }: RowShares) {
  const slopes = classes.map(() => new Float64Array(columns + 1));
  for (let row = 0; row < matrix.rows; row++) {
    const scores = classes.map(({ intercept, predictors, weights }) =>
      predictors.reduce((sum, column, at) => sum + weights[at]! * sign(row, column), intercept),
    );
    const total = scores.reduce((sum, score) => sum + Math.exp(score), 0);
    const left = scores.map((score) => -Math.exp(score) / total);
    for (let at = starts[row]!; at < starts[row + 1]!; at++) left[componentOf[at]!]! += shares[at]!;
    left.forEach((pull, h) => {
      slopes[h]![0]! += pull;
      for (let column = 0; column < columns; column++) slopes[h]![column + 1]! += pull * sign(row, column);
    });
  }
  return slopes;
}

test.each([2, 3, 5])('scores of %i classes fulfil the conditions of a minimum at every λ', (components) => {
  const shares = sharesOf(components);
  const penalties = [32, 4, 1];
  const path = [...fitClasses(sorted, 5, shares, penalties, { tolerance: 1e-6 })];
  path.forEach((classes, step) => {
    const penalty = penalties[step]!;
    slopesOf(classes, 5, shares).forEach((slopes, h) => {
      const all = new Float64Array(6);
      all[0] = classes[h]!.intercept;
      classes[h]!.predictors.forEach((column, at) => (all[column + 1] = classes[h]!.weights[at]!));
      all.forEach((weight, at) => {
        const by = at === 0 ? penalty / 10 : penalty;
        if (weight === 0) expect(Math.abs(slopes[at]!)).toBeLessThanOrEqual(1.03 * by);
        else expect(Math.abs(slopes[at]! - by * Math.sign(weight))).toBeLessThanOrEqual(0.03 * by);
      });
    });
  });
  // the classes follow two of the columns
  expect(path[1]!.flatMap(({ predictors }) => [...predictors])).toEqual(expect.arrayContaining([0, 2]));
});

test('what is cancelled ends on the way', () => {
  let asked = 0;
  const path = fitClasses(sorted, 5, sharesOf(3), [32, 4], {}, () => ++asked > 4);
  expect([...path].length).toBeLessThan(2);
  expect(asked).toBe(5);
});

test('two classes that are certain are told as fitPath tells a column, which has half their penalty each', () => {
  const shares = {
    components: 2,
    starts: Uint32Array.from({ length: matrix.rows + 1 }, (_, row) => row),
    componentOf: Uint32Array.from({ length: matrix.rows }, (_, row) => sorted.matrix.get(row, 5)),
    shares: new Float64Array(matrix.rows).fill(1),
  };
  const [classes] = [...fitClasses(sorted, 5, shares, [0.5], { tolerance: 1e-7 })];
  const [single] = [...fitPath(designOf(sorted, 5), [0.5], { tolerance: 1e-7 })];
  const difference = new Float64Array(5);
  classes!.forEach(({ predictors, weights }, h) => {
    predictors.forEach((column, at) => (difference[column]! += h === 1 ? weights[at]! : -weights[at]!));
  });
  // x as ±1 of a column is one score; of two classes their difference, of which each part costs as much
  single!.predictors.forEach((column, at) => expect(difference[column]).toBeCloseTo(single!.weights[at]!, 4));
});
