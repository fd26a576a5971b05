import { BitMatrix } from '@orchard/dataset';
import { RandomStream } from '@orchard/numerics';
import { describe, expect, test } from 'vitest';
import { designOf } from './design.js';
import { fitPath } from './fit-path.js';
import { lossOf } from './loss.js';
import { attachSorted, sortRows } from './sorted-rows.js';
import { TouchingSquare } from './touching-square.js';

/**
 * Rows of which each column is mostly what the one before it is: weights of neighbours take long to share out what both
 * tell.
 */
function sticky(rows: number, columns: number): BitMatrix {
  const stream = new RandomStream(3, 1030);
  const matrix = BitMatrix.create(rows, columns);
  for (let row = 0; row < rows; row++)
    for (let column = 0, value = false; column < columns; column++) {
      value = stream.uniform() < (column === 0 ? 0.5 : 0.04) ? !value : value;
      matrix.set(row, column, value);
    }
  return matrix;
}

const design = designOf(attachSorted(sortRows(sticky(3000, 14))), 13);
const groups = design.trials.length;
const stream = new RandomStream(4, 1030);
const residuals = Float64Array.from({ length: groups }, () => stream.uniform() - 0.5);
const variances = Float64Array.from({ length: groups }, () => 0.01 + stream.uniform());
const tried = Uint32Array.of(0, 1, 4, 7, 8, 12);

describe('a touching square', () => {
  test('has by products the sums that it has by lists, wherever weights move', () => {
    const [lists, products] = [false, true].map((isLong) => new TouchingSquare(design, tried, variances, isLong));
    for (const square of [lists!, products!]) square.touch(residuals);
    expect([lists!.isCheap, products!.isCheap]).toEqual([false, true]);
    for (let move = 0; move < 60; move++) {
      const [place, times] = [(move * 5) % tried.length, stream.uniform() - 0.5];
      for (const square of [lists!, products!]) square.takeAt(place, times);
      for (let other = 0; other < tried.length; other++)
        expect(products!.sumAt(other)).toBeCloseTo(lists!.sumAt(other), 9);
    }
  });

  test('goes over to products when lists have cost as much, and not before', () => {
    const square = new TouchingSquare(design, tried, variances, false);
    square.touch(residuals);
    square.reconsider();
    expect(square.isCheap).toBe(false);
    square.takeAt(2, 0.1);
    square.reconsider();
    expect(square.isCheap).toBe(false);
    const before = [0, 1, 2, 3, 4, 5].map((place) => square.sumAt(place));
    square.reconsider();
    expect(square.isCheap).toBe(true);
    expect([0, 1, 2, 3, 4, 5].map((place) => square.sumAt(place))).toEqual(before);
  });

  test('lets a path whose weights move many times end at the minimum', () => {
    const costs = [1e-2, 1e-7].map((tolerance) => {
      const [fitted] = [...fitPath(design, [0.05], { tolerance })];
      const size = fitted!.weights.reduce((sum, weight) => sum + Math.abs(weight), Math.abs(fitted!.intercept) / 10);
      return lossOf(design, fitted!) + 0.05 * size;
    });
    expect(costs[0]! / costs[1]! - 1).toBeLessThan(1e-7);
  });
});
