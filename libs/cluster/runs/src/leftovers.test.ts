import { runIdOf } from '@orchard/contracts';
import { artefactNames } from '@orchard/pipeline';
import type { ObjectStore } from '@orchard/storage';
import { temporaryStore } from '@orchard/storage/testing';
import { beforeEach, expect, test, vi } from 'vitest';
import { collectGarbage } from './garbage.js';
import type { Decision } from './lifecycle.js';
import { Marks } from './marks.js';
import { specificationOf } from './specification.suite.js';

const specification = specificationOf(1);
const choice = { selection: 'linearized', refit: true } as const;
const run = runIdOf(specification);
const submit: Decision = { kind: 'submit', specification, choice };
let store: ObjectStore;

beforeEach(() => {
  store = temporaryStore();
});

async function decide(...decisions: Decision[]): Promise<void> {
  const marks = new Marks(store);
  const before = (await marks.of(run)).marks;
  for (const [number, decision] of decisions.entries()) await marks.append(run, before + number, decision);
}
async function write(...names: string[]): Promise<void> {
  for (const name of names) await store.put(name, Buffer.from(name));
}
const conditional = (id: string, dimension: number): string => `runs/${id}/conditionals/${dimension}`;
const checkpoint = (id: string, dimension: number, round: number): string =>
  `runs/${id}/checkpoints/${dimension}/${round}`;
const namesLeft = async (): Promise<string[]> => (await store.list(artefactNames.runs)).map(({ name }) => name);

test.each<[string, Decision[]]>([
  ['under way', [submit]],
  ['cancelled', [submit, { kind: 'cancel' }]],
  ['failed', [submit, { kind: 'failed', reason: 'x' }]],
])('of a run that is %s, checkpoints of trained dimensions alone go', async (_, decisions) => {
  await decide(...decisions);
  await write(artefactNames.specification(run), conditional(run, 3), checkpoint(run, 3, 100), checkpoint(run, 33, 100));
  const [only, ...others] = await collectGarbage(store, { remove: true });
  expect(others).toEqual([]);
  expect(only).toMatchObject({ run, name: checkpoint(run, 3, 100) });
  expect(only?.why).toBe('a checkpoint of a dimension that is trained');
  expect(await namesLeft()).toEqual(
    [checkpoint(run, 33, 100), conditional(run, 3), artefactNames.specification(run)].sort(),
  );
});

test('what nobody ever created a run for goes, and a run of one machine, which has a specification, stays', async () => {
  const nobody = 'e'.repeat(64);
  const local = [artefactNames.specification(run), checkpoint(run, 3, 10), conditional(run, 3)];
  await write(...local, conditional(nobody, 0), checkpoint(nobody, 1, 10));
  const found = await collectGarbage(store, { remove: true });
  expect(found.map((one) => [one.run, one.why])).toEqual([
    [nobody, 'its run was never created'],
    [nobody, 'its run was never created'],
  ]);
  expect(await namesLeft()).toEqual(local.sort());
});

test('a run that is being deleted is left to whoever deletes it', async () => {
  await decide(submit, { kind: 'delete' });
  await write(conditional(run, 0));
  expect(await collectGarbage(store, { remove: true })).toEqual([]);
  expect(await namesLeft()).toHaveLength(1);
});

test('a deleted run that is submitted again while its leftovers are listed keeps all that it has', async () => {
  await decide(submit, { kind: 'delete' }, { kind: 'removed' });
  await write(artefactNames.specification(run), conditional(run, 0));
  expect(await collectGarbage(store)).toHaveLength(2);
  const list = store.list.bind(store);
  let submitted = false;
  vi.spyOn(store, 'list').mockImplementation(async (prefix, options) => {
    const entries = await list(prefix, options);
    if (prefix === artefactNames.runs && !submitted) {
      submitted = true;
      await decide(submit);
    }
    return entries;
  });
  expect(await collectGarbage(store, { remove: true })).toEqual([]);
  expect(submitted).toBe(true);
  expect(await namesLeft()).toHaveLength(2);
});

test('a run whose marks are damaged is left alone: nobody can say what it was', async () => {
  await decide(submit, { kind: 'cancel' });
  await store.delete(`marks/${run}/000000`);
  await write(conditional(run, 3), checkpoint(run, 3, 100));
  expect(await collectGarbage(store, { remove: true })).toEqual([]);
  expect(await namesLeft()).toHaveLength(2);
});
