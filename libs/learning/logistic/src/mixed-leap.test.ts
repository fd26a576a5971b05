import { BitMatrix } from '@orchard/dataset';
import { RandomStream } from '@orchard/numerics';
import { expect, test } from 'vitest';
import { attachSorted, fitMixedPath, mixedDesignOf, sortRows } from './index.js';
import { leapOf } from './mixed-leap.js';

const components = 5;
const rows = 600;
const stream = new RandomStream(7, 1030);
const matrix = BitMatrix.create(rows, 12);
for (let row = 0; row < rows; row++)
  for (let column = 0, value = false; column < 12; column++) {
    value = stream.uniform() < (column === 0 ? 0.5 : 0.1) ? !value : value;
    // the last one is nearly always 1, in all components
    matrix.set(row, column, column === 11 ? stream.uniform() < 0.97 : value);
  }
const design = mixedDesignOf(attachSorted(sortRows(matrix)), 11, {
  components,
  starts: Uint32Array.from({ length: rows + 1 }, (_, row) => row),
  componentOf: Uint32Array.from({ length: rows }, () => stream.below(components)),
  shares: new Float64Array(rows).fill(1),
});

test('what components share is so much that penalties are least: half of their own are on either side of 0', () => {
  for (const fitted of fitMixedPath(design, [4, 1, 0.25], 'auto', { tolerance: 1e-4 })) {
    const sides = [1, -1].map((side) => fitted.intercepts.filter((own) => own * side > 0).length);
    expect(fitted.intercept).toBeGreaterThan(1);
    expect(Math.max(...sides)).toBeLessThanOrEqual((components + 1) / 2);
  }
});

test('a leap ends where no slope is left', () => {
  const { trials, firsts, starts, members, signs, predictors } = design;
  const variances = trials.map(() => 0.1 + stream.uniform());
  const sum = (values: Iterable<number>): number => [...values].reduce((whole, own) => whole + own, 0);
  const componentOf = (group: number): number => firsts.findLastIndex((first) => first <= group);
  const listOf = (at: number): number[] => [...members.subarray(starts[at]!, starts[at + 1]!)];
  const variance = Float64Array.from({ length: components }, (_, h) =>
    sum(variances.subarray(firsts[h]!, firsts[h + 1]!)),
  );
  const listed = signs.reduce(
    (all, _, at) => all.fill(sum(listOf(at).map((group) => variances[group]!)), at, at + 1),
    new Float64Array(signs.length),
  );
  // a shared weight, and own ones of two components; one intercept is 0
  const active = Uint32Array.of(3, predictors + 3 * components + 1, predictors + 7 * components + 2);
  const weights = Float64Array.of(1, -1, 0, 1, 1, -1, 1, 1, 1);
  const slopes = weights.map((weight) => weight * (1 + stream.uniform()));
  const penalties = weights.map(() => 1);
  const curvature = { design, tying: 'auto', variances, variance, listed } as const;
  const changes = leapOf(curvature, { active, weights, signs: weights, penalties, slopes }, 1e-9);
  expect(changes[2]).toBe(0);
  // each group's values of the common intercept, of components' and of the features
  const valuesOf = (group: number): number[] => {
    const h = componentOf(group);
    const bit = (predictor: number): number => {
      const at = predictor * components + h;
      return signs[at]! * (listOf(at).includes(group) ? 1 : -1);
    };
    const own = Array.from({ length: components }, (_, other) => (other === h ? 1 : 0));
    return [1, ...own, bit(3), h === 1 ? bit(3) : 0, h === 2 ? bit(7) : 0];
  };
  const left = slopes.slice();
  for (const [group, own] of variances.entries()) {
    const values = valuesOf(group);
    const change = sum(values.map((value, at) => value * changes[at]!));
    values.forEach((value, at) => (left[at]! -= own * change * value));
  }
  left.forEach((slope, at) => {
    if (weights[at] !== 0) expect(slope).toBeCloseTo(0, 6);
  });
});
