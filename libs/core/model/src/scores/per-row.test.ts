import { expect, test } from 'vitest';
import { perRowLines } from './per-row.js';

test('likelihoods under rules stand beside the others: empty where unknown, -Infinity where a rule is broken', () => {
  const rows = { scores: Float64Array.of(1, 2, 0), logLikelihoods: Float64Array.of(-3, -4, -5) };
  const asked = { flagged: Uint8Array.of(0, 1, 0), top: 0, explained: new Map() };
  expect([...perRowLines({ ...rows, ...asked, underRules: Float64Array.of(-2.5, -Infinity, NaN) })]).toEqual([
    'row,score,logLikelihood,logLikelihoodUnderRules,outlier\n',
    '1,1,-3,-2.5,0\n',
    '2,2,-4,-Infinity,1\n',
    '3,0,-5,,0\n',
  ]);
  expect([...perRowLines({ ...rows, ...asked })][0]).toBe('row,score,logLikelihood,outlier\n');
});
