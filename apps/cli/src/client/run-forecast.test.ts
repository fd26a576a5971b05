import { expect, test } from 'vitest';
import type { RunStatus } from './documents.js';
import { startInWords, threadTimeInWords } from './run-forecast.js';

const starting = (starts: object | undefined): string | null => startInWords({ starts } as unknown as RunStatus);
const queue = { threads: 4, freeThreads: 0, jobsBefore: 0, runsBefore: 0, secondsUntil: null };

test.each([
  ['starts at once: 3 of 4 threads free', { freeThreads: 3, secondsUntil: 0 }],
  ['starts when a job in work is done: all of 4 threads are busy', {}],
  [
    'starts in about 40 s: 64 jobs of 1 run before it, on 4 threads',
    { jobsBefore: 64, runsBefore: 1, secondsUntil: 40 },
  ],
  ['starts after 64 jobs of 2 runs before it, on 4 threads', { jobsBefore: 64, runsBefore: 2 }],
  ['starts when a worker comes: none is there', { threads: 0 }],
])('%s', (words, starts) => {
  expect(starting({ ...queue, ...starts })).toBe(words);
});

test('a coordinator of before does not say', () => {
  expect(starting(undefined)).toBeNull();
});

test('a run costs a range, and less by the clock on several threads', () => {
  const time = { secondsLeast: 7_200, secondsMost: 18_000 };
  expect(threadTimeInWords(time, 1)).toBe('takes about 2 to 5 h of threads like those of this machine');
  expect(threadTimeInWords(time, 4)).toBe(
    'takes about 2 to 5 h of threads like those of this machine: 30 to 75 min on the 4 of the cluster, where nothing else runs',
  );
});
