import { RandomStream } from '@orchard/numerics';
import { expect, test } from 'vitest';
import { moments, RowWeights } from './moments.js';

const stream = new RandomStream(2, 1007);
const values = Float64Array.from({ length: 200 }, () => -20 * stream.uniform());

test('whole weights give the mean and the error of repeated rows, to the bit', () => {
  const weights = Float64Array.from(values, () => 1 + stream.below(5));
  const repeated = Float64Array.from(Array.from(values).flatMap((value, row) => Array(weights[row]!).fill(value)));
  expect(moments(values, new RowWeights(weights))).toEqual(moments(repeated));
});

test('other weights give a weighted mean, and their unit does not matter', () => {
  const weights = Float64Array.from(values, () => 0.1 + stream.uniform());
  const { mean, standardError } = moments(values, new RowWeights(weights));
  const other = moments(values, new RowWeights(weights.map((weight) => 1000 * weight)));
  expect(other.mean).toBeCloseTo(mean, 12);
  expect(other.standardError).toBeCloseTo(standardError!, 12);
  const sum = weights.reduce((all, weight, row) => all + weight * values[row]!, 0);
  expect(mean).toBeCloseTo(sum / weights.reduce((all, weight) => all + weight, 0), 12);
  // of equal weights it is the plain error
  const equal = moments(values, new RowWeights(new Float64Array(200).fill(0.3)));
  expect(equal.standardError).toBeCloseTo(moments(values).standardError!, 12);
});
