import { expect, it } from 'vitest';
import { table } from './figures.js';
import { textWidth } from './text-width.js';

it.each([
  ['Käse', 4],
  ['a\u0308', 1],
  ['да', 2],
  ['いいえ', 6],
  ['서울', 4],
  ['🍎 apple', 8],
  ['⚡️', 2],
  ['', 0],
])('%j takes %d places', (text, places) => {
  expect(textWidth(text)).toBe(places);
});

it('columns stand below each other where signs are wide', () => {
  expect(
    table(
      ['name', 'n'],
      [
        ['はい', '1'],
        ['a', '🍎'],
      ],
    ),
  ).toBe('name   n\nはい   1\na     🍎');
});
