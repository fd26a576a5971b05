import { RandomStream } from '@orchard/numerics';
import { expect, test } from 'vitest';
import { comparedKernels, kernelNats } from './shrunken-kernels.mjs';
import { clusterTree, pathsOf, shrunken } from './shrunken-paths.mjs';

const stream = new RandomStream(1, 1060);
const points = Array.from({ length: 12 }, () => [stream.uniform(), 3 * stream.uniform()]);
const splits = pathsOf(clusterTree(points, new RandomStream(2, 1060)));

test('the tree divides the points down to single ones', () => {
  expect(splits).toHaveLength(12);
  expect(splits[0]!.signs.every((sign) => sign === 1)).toBe(true);
  expect([...splits[0]!.leaves].sort((a, b) => a - b)).toEqual([...points.keys()]);
  for (const { signs } of splits.slice(1)) expect([1, -1].every((sign) => signs.includes(sign))).toBe(true);
});

test('without a penalty the points stay where they are', () => {
  for (const kind of ['l1', 'l2'] as const)
    shrunken(points, splits, 0, kind).forEach((point, row) => {
      point.forEach((value, d) => expect(value).toBeCloseTo(points[row]![d]!, 5));
    });
});

/** With ridge the fitted values are A A' a, where (A A' + λ I) a = x: by elimination. */
test('squares that cost λ / 2 give what the smoothing matrix of the thesis gives', () => {
  const [n, penalty] = [points.length, 0.7];
  const kernel = Array.from({ length: n }, () => new Float64Array(n));
  for (const { leaves, signs } of splits)
    leaves.forEach((a, i) => leaves.forEach((b, j) => (kernel[a]![b]! += signs[i]! * signs[j]!)));
  const fitted = shrunken(points, splits, penalty, 'l2');
  for (const d of [0, 1]) {
    const mean = points.reduce((sum, point) => sum + point[d]!, 0) / n;
    const left = kernel.map((row, a) => Array.from(row, (value, b) => value + (a === b ? penalty : 0)));
    const right = points.map((point) => point[d]! - mean);
    for (let column = 0; column < n; column++)
      for (let row = 0; row < n; row++) {
        if (row === column) continue;
        const factor = left[row]![column]! / left[column]![column]!;
        for (let k = column; k < n; k++) left[row]![k]! -= factor * left[column]![k]!;
        right[row]! -= factor * right[column]!;
      }
    const weights = right.map((value, row) => value / left[row]![row]!);
    for (let row = 0; row < n; row++) {
      const expected = mean + kernel[row]!.reduce((sum, value, other) => sum + value * weights[other]!, 0);
      expect(fitted[row]![d]).toBeCloseTo(expected, 5);
    }
  }
});

test('of sizes that cost λ no split pulls by more, and one that contributes pulls by just that', () => {
  const penalty = 0.4;
  const fitted = shrunken(points, splits, penalty, 'l1');
  let atPenalty = 0;
  for (const { leaves, signs } of splits)
    for (const d of [0, 1]) {
      const pull = leaves.reduce((sum, leaf, i) => sum + signs[i]! * (points[leaf]![d]! - fitted[leaf]![d]!), 0);
      expect(Math.abs(pull)).toBeLessThan(penalty + 1e-5);
      if (Math.abs(pull) > penalty - 1e-5) atPenalty++;
    }
  expect(atPenalty).toBeGreaterThan(2);
});

test('kernels are one density in any number of directions, and validation points choose no worse ones', () => {
  const places = Array.from({ length: 5 }, () => [stream.uniform(), stream.uniform(), stream.uniform()]);
  const bandwidths = [0.3, 2];
  const nats = kernelNats(places.slice(0, 3), places.slice(3), bandwidths);
  bandwidths.forEach((bandwidth, at) => {
    const density = (point: number[]): number =>
      places.slice(0, 3).reduce((sum, centre) => {
        const one = (d: number): number =>
          Math.exp(-((point[d]! - centre[d]!) ** 2) / (2 * bandwidth ** 2)) / (bandwidth * Math.sqrt(2 * Math.PI));
        return sum + (one(0) * one(1) * one(2)) / 3;
      }, 0);
    expect(nats[at]).toBeCloseTo((Math.log(density(places[3]!)) + Math.log(density(places[4]!))) / 2, 9);
  });
  const few = { train: points, valid: points.slice(0, 4), test: points.slice(4) };
  const compared = Object.values(comparedKernels(few, [0.2, 0.5], new RandomStream(3, 1060)));
  for (const { valid } of compared) expect(valid).toBeGreaterThanOrEqual(compared[0]!.valid - 1e-9);
});
