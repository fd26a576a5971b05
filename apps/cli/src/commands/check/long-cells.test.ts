import type { CheckedTable } from '@orchard/analysis';
import { expect, test } from 'vitest';
import { wordsOfOutlier } from '../evaluate/show-outliers.js';
import { cellsMarkdown, cellsText } from './show-cells.js';

const cell = {
  ...{ row: 1, column: 'k'.repeat(5000), value: 'v'.repeat(200_000), probability: 0.1, score: 2, surprise: 2 },
  ...{ expected: 'e'.repeat(5000), expectedLow: null, expectedHigh: null, expectedLabel: null },
  ...{ typoOf: null, form: null },
};
const found: CheckedTable = { cells: [cell], rows: 10, columns: 2, drift: null };
const shown = { count: 1, falseAlarms: 0.01 };

test.each([
  ['evaluate --worst and outliers', wordsOfOutlier({ row: 1, score: 2, logLikelihood: -2, cells: [cell] })],
  ['check', cellsText(found, shown)],
  ['check --markdown', cellsMarkdown(found, shown)],
])('a cell that is a page is shown without its middle in the lines of %s', (_, text) => {
  for (const cut of ['kk…kk', 'vv…vv', 'ee…ee']) expect(text).toContain(cut);
  for (const line of text.split('\n')) expect(line.length).toBeLessThan(500);
});
