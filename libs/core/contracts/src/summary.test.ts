import { expect, test } from 'vitest';
import { validLogLikelihoodOf, type ModelSummary } from './summary.js';

const base = { runId: 'a'.repeat(64), dataset: {}, network: { path: 'network.msgpack' } };
const said = (more: object): number | null => validLogLikelihoodOf({ ...base, ...more } as unknown as ModelSummary);

test('every kind of summary says what its model is worth on validation rows, or nothing', () => {
  expect(said({ likelihoods: { train: -1, valid: -2, test: -3 } })).toBe(-2);
  expect(said({ likelihoods: { train: -1, valid: null, test: null } })).toBeNull();
  const selections = { individual: { validLogLikelihood: -4 }, linearizedBackward: { validLogLikelihood: -5 } };
  // not the best of all selections, which is too good: the one of the model
  expect(said({ selections, network: { selection: 'linearized-backward' } })).toBe(-5);
  expect(said({ selections, network: { selection: 'pooled' } })).toBeNull();
  expect(said({ members: [{ foldLogLikelihood: -6 }, { foldLogLikelihood: -8 }] })).toBe(-7);
  expect(said({})).toBeNull();
  expect(said({ likelihoods: 'other words of a later release' })).toBeNull();
});
