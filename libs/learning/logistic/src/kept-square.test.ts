import { BitMatrix } from '@orchard/dataset';
import { RandomStream } from '@orchard/numerics';
import { describe, expect, test } from 'vitest';
import { designOf } from './design.js';
import { fitPath } from './fit-path.js';
import { KeptSquare } from './kept-square.js';
import { lossOf } from './loss.js';
import { attachSorted, sortRows } from './sorted-rows.js';
import { TouchingSquare } from './touching-square.js';

/** Rows of which each column is mostly what the one before it is. */
function sticky(rows: number, columns: number, rate: number): BitMatrix {
  const stream = new RandomStream(3, 1030);
  const matrix = BitMatrix.create(rows, columns);
  for (let row = 0; row < rows; row++)
    for (let column = 0, value = false; column < columns; column++) {
      value = stream.uniform() < (column === 0 ? 0.5 : rate) ? !value : value;
      matrix.set(row, column, value);
    }
  return matrix;
}

const wide = designOf(attachSorted(sortRows(sticky(300, 290, 0.1))), 289);

describe('a kept square', () => {
  const stream = new RandomStream(4, 1030);
  const groups = wide.trials.length;
  const residuals = Float64Array.from({ length: groups }, () => stream.uniform() - 0.5);
  const variances = Float64Array.from({ length: groups }, () => 0.01 + stream.uniform());
  const columns = [3, 7, 4, 200, 12, 100];

  test('has the sums of a touching one, wherever weights move and in whatever steps columns came', () => {
    const touching = new TouchingSquare(wide, Uint32Array.from(columns), variances, false);
    touching.touch(residuals);
    const kept = new KeptSquare(wide, variances);
    kept.add(columns.slice(0, 1));
    kept.add(columns.slice(1));
    kept.touch(residuals, variances);
    touching.listed.forEach((own, place) => {
      expect(kept.listed[place]).toBeCloseTo(own, 9);
    });
    for (let move = 0; move < 30; move++) {
      const [place, times] = [(move * 5) % columns.length, stream.uniform() - 0.5];
      for (const square of [touching, kept]) square.takeAt(place, times);
      columns.forEach((_, other) => {
        expect(kept.sumAt(other)).toBeCloseTo(touching.sumAt(other), 9);
      });
    }
  });

  test.each([true, false])('finds the change that leaves no slope (centred: %s)', (isCentred) => {
    const square = new KeptSquare(wide, variances);
    square.add(columns);
    square.touch(residuals, variances);
    const places = Uint32Array.of(0, 2, 3, 5);
    const { variance, listed } = square;
    const slopeAt = (place: number, shift: number, sum: number): number => {
      const all = residuals.reduce((whole, own) => whole + own, 0) - moved - (shift - sum) * variance;
      return 2 * (square.sumAt(place) - (shift - sum) * listed[place]!) - all;
    };
    let moved = 0;
    const before = Float64Array.from(places, (place) => slopeAt(place, 0, 0));
    const means = Float64Array.from(places, (place) => (isCentred ? (2 * listed[place]! - variance) / variance : 0));
    const left = isCentred ? residuals.reduce((whole, own) => whole + own, 0) : 0;
    const wanted = before.map((slope, at) => slope - means[at]! * left);
    const changes = square.solve(places, wanted, isCentred, 1e-9);
    const sum = changes.reduce((whole, change) => whole + change, 0);
    const shift = changes.reduce((whole, change, at) => whole - change * means[at]!, left / variance);
    places.forEach((place, at) => {
      square.takeAt(place, 2 * changes[at]!);
      moved += 2 * changes[at]! * listed[place]!;
    });
    for (const place of places) expect(slopeAt(place, shift, sum)).toBeCloseTo(0, 6);
  });
});

test('a wide target ends at the minimum under every λ, with an intercept and without', () => {
  const penalties = [8, 1];
  for (const interceptScaling of [10, 1]) {
    const [loose, strict] = [1e-2, 1e-6].map((tolerance) =>
      [...fitPath(wide, penalties, { tolerance, interceptScaling })].map((fitted, at) => {
        const size = fitted.weights.reduce((sum, weight) => sum + Math.abs(weight), 0);
        return lossOf(wide, fitted) + penalties[at]! * (size + Math.abs(fitted.intercept) / interceptScaling);
      }),
    );
    loose!.forEach((cost, at) => {
      expect(cost / strict![at]! - 1).toBeLessThan(1e-5);
      expect(cost / strict![at]! - 1).toBeGreaterThan(-1e-7);
    });
  }
});

test('a wide target has the minimum that a narrower one has, where the other predictors say nothing', () => {
  // the first columns are the same in all rows, so that only the last ones predict
  const narrow = sticky(300, 40, 0.1);
  const padded = BitMatrix.create(300, 300);
  for (let row = 0; row < 300; row++)
    for (let column = 0; column < 40; column++) padded.set(row, 260 + column, narrow.get(row, column) === 1);
  const cost = (matrix: BitMatrix): number => {
    const design = designOf(attachSorted(sortRows(matrix)), matrix.dimensions - 1);
    const [fitted] = [...fitPath(design, [1], { tolerance: 1e-5 })];
    const size = fitted!.weights.reduce((sum, weight) => sum + Math.abs(weight), Math.abs(fitted!.intercept) / 10);
    return lossOf(design, fitted!) + size;
  };
  // constant columns say what the intercept does, at ten times its price: they take none of it
  expect(cost(padded) / cost(narrow) - 1).toBeLessThan(1e-6);
  expect(cost(padded) / cost(narrow) - 1).toBeGreaterThan(-1e-6);
});
