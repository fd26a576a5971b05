import type { WorkerPresence } from '@orchard/queue';
import { expect, test } from 'vitest';
import { Notices } from './notices.js';
import type { TrackedRun } from './tracked-run.js';

const id = 'a'.repeat(64);
const family = { kinds: [{ kind: 'train', pool: 'worker' }] };
const run = { run: { id }, stage: 'train', family } as unknown as TrackedRun;

function worker(memoryBytes: number, needs?: number): WorkerPresence {
  const refused = needs === undefined ? {} : { [id]: needs };
  return { pool: 'worker', memoryBytes, refused, notice: null } as unknown as WorkerPresence;
}

const said = (...workers: WorkerPresence[]): string[] =>
  new Notices().of(run, workers, false).map(({ message }) => message);

test('a run that fits nowhere says what it needs and what the largest worker has, never the same figure', () => {
  const mebibyte = 2 ** 20;
  expect(said(worker(mebibyte, mebibyte + 1))).toEqual([
    'No worker has the memory for this run: it needs 1.1 MiB, the largest worker has 1 MiB.',
  ]);
  expect(said(worker(mebibyte, 3 * mebibyte), worker(2 * mebibyte, 4 * mebibyte))).toEqual([
    'No worker has the memory for this run: it needs 4 MiB, the largest worker has 2 MiB.',
  ]);
});

test('a run that some worker has not refused waits for no memory', () => {
  expect(said(worker(1, 2), worker(1))).toEqual([]);
});

test('a run without workers says which are missing, since when', () => {
  const notices = new Notices();
  const [first] = notices.of(run, [], false);
  expect(first).toMatchObject({ code: 'no-worker' });
  expect(notices.of(run, [], false)).toEqual([first]);
  expect(notices.of(run, [worker(1)], false)).toEqual([]);
});

test('a deletion that the store refuses says so, since it first did, until it succeeds', () => {
  const notices = new Notices();
  expect(notices.ofDeletion(id)).toBeNull();
  notices.failed(id, new Error('Got AccessDenied (403), an object lock.'));
  const first = notices.ofDeletion(id)!;
  expect(first).toMatchObject({
    code: 'not-removed',
    message: 'What it stored cannot be removed: Got AccessDenied (403), an object lock.',
  });
  notices.failed(id, new Error('Got AccessDenied (403), an object lock.'));
  expect(notices.ofDeletion(id)).toEqual(first);
  notices.reconciled(id);
  expect(notices.ofDeletion(id)).toBeNull();
});

test('of runs that are over nothing is kept', () => {
  const other = 'b'.repeat(64);
  const notices = new Notices();
  notices.returned(id, 'no memory');
  notices.failed(other, new Error('no answer'));
  notices.keepOnly(new Set([id]));
  expect(notices.ofDeletion(other)).toBeNull();
  expect(notices.of(run, [worker(1)], false).map(({ code }) => code)).toEqual(['handed-back']);
  notices.keepOnly(new Set());
  expect(notices.of(run, [worker(1)], false)).toEqual([]);
});

test('a worker that is set aside is named as such, and one that is slowed as that', () => {
  const noticed = (isAside: boolean): WorkerPresence => ({ ...worker(1), notice: 'Worker a says why.', isAside });
  const codes = [true, false].flatMap((isAside) =>
    new Notices().of(run, [noticed(isAside)], false).map(({ code }) => code),
  );
  expect(codes).toEqual(['worker-aside', 'worker-slowed']);
});
