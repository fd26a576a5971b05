import { expect, it } from 'vitest';
import { folded, foldedTable } from './folded.js';

it('a line is broken between words, and what follows stands further in', () => {
  const text = '  - e-bikes alone have a battery, the price is the hours times the rate';
  expect(folded(text, 32).split('\n')).toEqual([
    '  - e-bikes alone have a',
    '    battery, the price is the',
    '    hours times the rate',
  ]);
  expect(folded(text, text.length)).toBe(text);
  expect(folded(text, Infinity)).toBe(text);
});

it('a word that is too long stays whole', () => {
  expect(folded('see run/report-of-everything.html for more', 10).split('\n')).toEqual([
    'see',
    '  run/report-of-everything.html',
    '  for more',
  ]);
  expect(folded('', 3)).toBe('');
});

it('columns that do not fit stand below', () => {
  const [head, rows] = [['season', 'date', 'price'], [['summer', '2024-06-25', '45']]];
  expect(foldedTable(head, rows, 20)).toBe('season        date\nsummer  2024-06-25\n\nprice\n45');
  expect(foldedTable(head, rows, Infinity).split('\n')).toHaveLength(2);
  expect(foldedTable(head, rows, 1).split('\n\n')).toHaveLength(3);
});
