import { expect, test } from 'vitest';
import { heldBytes } from './held-bytes.js';

test('no more models are held open than a quarter of the memory has room for', () => {
  const gibibyte = 2 ** 30;
  expect(20 * heldBytes(2 ** 28, 2 * gibibyte)).toBeLessThanOrEqual(gibibyte / 2);
  expect(20 * heldBytes(2 ** 28, 2 * gibibyte)).toBeGreaterThan(gibibyte / 2 - 20);
  expect(heldBytes(2 ** 28, 64 * gibibyte)).toBe(2 ** 28);
  expect(heldBytes(1000, 2 * gibibyte)).toBe(1000);
});
