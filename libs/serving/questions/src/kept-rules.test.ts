import type { DensityModel } from '@orchard/model';
import { expect, test } from 'vitest';
import { askComplete, askSample } from './index.js';
import { hours, modelOfHours } from './table-of-hours.suite.js';

/** A model of two columns that know nothing of each other. */
const modelOf = (rules: readonly { readonly words: string }[]): DensityModel =>
  modelOfHours(['start', 'end'], 0.5, rules);

interface Hours {
  readonly start: number;
  readonly end: number;
}

const rules = [{ words: 'start <= end' }];
const follows = (row: object): boolean => {
  const { start, end } = row as Hours;
  return start <= end;
};

test('sampled rows follow the rules that the model keeps, and these are said', () => {
  const rowsOf = (model: DensityModel): readonly object[] => askSample(model, { count: 100, seed: 1 }).rows;
  expect(rowsOf(modelOf([])).every(follows)).toBe(false);
  expect(rowsOf(modelOf(rules)).every(follows)).toBe(true);
  const said = { followed: true, rules: ['start <= end'] };
  expect(askSample(modelOf(rules), { count: 1 })).toMatchObject({ rules: said });
  expect(askSample(modelOf([]), { count: 1 })).not.toHaveProperty('rules');
});

test('rows of which something is given need not follow them, which is said', () => {
  expect(askSample(modelOf(rules), { count: 5, given: { end: 1 } })).toMatchObject({ rules: { followed: false } });
});

test('filled rows follow them', async () => {
  const rows = hours.map((start) => ({ start, end: null }));
  const answer = await askComplete(modelOf(rules), { rows, draws: 20, seed: 2 });
  const completions = answer.rows.flatMap((row): readonly object[] => row.completions);
  expect(completions).toHaveLength(100);
  expect(completions.every(follows)).toBe(true);
  expect(answer).toMatchObject({ rules: { followed: true } });
  expect(await askComplete(modelOf(rules), { rows, probabilities: true })).toMatchObject({
    rules: { followed: false },
  });
});
