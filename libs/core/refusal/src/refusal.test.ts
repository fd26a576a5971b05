import { describe, expect, test } from 'vitest';
import { isRefusal, Refusal } from './index.js';

const parts = { got: 'nothing', expected: '0 or 1', where: 'line 2', remedy: 'Fill it in.' };

describe('a refusal', () => {
  test('is told in a sentence, and in parts', () => {
    const refusal = new Refusal('value', parts);
    expect(refusal.message).toBe('line 2: got nothing, expected 0 or 1. Fill it in.');
    expect(refusal).toMatchObject({ ...parts, code: 'value', name: 'Refusal' });
    expect('where' in new Refusal('value', { got: 'a', expected: 'b', remedy: 'c' })).toBe(false);
  });

  test('may have no place, or words of its own', () => {
    expect(new Refusal('value', { got: 'a', expected: 'b', remedy: 'C.' }).message).toBe('got a, expected b. C.');
    expect(new Refusal('value', parts, { message: 'No.' }).message).toBe('No.');
  });

  test('says by its code whether the same may succeed later', () => {
    expect(new Refusal('unavailable', parts).retryable).toBe(true);
    expect(new Refusal('value', parts).retryable).toBe(false);
  });

  test('keeps what caused it, and has no cause where nothing did', () => {
    const cause = new Error('below');
    expect(new Refusal('disk', parts, { cause }).cause).toBe(cause);
    expect('cause' in new Refusal('disk', parts)).toBe(false);
  });

  test('that a library narrows is named by it, and is asked for by its code', () => {
    class StoreRefusal extends Refusal<'missing' | 'full'> {}
    const refusal: unknown = new StoreRefusal('full', parts);
    expect(refusal).toMatchObject({ name: 'StoreRefusal', retryable: true });
    expect(isRefusal(refusal)).toBe(true);
    expect(isRefusal(refusal, 'missing', 'full')).toBe(true);
    expect(isRefusal(refusal, 'missing')).toBe(false);
  });
});

test('what only looks like a refusal is none', () => {
  expect(isRefusal(Object.assign(new Error('full'), { ...parts, code: 'full' }))).toBe(false);
  for (const other of [null, undefined, 'full', { code: 'full' }]) expect(isRefusal(other, 'full')).toBe(false);
});
