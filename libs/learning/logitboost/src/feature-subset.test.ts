import { philox4x32, Purpose } from '@orchard/numerics';
import { describe, expect, it } from 'vitest';
import { drawsOfOne, FeatureSubset, sharedDraws } from './feature-subset.js';

const rounds = [0, 1, 2, 1, 5];

function drawn(seed: number, position: number, fraction: number): readonly number[][] {
  const draws = drawsOfOne(new FeatureSubset(seed, position, fraction));
  return rounds.map((round) => [...draws.draw(round)]);
}

describe('draws', () => {
  it.each([
    [0, 1, 0.5],
    [7, 15, 0.5],
    [2 ** 53 - 1, 16, 0.3],
    [2 ** 32, 17, 0.9],
    [11, 30_000, 0.5],
    [11, 1003, 0.01],
  ])('are selection sampling by Philox: seed %i, %i predictors, fraction %f', (seed, position, fraction) => {
    const block = new Uint32Array(4);
    for (const round of rounds) {
      let needed = Math.max(1, Math.round(fraction * position));
      const expected = Array.from({ length: position }, (_, at) => {
        const key = [seed % 2 ** 32, Math.floor(seed / 2 ** 32)] as const;
        if (at % 4 === 0) philox4x32(block, at / 4, round, position, Purpose.features, ...key);
        const chosen = (block[at % 4]! / 2 ** 32) * (position - at) < needed ? 1 : 0;
        needed -= chosen;
        return chosen;
      });
      expect([...new FeatureSubset(seed, position, fraction).draw(round)]).toEqual(expected);
    }
  });
});

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

  it('are the same where those of others come in between', () => {
    const [one, other] = [new FeatureSubset(7, 100, 0.5), new FeatureSubset(7, 101, 0.5)];
    const draws = sharedDraws(one);
    const before = [...draws.draw(0)];
    sharedDraws(other).draw(0);
    expect([...draws.draw(0)]).toEqual(before);
    expect([...sharedDraws(one).draw(0)]).toEqual(before);
  });

  it('are kept for the next decision, of as many rounds as there is room for', () => {
    const draw = (round: number): Uint8Array => sharedDraws(new FeatureSubset(7, 100, 0.5), 200).draw(round);
    expect(draw(1)).toBe(draw(1));
    expect(draw(2)).not.toBe(draw(2));
    expect([...draw(2)]).toEqual([...drawsOfOne(new FeatureSubset(7, 100, 0.5)).draw(2)]);
  });
});
