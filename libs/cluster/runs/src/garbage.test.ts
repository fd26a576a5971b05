import { runIdOf } from '@orchard/contracts';
import { BitMatrix } from '@orchard/dataset';
import { registerDataset } from '@orchard/pipeline';
import { FilesystemStore } from '@orchard/storage';
import { folderOfTest } from '@orchard/storage/testing';
import { utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { collectGarbage } from './garbage.js';
import { Marks } from './marks.js';
import { specificationOf } from './specification.suite.js';

const data = (digit: string): string => digit.repeat(64);
const choice = { selection: 'linearized', refit: true } as const;
const [deleted, done, local] = [1, 2, 3].map((seed) => runIdOf(specificationOf(seed))) as [string, string, string];
let folder: string;
let store: FilesystemStore;

beforeEach(async () => {
  folder = folderOfTest();
  store = await FilesystemStore.open(folder);
  const marks = new Marks(store);
  await marks.append(deleted, 0, { kind: 'submit', specification: specificationOf(1), choice });
  await marks.append(deleted, 1, { kind: 'delete' });
  await marks.append(deleted, 2, { kind: 'removed' });
  await marks.append(done, 0, { kind: 'submit', specification: specificationOf(2), choice });
  await marks.append(done, 1, { kind: 'resume' });
  await marks.append(done, 2, { kind: 'done' });
  for (const run of [deleted, done]) await marks.close(run);
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

describe('data sets that no run needs', () => {
  const hours = 3600;
  const age = async (seconds: number, ...names: readonly string[]): Promise<void> => {
    const then = Date.now() / 1000 - seconds;
    for (const name of names) await utimes(join(folder, name), then, then);
  };
  const storeRows = async (row: string, seconds: number): Promise<string> => {
    const { id } = await registerDataset(store, BitMatrix.fromRows([row, '01']));
    await age(seconds, `datasets/${id}`, `datasets/${id}.facts`);
    return id;
  };
  // those of the other tests have facts that are none
  beforeEach(() => Promise.all(['a', 'c'].map((digit) => store.delete(`datasets/${data(digit)}.facts`))));

  test('are found when they are asked for, with what is known of them, once they are old enough', async () => {
    const [old, young] = [await storeRows('00', 25 * hours), await storeRows('11', 1)];
    const found = await collectGarbage(store, { datasets: true, olderThanSeconds: 24 * hours });
    expect(found).toMatchObject([
      {
        name: `datasets/${old}`,
        run: null,
        dataset: { id: old, rows: 2, dimensions: 2 },
        why: 'a data set that no run needs',
      },
    ]);
    expect(found[0]!.size).toBeGreaterThan((await store.head(`datasets/${old}`))!.size);
    expect(await collectGarbage(store, { olderThanSeconds: 24 * hours })).toEqual([]);
    expect((await collectGarbage(store, { datasets: true })).map(({ dataset }) => dataset?.id)).toEqual(
      expect.arrayContaining([old, young]),
    );
  });

  test('are removed when they are old, and one that was stored a second ago for a submission under way is not', async () => {
    const [old, young] = [await storeRows('00', 25 * hours), await storeRows('11', 1)];
    const removed = await collectGarbage(store, { remove: true, datasets: true, olderThanSeconds: 24 * hours });
    expect(removed.map(({ dataset }) => dataset?.id)).toEqual([old]);
    const left = (await store.list('datasets/')).map(({ name }) => name);
    expect(left).toEqual(expect.arrayContaining([`datasets/${young}`, `datasets/${young}.facts`]));
    expect(left.filter((name) => name.includes(old))).toEqual([]);
  });

  test('stay when a run is submitted with them while they are looked at', async () => {
    const old = await storeRows('00', 25 * hours);
    const list = store.list.bind(store);
    vi.spyOn(store, 'list').mockImplementation(async (prefix, options) => {
      const page = await list(prefix, options);
      if (prefix === 'datasets/') {
        const wanting = { ...specificationOf(9), train: old };
        await new Marks(store).append(runIdOf(wanting), 0, { kind: 'submit', specification: wanting, choice });
      }
      return page;
    });
    expect(await collectGarbage(store, { remove: true, datasets: true, olderThanSeconds: 24 * hours })).toEqual([]);
    expect(await store.head(`datasets/${old}.facts`)).not.toBeNull();
  });

  test('are not alone in being kept: nothing young is listed or removed', async () => {
    expect(await collectGarbage(store, { remove: true, datasets: true, olderThanSeconds: hours })).toEqual([]);
    await age(2 * hours, `runs/${deleted}/conditionals/3`, `datasets/${data('d')}`);
    const removed = await collectGarbage(store, { remove: true, datasets: true, olderThanSeconds: hours });
    expect(removed.map(({ name }) => name)).toEqual([`datasets/${data('d')}`, `runs/${deleted}/conditionals/3`]);
  });
});
