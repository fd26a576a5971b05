import { expect, test } from 'vitest';
import { askCompare } from './ask-compare.js';
import { modelOfHours } from './table-of-hours.suite.js';

/** Likelier where hours are late, and where they are early. */
const [late, early] = [modelOfHours(['from', 'to'], 3), modelOfHours(['to', 'from'], 1 / 3)];
const rows = [
  { from: 5, to: 4 },
  { from: 4, to: 5 },
  { from: 5, to: 5 },
  { from: 4, to: 4 },
];

test('the likelier of two models is named, in all and by column, whatever the order of its columns', async () => {
  const there = await askCompare(late, early, { rows });
  const back = await askCompare(early, late, { rows });
  expect([there.rows, there.better, back.better, there.otherLabels]).toEqual([4, 'a', 'b', []]);
  expect(there.columns.map(({ name }) => name)).toEqual(['from', 'to']);
  expect(there.difference).toBeCloseTo(there.a.logLikelihood - there.b.logLikelihood, 12);
  expect(back.difference).toBeCloseTo(-there.difference, 12);
  const sum = there.columns.reduce((all, { difference }) => all + difference!, 0);
  expect(sum).toBeCloseTo(there.difference, 12);
});

test('a model is as good as itself', async () => {
  const { better, difference, standardError } = await askCompare(late, late, { rows });
  expect([better, difference, standardError]).toEqual(['neither', 0, 0]);
});

test('models of other columns are refused, and what is no question', async () => {
  await expect(askCompare(late, modelOfHours(['from', 'till'], 1), { rows })).rejects.toThrow(
    'B: got the model of a table of 2 columns, without "to", with "till", expected the 2 columns of A',
  );
  await expect(askCompare(late, early, { rows: [] })).rejects.toThrow('rows');
  await expect(askCompare(late, early, { rows: [{ then: 4 }] })).rejects.toThrow('"then"');
});
