import { expect, test } from 'vitest';
import { RepeatedErrors } from './repeated-errors.js';

test('the same error is logged once a minute, with how often it came, and another at once', () => {
  const lines: [object, string][] = [];
  let now = 0;
  const errors = new RepeatedErrors(
    { warn: (fields: object, text?: string) => lines.push([fields, text!]) },
    () => now,
  );
  const refused = new Error('NOREPLICAS Not enough good replicas to write.');
  for (let at = 0; at < 3_000; at++) errors.warn(refused, 'the queue');
  errors.warn(new Error('BUSY script 17 runs'), 'the queue');
  errors.warn(new Error('BUSY script 18 runs'), 'the queue');
  expect(lines).toHaveLength(2);
  now = 61_000;
  errors.warn(refused, 'the queue');
  expect(lines).toHaveLength(3);
  expect(lines[2]).toEqual([{ err: refused, timesBefore: 2_999 }, 'the queue']);
});

test('errors that differ each time take no more memory than a hundred', () => {
  let lines = 0;
  const errors = new RepeatedErrors({ warn: () => void lines++ }, () => 0);
  for (let at = 0; at < 1_000; at++) errors.warn(new Error(`${'x'.repeat(at)}y`), 'the queue');
  expect(lines).toBe(1_000);
  errors.warn(new Error(`${'x'.repeat(999)}y`), 'the queue');
  expect(lines).toBe(1_000);
});
