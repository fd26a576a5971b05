import { expect, test } from 'vitest';
import { summarySchema } from './index.js';

const figures = {
  trees: 3,
  trainLogLikelihood: -1,
  validLogLikelihood: -2,
  testLogLikelihood: null,
  refit: null,
};
/** As summaries were written before there were warnings. */
const old = {
  runId: 'a'.repeat(64),
  dataset: { sha256: 'b'.repeat(64), dimensions: 2, rows: { train: 9, valid: 3, test: null } },
  selections: {
    individual: figures,
    common: { ...figures, rounds: 2 },
    linearized: figures,
    linearizedBackward: figures,
  },
  network: {
    path: 'network.msgpack',
    sha256: 'c'.repeat(64),
    bytes: 7,
    selection: 'linearized',
    refit: false,
    testLogLikelihood: null,
  },
};

test('a summary without warnings is read as it was written, and one with them keeps codes and sentences', () => {
  expect(summarySchema.parse(old)).toEqual(old);
  const warned = { ...old, warnings: [{ code: 'constant-columns', message: 'One column has one value.' }] };
  expect(summarySchema.parse(warned)).toEqual(warned);
  expect(summarySchema.safeParse({ ...old, warnings: [{ code: 'mood', message: 'x' }] }).success).toBe(false);
});
