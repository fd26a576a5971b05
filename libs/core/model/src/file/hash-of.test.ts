import { createHash, Hash } from 'node:crypto';
import { expect, it, vi } from 'vitest';
import { hashOf } from './hash-of.js';

it.each([0, 1, 7, 8, 9, 64, 1000])('hashes %i bytes piece by piece to what one piece gives', (length) => {
  const bytes = Uint8Array.from({ length }, (_, at) => at * 37);
  const whole = createHash('sha256').update(bytes).digest('hex');
  const update = vi.spyOn(Hash.prototype, 'update');
  try {
    expect(hashOf(bytes, 8).digest('hex')).toBe(whole);
    expect(update.mock.calls.every(([piece]) => piece.length <= 8)).toBe(true);
    expect(update).toHaveBeenCalledTimes(Math.ceil(length / 8));
  } finally {
    update.mockRestore();
  }
  expect(hashOf(bytes).digest('hex')).toBe(whole);
});
