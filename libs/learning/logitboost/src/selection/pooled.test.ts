import { describe, expect, test } from 'vitest';
import { select, type DimensionCurves } from '../index.js';

/**
 * A curve that rises to `best` and falls behind it, by `depth` nats a factor e of rounds; training rows gain for ever.
 */
function curve(best: number, depth: number, rounds = 200): DimensionCurves {
  const points = Array.from({ length: rounds + 1 }, (_, round) => round);
  return {
    train: Float64Array.from(points, (round) => Math.log(round + 1)),
    valid: Float64Array.from(points, (round) => -depth * Math.log((round + 5) / (best + 5)) ** 2),
  };
}

const rounds = (curves: readonly DimensionCurves[]): number[] => [...select('pooled', curves).rounds];

describe('the pooled selection', () => {
  const crowd = Array.from({ length: 30 }, () => curve(60, 50));

  test('takes a dimension whose validation rows say little to where the others are', () => {
    const own = 8;
    const [drawn] = rounds([curve(own, 0.2), ...crowd]);
    expect(select('individual', [curve(own, 0.2), ...crowd]).rounds[0]).toBe(own);
    expect(drawn).toBeGreaterThan(40);
    expect(drawn).toBeLessThanOrEqual(60);
  });

  test('leaves one alone whose validation rows insist, and the crowd where it is', () => {
    const [own, ...others] = rounds([curve(8, 300), ...crowd]);
    expect(own).toBe(8);
    expect(others.every((round) => Math.abs(round - 60) < 3)).toBe(true);
  });

  test('knows two crowds from one another', () => {
    const few = Array.from({ length: 30 }, () => curve(4, 50));
    const [low, high] = rounds([curve(6, 1), curve(90, 1), ...few, ...crowd]);
    expect(low).toBeLessThan(8);
    expect(high).toBeGreaterThan(50);
    expect(high).toBeLessThan(75);
  });

  test('keeps no more trees of a dimension than one of the paper’s selections does: what those refit serves it', () => {
    const curves = [curve(150, 0.01), ...crowd, curve(0, 5, 0), curve(2, 3, 3)];
    const paper = (['individual', 'common', 'linearized', 'linearized-backward'] as const).map((method) => [
      ...select(method, curves).rounds,
    ]);
    for (const [dimension, round] of rounds(curves).entries())
      expect(round).toBeLessThanOrEqual(Math.max(...paper.map((chosen) => chosen[dimension]!)));
  });

  test('is the individual one where there is one dimension that is sure', () => {
    expect(rounds([curve(17, 500)])).toEqual([17]);
  });

  test('tells its likelihoods, and no path: its models have no order', () => {
    const curves = [curve(8, 0.2), ...crowd];
    const { trees, validLogLikelihood, path, commonRounds } = select('pooled', curves);
    const chosen = rounds(curves);
    expect(trees).toBe(chosen.reduce((sum, round) => sum + round, 0));
    expect(validLogLikelihood).toBeCloseTo(
      curves.reduce((sum, { valid }, dimension) => sum + valid[chosen[dimension]!]!, 0),
      9,
    );
    expect([path, commonRounds]).toEqual([undefined, undefined]);
  });
});
