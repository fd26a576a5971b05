import { expect, test } from 'vitest';
import { shortened } from './shortened.js';

test('a text of more than 120 characters is shown without its middle', () => {
  expect(shortened('x'.repeat(120))).toBe('x'.repeat(120));
  expect(shortened(`${'🚲'.repeat(200_000)} (41 %)`)).toBe(`${'🚲'.repeat(89)}…${'🚲'.repeat(23)} (41 %)`);
});
