import { expect, test } from 'vitest';
import { worthInFull } from './worth-of-trials.js';

test('leaves whose rounds only overfit have converged: a ratio of two losses is no rise', () => {
  const falling = Array.from({ length: 21 }, (_, round) => -100 - round ** 2);
  expect(worthInFull([falling], 20, 10)).toEqual({ validLogLikelihood: -10, trees: 0, rise: 0 });
  const peaked = Array.from({ length: 21 }, (_, round) => -100 + 8 * round - round ** 2);
  const { rise, trees } = worthInFull([peaked], 20, 10);
  expect([rise! < 0, trees]).toEqual([true, 4]);
});

test('a curve that still rises has not converged, by the part that its last tenth brought', () => {
  const rising = Array.from({ length: 21 }, (_, round) => -100 + 2 * round);
  expect(worthInFull([rising], 20, 10)).toEqual({ validLogLikelihood: -6, trees: 20, rise: 0.1 });
});

test('leaves are judged by one number of rounds for all dimensions: single peaks of noise count for nothing', () => {
  const noisy = [
    [-10, -4, -12, -12],
    [-10, -12, -12, -4],
  ];
  const steady = [
    [-10, -8, -7, -7],
    [-10, -8, -7],
  ];
  expect(worthInFull(noisy, 3, 1).validLogLikelihood).toBe(-16);
  // a dimension that ended early stays as it was
  expect(worthInFull(steady, 3, 1)).toMatchObject({ validLogLikelihood: -14, trees: 4 });
});
