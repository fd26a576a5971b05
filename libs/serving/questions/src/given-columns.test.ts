import { expect, test } from 'vitest';
import { askScore } from './index.js';
import { hours, modelOfHours } from './table-of-hours.suite.js';

/** Small values are rare. */
const model = modelOfHours(['start', 'end', 'pause'], 9);

interface Scored {
  readonly anomalyScore: number;
  readonly surprising: readonly { readonly column: string }[];
}

const scored = (rows: readonly object[], givenColumns?: readonly string[]): readonly Scored[] =>
  askScore(model, { rows, ...(givenColumns !== undefined && { givenColumns }) }).rows as readonly Scored[];

test('scores are of the other columns, whatever the given ones are, and these are no reason', () => {
  const rows = hours.map((start) => ({ start, end: 1, pause: 5 }));
  const given = scored(rows, ['start']);
  for (const { anomalyScore, surprising } of given) {
    expect(anomalyScore).toBeCloseTo(given[0]!.anomalyScore, 10);
    expect(surprising.map(({ column }) => column)).not.toContain('start');
  }
  expect(given[0]!.anomalyScore).toBeGreaterThan(scored([{ start: 1, end: 5, pause: 5 }], ['start'])[0]!.anomalyScore);
  expect(new Set(scored(rows).map(({ anomalyScore }) => anomalyScore)).size).toBeGreaterThan(1);
});

test('columns that are not first in the model are refused with what to train, and columns that it has not by name', () => {
  expect(() => scored([{ start: 1, end: 1, pause: 1 }], ['end'])).toThrow('--ordering first:end');
  expect(() => scored([{ start: 1, end: 1, pause: 1 }], ['strat'])).toThrow('Did you mean "start"?');
});
