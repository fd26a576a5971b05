import { FilesystemStore } from '@orchard/storage';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Attempts, defaultLimits, failureOf } from './attempts.js';
import { Marks } from './marks.js';

const run = 'c'.repeat(64);
const job = { stage: 'train', runId: run, dimension: 5, checkpoint: 0 } as const;
let folder: string;
let store: FilesystemStore;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'orchard-marks-'));
  store = await FilesystemStore.open(folder);
});
afterEach(() => rm(folder, { recursive: true }));

test('of many who append under one number one is told that it did, and all read the same history', async () => {
  const writers = Array.from({ length: 12 }, () => new Marks(store));
  for (let number = 0; number < 5; number++) {
    const took = await Promise.all(writers.map((marks) => marks.append(run, number, { kind: 'cancel' })));
    expect(took.filter(Boolean)).toHaveLength(1);
  }
  const histories = await Promise.all(writers.map((marks) => marks.of(run)));
  expect(histories[0]).toHaveLength(5);
  for (const history of histories) expect(history).toEqual(histories[0]);
  expect((await writers[0]!.all()).get(run)).toEqual(histories[0]);
});

test('marks come in the order of their numbers, the tenth after the ninth', async () => {
  const marks = new Marks(store);
  for (let number = 0; number < 12; number++)
    await marks.append(run, number, { kind: 'failed', reason: String(number) });
  const reasons = (await new Marks(store).of(run)).map((mark) => (mark.kind === 'failed' ? mark.reason : ''));
  expect(reasons).toEqual(Array.from({ length: 12 }, (_, number) => String(number)));
});

test('a mark that is no mark is refused by its name', async () => {
  await store.put(`marks/${run}/000000`, Buffer.from('{"kind":"party"}'));
  await expect(new Marks(store).of(run)).rejects.toThrow('marks/');
});

test('work is given up after three failures, whose last is its reason, and counts anew in the next epoch', async () => {
  const attempts = new Attempts(store);
  for (const luck of ['bad', 'worse']) await attempts.record(job, 0, failureOf(new Error(luck)));
  expect((await attempts.quarantine(run, 0, defaultLimits)).fresh).toEqual([]);
  await attempts.record(job, 0, failureOf(Object.assign(new Error('worst'), { code: 'no-luck' })));
  const { fresh, troubles } = await attempts.quarantine(run, 0, defaultLimits);
  expect(fresh).toEqual(['train/5']);
  expect(troubles.quarantined.get('train/5')).toMatchObject({ attempts: 3, code: 'no-luck', reason: 'worst' });
  expect((await new Attempts(store).quarantine(run, 0, defaultLimits)).fresh).toEqual([]);
  expect((await attempts.troubles(run, 1)).quarantined.size).toBe(0);
});

test('the same failure twice counts twice, the same loss once', async () => {
  const attempts = new Attempts(store);
  const error = new Error('always the same');
  await Promise.all([1, 2].map(() => attempts.record(job, 0, failureOf(error))));
  await Promise.all([1, 2].map(() => attempts.recordLoss(job, 0, '1700000000000-1')));
  await attempts.recordLoss(job, 0, '1700000000000-2');
  const kinds = (await attempts.troubles(run, 0)).failures.get('train/5')!.map(({ kind }) => kind);
  expect(kinds.sort()).toEqual(['failed', 'failed', 'lost', 'lost']);
});

test('workers that vanish count for less, and other bytes at once', async () => {
  const attempts = new Attempts(store);
  for (let loss = 1; loss < defaultLimits.lost; loss++) await attempts.recordLoss(job, 0, `9-${loss}`);
  expect((await attempts.quarantine(run, 0, defaultLimits)).fresh).toEqual([]);
  await attempts.recordLoss(job, 0, '9-99');
  expect((await attempts.quarantine(run, 0, defaultLimits)).fresh).toEqual(['train/5']);
  const other = { ...job, dimension: 6 };
  await attempts.record(other, 0, failureOf(Object.assign(new Error('differs'), { code: 'conflict' })));
  expect((await attempts.quarantine(run, 0, defaultLimits)).fresh).toEqual(['train/6']);
});
