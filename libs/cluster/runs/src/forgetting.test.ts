import { runIdOf } from '@orchard/contracts';
import { artefactNames } from '@orchard/pipeline';
import { FilesystemStore } from '@orchard/storage';
import { folderOfTest } from '@orchard/storage/testing';
import { utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, test, vi } from 'vitest';
import { collectGarbage } from './garbage.js';
import type { Decision } from './lifecycle.js';
import { Marks } from './marks.js';
import { specificationOf } from './specification.suite.js';

const day = 24 * 3600;
const choice = { selection: 'linearized', refit: true } as const;
let folder: string;
let store: FilesystemStore;

beforeEach(async () => {
  folder = folderOfTest();
  store = await FilesystemStore.open(folder);
});

async function decide(seed: number, ...decisions: Decision[]): Promise<string> {
  const run = runIdOf(specificationOf(seed));
  const marks = new Marks(store);
  const submit: Decision = { kind: 'submit', specification: specificationOf(seed), choice };
  const { marks: before } = await marks.of(run);
  for (const [number, decision] of [submit, ...decisions].entries()) await marks.append(run, before + number, decision);
  if (decisions.length > 0) await marks.close(run);
  return run;
}
async function age(seconds: number, prefix: string): Promise<void> {
  const then = Date.now() / 1000 - seconds;
  for (const { name } of await store.list(prefix)) await utimes(join(folder, name), then, then);
}
const namesLeft = async (prefix: string): Promise<string[]> => (await store.list(prefix)).map(({ name }) => name);
const remove = { remove: true } as const;

test('the record of a run that was removed is kept for a day, then listed, and on request forgotten; others stay', async () => {
  const removed = await decide(1, { kind: 'delete' }, { kind: 'removed' });
  const others = [
    await decide(2, { kind: 'done' }),
    await decide(3, { kind: 'failed', reason: 'x' }),
    await decide(4, { kind: 'delete' }),
    await decide(5),
  ];
  await age(day - 60, 'marks/');
  expect(await collectGarbage(store, remove)).toEqual([]);
  await age(day + 60, 'marks/');
  const found = await collectGarbage(store);
  expect(found.map(({ name }) => name)).toEqual([0, 1, 2].map((number) => `marks/${removed}/00000${number}`));
  expect(found[0]).toMatchObject({ run: removed, dataset: null, why: 'the record of a run that was deleted' });
  expect(await collectGarbage(store, { ...remove, olderThanSeconds: 2 * day })).toEqual([]);
  expect(await collectGarbage(store, remove)).toEqual(found);
  expect(await namesLeft(`marks/${removed}/`)).toEqual([]);
  expect(await collectGarbage(store, remove)).toEqual([]);
  for (const run of others) expect((await new Marks(store).of(run)).life).not.toBeNull();
  expect(await namesLeft('open/')).toEqual([others[2]!, others[3]!].map((run) => `open/${run}`).sort());
});

test('a run of which something young is left is remembered until that is gone', async () => {
  const run = await decide(1, { kind: 'delete' }, { kind: 'removed' });
  await age(2 * day, 'marks/');
  await store.put(`runs/${run}/conditionals/3`, Buffer.from('late'));
  expect(await collectGarbage(store, { ...remove, olderThanSeconds: day })).toEqual([]);
  await age(2 * day, 'runs/');
  expect((await collectGarbage(store, { ...remove, olderThanSeconds: day })).map(({ why }) => why)).toEqual([
    ...[0, 1, 2].map(() => 'the record of a run that was deleted'),
    'its run was deleted',
  ]);
  expect(await namesLeft('')).toEqual([]);
});

test('a run that is submitted again while it is being forgotten is not', async () => {
  const run = await decide(1, { kind: 'delete' }, { kind: 'removed' });
  await age(2 * day, 'marks/');
  const list = store.list.bind(store);
  let isSubmitted = false;
  vi.spyOn(store, 'list').mockImplementation(async (prefix, options) => {
    const page = await list(prefix, options);
    if (prefix === `marks/${run}/` && !isSubmitted) {
      isSubmitted = true;
      await decide(1);
    }
    return page;
  });
  expect(await collectGarbage(store, remove)).toEqual([]);
  expect((await new Marks(store).of(run)).life).toMatchObject({ standing: 'open', epoch: 3 });
});

test('words of deletions of data sets go with what was removed, after a day', async () => {
  const [old, young] = ['1', '2'].map((digit) => artefactNames.datasetDeletion(digit.repeat(64)));
  for (const name of [old!, young!]) await store.put(name, new Uint8Array());
  await age(day + 60, old!);
  await collectGarbage(store);
  expect(await namesLeft('deleting/')).toEqual([old, young]);
  await collectGarbage(store, remove);
  expect(await namesLeft('deleting/')).toEqual([young]);
});

test('names of runs are put right: of one that is no more they go, and one without a name of its end gets it', async () => {
  const done = await decide(1, { kind: 'done' });
  const gone = 'c'.repeat(64);
  const [ended, ...needs] = (await namesLeft('')).filter((name) => name.endsWith(done) && !name.startsWith('marks/'));
  expect([ended, needs.length]).toEqual([`ended/done/${done}`, 2]);
  await store.delete(ended!);
  await store.put(`needs/${'a'.repeat(64)}/${gone}`, new Uint8Array());
  await collectGarbage(store, remove);
  expect(await namesLeft('ended/')).toEqual([ended]);
  expect(await namesLeft('needs/')).toEqual(needs);
});
