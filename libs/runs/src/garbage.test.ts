import { presets, runIdOf, type RunSpecification } from '@orchard/contracts';
import { FilesystemStore } from '@orchard/storage';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
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
    ...['a', 'b', 'c'].flatMap((digit) => [`datasets/${data(digit)}`, `datasets/${data(digit)}.facts`]),
  ];
  for (const name of names) await store.put(name, Buffer.from(name));
});
afterEach(() => rm(folder, { recursive: true }));

const garbage = [
  `runs/${deleted}/conditionals/3`,
  `runs/${done}/attempts/0/train/3/0`,
  `runs/${done}/checkpoints/3/10`,
].sort();

test('what no run refers to is listed with its reason, and nothing is touched', async () => {
  const before = await store.list('');
  const found = await collectGarbage(store);
  expect(found.map(({ name }) => name)).toEqual(garbage);
  expect(found.find(({ name }) => name.includes('checkpoints'))?.why).toBe('a checkpoint of a run that is done');
  expect(await store.list('')).toEqual(before);
});

test('on request it is removed, and data sets that no run needs with it', async () => {
  const found = await collectGarbage(store, { remove: true, datasets: true });
  expect(found).toHaveLength(5);
  expect(await collectGarbage(store, { datasets: true })).toEqual([]);
  expect(await store.head(`datasets/${data('a')}`)).not.toBeNull();
  expect(await store.head(`datasets/${data('c')}.facts`)).toBeNull();
  expect(await store.head(`runs/${done}/conditionals/3`)).not.toBeNull();
});

test('a run that somebody trained on one machine is left alone, and so are the data sets then', async () => {
  for (const name of ['specification', 'checkpoints/3/10']) await store.put(`runs/${local}/${name}`, Buffer.from('x'));
  expect((await collectGarbage(store, { datasets: true })).map(({ name }) => name)).toEqual(garbage);
});
