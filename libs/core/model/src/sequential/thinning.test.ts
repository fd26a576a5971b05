import { RandomStream } from '@orchard/numerics';
import { describe, expect, it } from 'vitest';
import { thin } from './thinning.js';

function thinned(from: readonly number[], most: number, uniform: number) {
  const weights = Float64Array.from(from);
  const kept = new Uint8Array(from.length);
  const isThinned = thin(weights, from.length, most, uniform, kept, new Float64Array(from.length));
  return { isThinned, count: kept.reduce((sum, one) => sum + one, 0), weights: weights.map((w, i) => w * kept[i]!) };
}

describe('thinning', () => {
  const stream = new RandomStream(1, 1000);
  const uneven = Array.from({ length: 40 }, () => Math.exp(8 * stream.uniform()));

  it('leaves all as they are where there is room', () => {
    expect(thinned([3, 0, 1], 3, 0.5)).toEqual({ isThinned: false, count: 3, weights: Float64Array.of(3, 0, 1) });
  });

  it.each([1, 2, 7, 39])('keeps exactly %i of 40, and every weight in expectation', (most) => {
    const numbers = 4000;
    const means = new Float64Array(40);
    for (let i = 0; i < numbers; i++) {
      const { isThinned, count, weights } = thinned(uneven, most, (i + 0.5) / numbers);
      expect([isThinned, count]).toEqual([true, most]);
      weights.forEach((weight, at) => (means[at]! += weight / numbers));
    }
    const total = uneven.reduce((sum, weight) => sum + weight, 0);
    means.forEach((weight, at) => expect(Math.abs(weight - uneven[at]!) / total).toBeLessThan(1e-3));
  });

  it('keeps the heavy for certain and as they are, and fewer of the light by the root of their weights', () => {
    const light = [1, 1, 1, 1, 4, 4];
    let fours = 0;
    for (let i = 0; i < 1000; i++) {
      const { weights } = thinned([1e6, ...light], 3, (i + 0.5) / 1000);
      expect(weights[0]).toBe(1e6);
      fours += (weights[5]! > 0 ? 1 : 0) + (weights[6]! > 0 ? 1 : 0);
    }
    expect(fours / 1000).toBeCloseTo(1, 2); // of two places, four of root 1 have one, and two of root 2 the other
  });

  it('takes one alone by the weight itself, for which nothing makes up afterwards', () => {
    let last = 0;
    for (let i = 0; i < 1000; i++) last += thinned([1, 9], 1, (i + 0.5) / 1000).weights[1]! > 0 ? 1 : 0;
    expect(last).toBe(900);
  });

  it('holds at the ends of what numbers can be', () => {
    for (const uniform of [0, 1 - 2 ** -53]) {
      for (const weights of [
        [1, 0, 0],
        [1, 1e-300, 1e-300],
        [1e-300, 1, 1],
        [1, 1, 1], // two of them: thirds that add up to less than 2
        [0.1, 0.1, 0.1],
        [0.3, 0.7, 5e-324],
      ]) {
        for (const most of [1, 2]) {
          const result = thinned(weights, most, uniform);
          expect(result.count).toBe(Math.min(most, weights.filter((weight) => weight > 0).length));
          for (const weight of result.weights) expect(weight >= 0 && weight < Infinity).toBe(true);
        }
      }
    }
  });
});
