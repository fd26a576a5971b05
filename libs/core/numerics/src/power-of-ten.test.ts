import { expect, test } from 'vitest';
import { powerOfTen } from './power-of-ten.js';

test('a power of ten is the number nearest to it', () => {
  expect([-5, -4, -17, 0, 3, 22].map(powerOfTen)).toEqual([0.00001, 0.0001, 1e-17, 1, 1000, 1e22]);
  expect([-40, 25, 300, -320].map(powerOfTen)).toEqual([1e-40, 1e25, 1e300, 1e-320]);
});
