import { BitMatrix } from '@orchard/dataset';
import { RandomStream } from '@orchard/numerics';
import { describe, expect, test } from 'vitest';
import {
  attachSorted,
  designOf,
  fitMixedPath,
  fitPath,
  mixedDesignOf,
  sortRows,
  type MixedWeights,
  type RowShares,
  type Tying,
} from './index.js';

const stream = new RandomStream(3, 1030);
const matrix = BitMatrix.create(400, 9);
for (let row = 0; row < matrix.rows; row++)
  for (let column = 0; column < 9; column++) {
    const side = row % 3 === 0 ? 1 : -1;
    const told = column < 3 ? side / 4 : side * (matrix.get(row, column - 1) - matrix.get(row, column - 3));
    // one column is rare, one always 0
    const rate = column === 1 ? 0.03 : column === 4 ? 0 : 0.5 + 0.35 * told;
    matrix.set(row, column, stream.uniform() < rate);
  }
const sorted = attachSorted(sortRows(matrix));

/** Two components of a row, or one; the last component has none. */
function sharesOf(components: number): RowShares {
  const starts = [0];
  const componentOf: number[] = [];
  const shares: number[] = [];
  for (let row = 0; row < matrix.rows; row++) {
    const first = stream.below(components - 1);
    const share = row % 4 === 0 || first === components - 2 ? 1 : 0.1 + 0.8 * stream.uniform();
    componentOf.push(first);
    shares.push(share);
    if (share < 1) {
      componentOf.push(first + 1);
      shares.push(1 - share);
    }
    starts.push(shares.length);
  }
  return {
    components,
    starts: Uint32Array.from(starts),
    componentOf: Uint32Array.from(componentOf),
    shares: Float64Array.from(shares),
  };
}

/** Slopes of the loss, downwards, as it is written: nothing is grouped, sorted or listed. */
function plainly(target: number, rows: RowShares, fitted: MixedWeights) {
  const { components } = rows;
  const total = (h: number, j: number): number => {
    const shared = fitted.predictors.indexOf(j);
    let sum = shared < 0 ? 0 : fitted.weights[shared]!;
    fitted.own.predictors.forEach((own, at) => {
      if (own === j && fitted.own.components[at] === h) sum += fitted.own.weights[at]!;
    });
    return sum;
  };
  const weights = Array.from({ length: components }, (_, h) =>
    Float64Array.from({ length: target }, (_, j) => total(h, j)),
  );
  const slopes = weights.map(() => new Float64Array(target));
  const intercepts = new Float64Array(components);
  for (let row = 0; row < matrix.rows; row++)
    for (let at = rows.starts[row]!; at < rows.starts[row + 1]!; at++) {
      const h = rows.componentOf[at]!;
      const sign = (column: number): number => 2 * sorted.matrix.get(row, column) - 1;
      let odds = fitted.intercept + fitted.intercepts[h]!;
      for (let j = 0; j < target; j++) odds += weights[h]![j]! * sign(j);
      const y = sign(target);
      const pull = (rows.shares[at]! * y) / (1 + Math.exp(y * odds));
      intercepts[h]! += pull;
      for (let j = 0; j < target; j++) slopes[h]![j]! += pull * sign(j);
    }
  return { slopes, intercepts };
}

function expectMinimum(weight: number, slope: number, penalty: number): void {
  const miss = weight === 0 ? Math.abs(slope) - penalty : Math.abs(slope - Math.sign(weight) * penalty);
  expect(miss).toBeLessThanOrEqual(0.0101 * penalty);
}

describe('weights of several components', () => {
  const rows = sharesOf(4);
  const penalties = [40, 8, 1.5];

  test.each(
    (['untied', 'tied', 'auto'] as const).flatMap((tying) =>
      [0, 1, 5, 8].map((target): [Tying, number] => [tying, target]),
    ),
  )('%s of column %i fulfil the conditions of a minimum at every λ', (tying, target) => {
    const steps = [...fitMixedPath(mixedDesignOf(sorted, target, rows), penalties, tying)];
    expect(steps).toHaveLength(3);
    steps.forEach((fitted, step) => {
      const penalty = penalties[step]!;
      const { slopes, intercepts } = plainly(target, rows, fitted);
      if (tying === 'auto')
        expectMinimum(
          fitted.intercept,
          intercepts.reduce((sum, own) => sum + own, 0),
          penalty / 10,
        );
      else expect(fitted.intercept).toBe(0);
      intercepts.forEach((slope, h) => {
        expectMinimum(fitted.intercepts[h]!, slope, penalty / 10);
      });
      for (let j = 0; j < target; j++) {
        const at = fitted.predictors.indexOf(j);
        const all = slopes.reduce((sum, own) => sum + own[j]!, 0);
        if (tying !== 'untied') expectMinimum(at < 0 ? 0 : fitted.weights[at]!, all, penalty);
        slopes.forEach((own, h) => {
          const place = fitted.own.predictors.findIndex((p, i) => p === j && fitted.own.components[i] === h);
          if (tying !== 'tied') expectMinimum(place < 0 ? 0 : fitted.own.weights[place]!, own[j]!, penalty);
        });
      }
      if (tying === 'untied') expect(fitted.weights).toHaveLength(0);
      if (tying === 'tied') expect(fitted.own.weights).toHaveLength(0);
    });
    if (target === 8) expect(steps[2]!.weights.length + steps[2]!.own.weights.length).toBeGreaterThan(2);
  });

  test('of one component are those of a path of all rows', () => {
    const one: RowShares = {
      components: 1,
      starts: Uint32Array.from({ length: 401 }, (_, row) => row),
      componentOf: new Uint32Array(400),
      shares: new Float64Array(400).fill(1),
    };
    const [alone] = fitPath(designOf(sorted, 8), [2], { tolerance: 1e-7 });
    for (const tying of ['untied', 'tied'] as const) {
      const [mixed] = fitMixedPath(mixedDesignOf(sorted, 8, one), [2], tying, { tolerance: 1e-7 });
      const { predictors, weights } = tying === 'tied' ? mixed! : mixed!.own;
      expect([...predictors]).toEqual([...alone!.predictors]);
      weights.forEach((weight, at) => {
        expect(weight).toBeCloseTo(alone!.weights[at]!, 6);
      });
      expect(mixed!.intercepts[0]).toBeCloseTo(alone!.intercept, 6);
    }
  });
});
