import { expect, test } from 'vitest';
import { paceAfter, recoverySeconds, slownessOf } from './pace.js';

test('nothing slows a worker that did not die', () => {
  expect(paceAfter(0, 0)).toEqual({ tasks: Infinity, waitSeconds: 0 });
  expect(slownessOf('Worker w', 0, paceAfter(0, 0))).toBeNull();
});

test('after one death it takes one task at a time; after more it waits first, twice as long each time, up to a minute', () => {
  expect(paceAfter(1, 0)).toEqual({ tasks: 1, waitSeconds: 0 });
  expect([2, 3, 4, 5, 6, 97].map((deaths) => paceAfter(deaths, 0).waitSeconds)).toEqual([4, 8, 16, 32, 60, 60]);
  expect(paceAfter(3, 7.9).tasks).toBe(0);
  expect(paceAfter(3, 8).tasks).toBe(1);
  expect(paceAfter(97, 60).tasks).toBe(1);
});

test('it has recovered when it has lived for three minutes, however often it died', () => {
  for (const deaths of [1, 2, 97]) {
    expect(paceAfter(deaths, recoverySeconds - 0.1).tasks).toBe(1);
    expect(paceAfter(deaths, recoverySeconds).tasks).toBe(Infinity);
    expect(slownessOf('Worker w', deaths, paceAfter(deaths, recoverySeconds))).toBeNull();
  }
});

test('what slows it is said with its name, how often it died, and what it does about it', () => {
  expect(slownessOf('Worker host-7', 1, paceAfter(1, 0))).toMatch(
    /^Worker host-7 died once .* It takes one task at a time/,
  );
  expect(slownessOf('Worker host-7', 3, paceAfter(3, 0))).toMatch(
    /died 3 times .* It waits 8 s before it takes tasks, and then/,
  );
  expect(slownessOf('Worker host-7', 3, paceAfter(3, 9))).toMatch(/died 3 times .* It takes one task at a time/);
});
