import { describe, expect, it } from 'vitest';
import { drawsOfOne, FeatureSubset, sharedDraws } from './feature-subset.js';

const rounds = [0, 1, 2, 1, 5];

function drawn(seed: number, position: number, fraction: number): readonly number[][] {
  const draws = drawsOfOne(new FeatureSubset(seed, position, fraction));
  return rounds.map((round) => [...draws.draw(round)]);
}

describe('draws that decisions share', () => {
  it.each([
    [3, 10, 0.5],
    [3, 10, 0.3],
    [3, 11, 0.3],
    [4, 11, 0.3],
    [3, 10, 0.5],
  ])('are those of one: seed %i, %i predictors, fraction %f', (seed, position, fraction) => {
    const shared = (): readonly number[][] => {
      const draws = sharedDraws(new FeatureSubset(seed, position, fraction));
      return rounds.map((round) => [...draws.draw(round)]);
    };
    const own = drawn(seed, position, fraction);
    expect([shared(), shared()]).toEqual([own, own]);
  });

  it('are kept for the next decision, of as many rounds as there is room for', () => {
    const draw = (round: number): Uint8Array => sharedDraws(new FeatureSubset(7, 100, 0.5), 200).draw(round);
    expect(draw(1)).toBe(draw(1));
    expect(draw(2)).not.toBe(draw(2));
    expect([...draw(2)]).toEqual([...drawsOfOne(new FeatureSubset(7, 100, 0.5)).draw(2)]);
  });
});
