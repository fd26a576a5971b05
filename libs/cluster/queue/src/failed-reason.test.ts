import { expect, test } from 'vitest';
import { failedReasonOf, readFailedReason } from './failed-reason.js';

test('of a failure the queue keeps its code and what it took', () => {
  expect(readFailedReason(failedReasonOf({ code: 'training-failed' }, 12.34))).toEqual({
    code: 'training-failed',
    seconds: 12.3,
  });
  expect(readFailedReason(failedReasonOf(new Error('a secret'), 0))).toEqual({ code: 'unexpected', seconds: 0 });
});

test('what a worker of an earlier release wrote is a code', () => {
  expect(readFailedReason('unexpected')).toEqual({ code: 'unexpected', seconds: 0 });
});
