import type { RunStatus } from '@orchard/contracts';
import { expect, test } from 'vitest';
import { splitsSchema } from '../datasets/split-documents.js';
import { chosenModel, parseSubmission } from './wanted.js';

test.each([
  ['training', 'Wait until the run is done.'],
  ['cancelled', 'orchard resume'],
  ['failed', 'POST /v1/runs/:id/resume'],
  ['done', 'orchard repair'],
])('a run that is %s and lacks its model says how it comes to have it', (state, way) => {
  const status = { id: 'a'.repeat(64), state, choice: {}, choices: [{}], networks: [], family: 'marginals' };
  const run = status as unknown as RunStatus;
  expect(() => chosenModel(run, {})).toThrow(way);
  expect(chosenModel({ ...run, networks: [{}] }, {})).toEqual({ choice: {}, name: 'model' });
});

test('the answer to rows that were shared out is the body of a submission, but for what tables.md takes away', () => {
  const [train, valid] = ['a'.repeat(64), 'b'.repeat(64)];
  const rows = { train: 9, valid: 1, test: null };
  const forPeople = { rows, notes: ['9 rows train'], leftOut: [] };
  const answer = splitsSchema.parse({ model: 'tables', train, valid, test: null, members: 1, ...forPeople });
  const body = Object.fromEntries(Object.entries(answer).filter(([name]) => !(name in forPeople)));
  expect(parseSubmission(body)).toMatchObject({ splits: { train, valid, test: null }, words: { members: 1 } });
  expect(() => parseSubmission(answer)).toThrow('unknown "rows", "notes", "leftOut"');
});
