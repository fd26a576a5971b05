import { expect, test } from 'vitest';
import { deletionsAhead, expiredRuns, type RetainedRun, type RetentionRules } from './retention.js';

const day = 86_400_000;
const now = 1000 * day;
const noRules: RetentionRules = { keepSeconds: null, lastOfPerson: null, bytesOfPerson: null };

/** A run of ann's that ended so many days ago. */
function ended(run: string, daysAgo: number, more: Partial<RetainedRun> = {}): RetainedRun {
  return { run, person: 'token:ann', endedAt: now - daysAgo * day, bytes: 10, isPinned: false, ...more };
}

const expired = (all: RetainedRun[], rules: Partial<RetentionRules>): string[] =>
  expiredRuns(all, { ...noRules, ...rules }, now).map(({ run }) => run);

test('without rules every run stays', () => {
  expect(expired([ended('a', 900), ended('b', 0)], {})).toEqual([]);
});

test('by age goes what ended before, whoever it is of, the oldest first', () => {
  const all = [ended('new', 29), ended('old', 31), ended('older', 90, { person: null })];
  expect(expired(all, { keepSeconds: 30 * 86_400 })).toEqual(['older', 'old']);
});

test('of each person the last stay, whatever others have', () => {
  const bob = { person: 'token:bob' };
  const all = [ended('a1', 1), ended('a2', 2), ended('a3', 3), ended('b1', 9, bob), ended('x', 99, { person: null })];
  expect(expired(all, { lastOfPerson: 2 })).toEqual(['a3']);
});

test('by bytes the oldest go until the rest fits, and the newest stays though it alone is too large', () => {
  const all = [ended('a1', 1, { bytes: 40 }), ended('a2', 2, { bytes: 50 }), ended('a3', 3, { bytes: 20 })];
  expect(expired(all, { bytesOfPerson: 90 })).toEqual(['a3']);
  expect(expired(all, { bytesOfPerson: 80 })).toEqual(['a2']);
  expect(expired(all, { bytesOfPerson: 30 })).toEqual(['a3', 'a2']);
});

test('what is open or pinned stays by every rule, and its bytes count before those of the others', () => {
  const all = [
    ended('open', 0, { endedAt: null, bytes: 50 }),
    ended('pinned', 500, { isPinned: true, bytes: 30 }),
    ended('a1', 1),
    ended('a2', 2),
  ];
  expect(expired(all, { keepSeconds: 10 * 86_400, lastOfPerson: 2, bytesOfPerson: 1000 })).toEqual([]);
  expect(expired(all, { bytesOfPerson: 99 })).toEqual(['a2']);
});

test('each is said why', () => {
  const all = [ended('a1', 1), ended('a2', 2), ended('a3', 40)];
  expect(expiredRuns(all, { keepSeconds: 30 * 86_400, lastOfPerson: 1, bytesOfPerson: null }, now)).toEqual([
    { run: 'a3', why: 'it ended more than 30 days ago' },
    { run: 'a2', why: 'its submitter has 1 newer runs' },
  ]);
});

test('ahead each is said with when it goes: by age to the day, by the rules of a person at once', () => {
  const all = [
    ended('a1', 1),
    ended('a2', 2),
    ended('pinned', 3, { isPinned: true }),
    ended('open', 0, { endedAt: null }),
    ended('x', 40, { person: null }),
    ended('y', 5, { person: null }),
  ];
  const rules = { keepSeconds: 30 * 86_400, lastOfPerson: 1, bytesOfPerson: null };
  const why = 'runs are kept for 30 days after their end';
  expect(Object.fromEntries(deletionsAhead(all, rules, now))).toEqual({
    a1: { at: now + 29 * day, why },
    a2: { at: now, why: 'its submitter has 1 newer runs' },
    x: { at: now, why: 'it ended more than 30 days ago' },
    y: { at: now + 25 * day, why },
  });
  expect(deletionsAhead(all, noRules, now).size).toBe(0);
});
