import type { RunStatus } from '@orchard/contracts';
import { expect, test } from 'vitest';
import { chosenModel } from './wanted.js';

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
