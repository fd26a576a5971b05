import { BitMatrix } from '@orchard/dataset';
import type { TabularModel } from '@orchard/model';
import { expect, test } from 'vitest';
import { importanceFacts } from './importance-facts.js';
import type { VariableFacts } from './table-facts.js';

/** What a column gains, in every row alike. */
const gaining = (name: string, position: number, gain: number): VariableFacts =>
  ({ name, position, loss: 1 - gain, ownLoss: 1, gainError: 0 }) as VariableFacts;

test('a column that is predicted from nothing has no bar, though smoothing gains it a little in every row', async () => {
  const shares = [
    [0, 0, 0],
    [1, 0, 0],
    [0, 0, 0],
  ];
  // rows that have trained other members test nothing
  const model = {
    specification: { members: 2 },
    importanceOf: (index: number) => Float64Array.from(shares[index]!),
  } as unknown as TabularModel;
  const variables = [gaining('a', 0, 0), gaining('b', 1, 0.5), gaining('c', 2, 0.001)];
  const heldOut = { rows: BitMatrix.create(1, 3), areTest: false };
  const facts = await importanceFacts(model, variables, heldOut, () => {
    throw new Error('not asked');
  });
  expect(facts.map(({ name }) => name)).toEqual(['b']);
  expect(facts[0]!.predictors).toEqual([{ name: 'a', share: 1, beyondNoise: null }]);
});
