import { RandomStream } from '@orchard/numerics';
import { expect, test } from 'vitest';
import { lineSearch } from './line-search.js';

const gainOf = (step: number, ratios: Float64Array, counts: Float64Array): number =>
  ratios.reduce((sum, ratio, row) => sum + counts[row]! * Math.log(1 - step + step * ratio), 0);

test('the step is the one that makes the rows likeliest, and never makes them less likely', () => {
  const stream = new RandomStream(1, 1030);
  for (let draw = 0; draw < 50; draw++) {
    const ratios = Float64Array.from({ length: 20 }, () => Math.exp(8 * stream.uniform() - 5));
    const counts = Float64Array.from(ratios, () => 1 + stream.below(4));
    const step = lineSearch(ratios, counts);
    const best = gainOf(step, ratios, counts);
    expect(best).toBeGreaterThanOrEqual(0);
    for (let other = 0; other < 1; other += 0.01)
      expect(best).toBeGreaterThanOrEqual(gainOf(other, ratios, counts) - 1e-9);
  }
});

test('there is no step towards what is no likelier anywhere', () => {
  expect(lineSearch(Float64Array.of(1, 1, 1), Float64Array.of(1, 2, 3))).toBe(0);
  expect(lineSearch(Float64Array.of(0.5, 1.4), Float64Array.of(1, 1))).toBe(0);
});

test('of what is likelier everywhere a little is left of the model before it, so that its weights are above 0', () => {
  const step = lineSearch(Float64Array.of(2, 1e300), Float64Array.of(1, 1));
  expect([step < 1, step > 0.99]).toEqual([true, true]);
});
