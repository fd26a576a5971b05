import { expect, test } from 'vitest';
import { askScore } from './index.js';
import { hours, modelOfHours } from './table-of-hours.suite.js';

/** Small values are rare. */
const model = modelOfHours(['start', 'end', 'pause'], 9);

const scored = async (rows: readonly object[], givenColumns?: readonly string[]) =>
  (await askScore(model, { rows, ...(givenColumns !== undefined && { givenColumns }) })).rows;

test('scores are of the other columns, whatever the given ones are, and these are no reason', async () => {
  const rows = hours.map((start) => ({ start, end: 1, pause: 5 }));
  const given = await scored(rows, ['start']);
  for (const { anomalyScore, surprising } of given) {
    expect(anomalyScore).toBeCloseTo(given[0]!.anomalyScore!, 10);
    expect(surprising.map(({ column }) => column)).not.toContain('start');
  }
  const [usual] = await scored([{ start: 1, end: 5, pause: 5 }], ['start']);
  expect(given[0]!.anomalyScore).toBeGreaterThan(usual!.anomalyScore!);
  expect(new Set((await scored(rows)).map(({ anomalyScore }) => anomalyScore)).size).toBeGreaterThan(1);
});

test('columns that are not first in the model are refused with what to train, and columns that it has not by name', async () => {
  await expect(scored([{ start: 1, end: 1, pause: 1 }], ['end'])).rejects.toThrow('--ordering first:end');
  await expect(scored([{ start: 1, end: 1, pause: 1 }], ['strat'])).rejects.toThrow('Did you mean "start"?');
});

test('what to train names a column with a comma in double quotes', async () => {
  const asked = askScore(modelOfHours(['start', 'end, m'], 9), {
    rows: [{ start: 1, 'end, m': 1 }],
    givenColumns: ['end, m'],
  });
  await expect(asked).rejects.toThrow(`--ordering 'first:"end, m"'`);
});
