import { expect, test } from 'vitest';
import { count, firstAndMore } from './index.js';

test('words are listed as far as there is room, and the others counted', () => {
  expect(firstAndMore(['a', 'b', 'c'], 3)).toBe('a, b, c');
  expect(firstAndMore(['a', 'b', 'c', 'd', 'e'], 3)).toBe('a, b, c and 2 more');
  expect(firstAndMore(Array<string>(2001).fill('a'), 1, count, '; ')).toBe('a and 2,000 more');
});
