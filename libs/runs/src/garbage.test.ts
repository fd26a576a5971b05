import { presets, runIdOf, type RunSpecification } from '@orchard/contracts';
import { FilesystemStore } from '@orchard/storage';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { collectGarbage } from './garbage.js';
import { Marks } from './marks.js';

const data = (digit: string): string => digit.repeat(64);
const specification = (seed: number): RunSpecification => ({
  train: data('a'),
  valid: data('b'),
  test: null,
  ...presets.paper,
  ordering: 'natural',
  seed,
  numericsVersion: 1,
});
const choice = { selection: 'linearized', refit: true } as const;
const [deleted, done, local] = [1, 2, 3].map((seed) => runIdOf(specification(seed))) as [string, string, string];
let folder: string;
let store: FilesystemStore;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'orchard-garbage-'));
  store = await FilesystemStore.open(folder);
  const marks = new Marks(store);
  await marks.append(deleted, 0, { kind: 'submit', specification: specification(1), choice });
  await marks.append(deleted, 1, { kind: 'delete' });
  await marks.append(deleted, 2, { kind: 'removed' });
  await marks.append(done, 0, { kind: 'submit', specification: specification(2), choice });
  await marks.append(done, 1, { kind: 'resume' });
  await marks.append(done, 2, { kind: 'done' });
  const names = [
    `runs/${deleted}/conditionals/3`,
    `runs/${done}/conditionals/3`,
    `runs/${done}/checkpoints/3/10`,
    `runs/${done}/attempts/0/train/3/0`,
    `runs/${done}/attempts/1/train/3/0`,
    ...['a', 'c'].flatMap((digit) => [`datasets/${data(digit)}`, `datasets/${data(digit)}.facts`]),
    // a run needs this one, and nobody the others
    `datasets/${data('b')}`,
    ...['d', 'e'].map((digit) => `datasets/${data(digit)}`),
  ];
  for (const name of names) await store.put(name, Buffer.from(name));
});
afterEach(() => rm(folder, { recursive: true }));

const garbage = [
  `datasets/${data('d')}`,
  `datasets/${data('e')}`,
  `runs/${deleted}/conditionals/3`,
  `runs/${done}/attempts/0/train/3/0`,
  `runs/${done}/checkpoints/3/10`,
].sort();

test('what nothing refers to is listed with its reason, and nothing is touched', async () => {
  const before = await store.list('');
  const found = await collectGarbage(store);
  expect(found.map(({ name }) => name)).toEqual(garbage);
  expect(found.find(({ name }) => name.includes('checkpoints'))?.why).toBe('a checkpoint of a run that is done');
  expect(found.find(({ run }) => run === null)?.why).toBe('an upload that was cut off');
  expect(await store.list('')).toEqual(before);
});

test('on request it is removed, and nothing else: registered data sets stay, and what runs need', async () => {
  const before = (await store.list('')).map(({ name }) => name);
  expect((await collectGarbage(store, { remove: true })).map(({ name }) => name)).toEqual(garbage);
  expect(await collectGarbage(store)).toEqual([]);
  expect((await store.list('')).map(({ name }) => name)).toEqual(before.filter((name) => !garbage.includes(name)));
});

test('a run that somebody trained on one machine is left alone', async () => {
  for (const name of ['specification', 'checkpoints/3/10']) await store.put(`runs/${local}/${name}`, Buffer.from('x'));
  expect((await collectGarbage(store)).map(({ name }) => name)).toEqual(garbage);
});

test('a data set that is registered while its bits are being removed keeps them, and is not among what was removed', async () => {
  const id = data('d');
  const remove = store.delete.bind(store);
  vi.spyOn(store, 'delete').mockImplementation(async (name) => {
    if (name === `datasets/${id}`) await store.put(`datasets/${id}.facts`, Buffer.from('facts'));
    await remove(name);
  });
  const removed = await collectGarbage(store, { remove: true });
  expect(removed.map(({ name }) => name)).toEqual(garbage.filter((name) => !name.includes(id)));
  expect(await store.get(`datasets/${id}`)).toEqual(new Uint8Array(Buffer.from(`datasets/${id}`)));
});
