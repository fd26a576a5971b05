import { expect, test } from 'vitest';
import { highestIn } from './golden-section.js';

test.each([0.5, 0.123, 0.999, 0])('the highest place of what falls on both sides of %d is found', (top) => {
  expect(Math.abs(highestIn((at) => -((at - top) ** 2), 0, 1) - top)).toBeLessThan(2e-6);
  expect(Math.abs(highestIn((at) => -Math.abs(at - 8 * top), 0, 8) / 8 - top)).toBeLessThan(2e-6);
});
