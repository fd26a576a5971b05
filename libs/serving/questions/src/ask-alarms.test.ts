import type { TabularModel } from '@orchard/model';
import { expect, test } from 'vitest';
import { askAlarms } from './ask-alarms.js';
import { hours, modelOfHours } from './table-of-hours.suite.js';

/** Small values are rare. */
const model = modelOfHours(['start', 'end', 'pause'], 9) as TabularModel;
const none = (): Promise<null> => Promise.resolve(null);
const heldOut = () => Promise.resolve({ rows: model.sample(400, 5), split: 'test' as const, chosenOf: 1 });
const rows = [...Array.from({ length: 30 }, () => ({ start: 8, end: 8, pause: 8 })), { start: 0, end: 0, pause: 0 }];

test('rows are alarms that score higher than usual ones do at that rate, and columns that drifted are named', async () => {
  const usualScores = Array.from({ length: 99 }, (_, at) => at / 100);
  const found = await askAlarms(model, { rows, rate: 0.01, usualScores }, none);
  expect(found).toMatchObject({ usual: 'request', usualRows: 99, promised: 0.01, threshold: 0.98 });
  expect(found.rows).toEqual(found.scores.flatMap((score, at) => (score > 0.98 ? [at + 1] : [])));
  expect(found.drift.map(({ column }) => column)).toContain('start');
});

test('usual rows are those that the run held out, where the question says none', async () => {
  const found = await askAlarms(model, { rows, rate: 0.02 }, heldOut);
  expect(found).toMatchObject({ usual: 'test', usualRows: 400 });
  const again = await askAlarms(model, { rows, rate: 0.02, givenColumns: ['start'] }, heldOut);
  expect(again.threshold).not.toBe(found.threshold);
});

test('of rows that the model samples a share of at most the rate are alarms', async () => {
  const { table } = model;
  const names = table.variables.map(({ name }) => name);
  const sampled = model.sample(1000, 9);
  const numbers = Array.from({ length: 1000 }, (_, row) =>
    names.map((_, index) => hours[model.codeOf(sampled, row, index)]!),
  );
  const found = await askAlarms(model, { rows: numbers, names, rate: 0.05 }, heldOut);
  expect(found.rows.length).toBeLessThan(90);
  expect(found.drift).toEqual([]);
});

test('what cannot keep its rate is refused with what to do', async () => {
  await expect(askAlarms(model, { rows, rate: 0.02 }, none)).rejects.toThrow('usualScores');
  await expect(askAlarms(model, { rows, rate: 0.001 }, heldOut)).rejects.toThrow('999 for a rate of 1/1,000');
  await expect(askAlarms(model, { rows, rate: 0.02, window: 10 }, heldOut)).rejects.toThrow('window');
  await expect(askAlarms(model, { rows, rate: 1 }, heldOut)).rejects.toThrow('rate');
});
