import { expect, test } from 'vitest';
import { startOf } from './run-start.js';

const run = (threads: number, jobs: number, seconds: number | null) => ({
  threadsFor: () => threads,
  waitingFor: () => ({ jobs, seconds }),
});

test.each([
  ['at once where a thread is free', [run(1, 0, 0)], 2, { freeThreads: 1, jobsBefore: 0, secondsUntil: 0 }],
  ['behind the queue of all', [run(2, 6, 12), run(0, 4, 8), run(0, 0, 0)], 2, { runsBefore: 2, secondsUntil: 10 }],
  ['unknown where no such job has ended', [run(2, 6, null), run(0, 4, 8)], 2, { jobsBefore: 10, secondsUntil: null }],
  ['unknown where it waits for a job in work', [run(3, 0, 0)], 2, { freeThreads: 0, secondsUntil: null }],
  ['unknown without a worker', [], 0, { threads: 0, secondsUntil: null }],
])('a run starts %s', (_, others, threads, expected) => {
  expect(startOf(others, { threads, areForShort: false })).toMatchObject(expected);
});
