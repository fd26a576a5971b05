import { BitMatrix } from '@orchard/dataset';
import { RandomStream } from '@orchard/numerics';
import { expect, test } from 'vitest';
import { attachSorted, designOf, fitMixedPath, fitPath, keepPredictors, mixedDesignOf, sortRows } from './index.js';

const stream = new RandomStream(8, 1030);
const matrix = BitMatrix.create(500, 7);
for (let row = 0; row < matrix.rows; row++)
  for (let column = 0; column < 7; column++) {
    const told = column < 2 ? 0 : matrix.get(row, column - 2) + matrix.get(row, 0) - 1;
    matrix.set(row, column, stream.uniform() < 0.45 + 0.25 * told);
  }
const sorted = (rows: BitMatrix) => attachSorted(sortRows(rows));
const kept = Uint32Array.of(0, 2, 4);
const byHand = matrix.selectColumns([0, 2, 4, 6]);

test('a target told by some of its predictors has the weights that it has where there are no others', () => {
  const penalties = [8, 1];
  const found = [...fitPath(keepPredictors(designOf(sorted(matrix), 6), kept), penalties, { tolerance: 1e-7 })];
  const wanted = [...fitPath(designOf(sorted(byHand), 3), penalties, { tolerance: 1e-7 })];
  found.forEach(({ intercept, predictors, weights }, at) => {
    expect([...predictors]).toEqual([...wanted[at]!.predictors]);
    expect(intercept).toBeCloseTo(wanted[at]!.intercept, 6);
    weights.forEach((weight, place) => expect(weight).toBeCloseTo(wanted[at]!.weights[place]!, 6));
  });
  expect(found[1]!.predictors.length).toBeGreaterThan(1);
});

test('so has one of several components', () => {
  // halves that no order of rows changes: by the second column, which is none of those that are kept
  const halves = (rows: BitMatrix, isFirst: (row: number) => boolean) => ({
    components: 2,
    starts: Uint32Array.from({ length: rows.rows + 1 }, (_, row) => row),
    componentOf: Uint32Array.from({ length: rows.rows }, (_, row) => (isFirst(row) ? 0 : 1)),
    shares: new Float64Array(rows.rows).fill(1),
  });
  const whole = sorted(matrix);
  const shares = halves(whole.matrix, (row) => whole.matrix.get(row, 1) === 1);
  const design = keepPredictors(mixedDesignOf(whole, 6, shares), kept);
  const [found] = [...fitMixedPath(design, [2], 'untied', { tolerance: 1e-7 })];
  for (const [component, value] of [
    [0, 1],
    [1, 0],
  ] as const) {
    const own = matrix.selectRows([...Array(500).keys()].filter((row) => matrix.get(row, 1) === value));
    const [wanted] = [...fitPath(designOf(sorted(own.selectColumns([0, 2, 4, 6])), 3), [2], { tolerance: 1e-7 })];
    expect(found!.intercepts[component]).toBeCloseTo(wanted!.intercept, 6);
    const places = [...found!.own.components.keys()].filter((at) => found!.own.components[at] === component);
    expect(places.map((at) => found!.own.predictors[at])).toEqual([...wanted!.predictors]);
    places.forEach((at, place) => expect(found!.own.weights[at]).toBeCloseTo(wanted!.weights[place]!, 6));
  }
});
