import { paperSelections, type Wanted } from '@orchard/contracts';
import { BitMatrix } from '@orchard/dataset';
import { families } from '@orchard/registry';
import { artefactNames, replayTask, runLocally, type Family, type Replay, type ReplayOptions } from '@orchard/pipeline';
import { FilesystemStore } from '@orchard/storage';
import { trainedOn, type TestRun } from '@orchard/pipeline/conformance';
import { contentOf, folderOfTest } from '@orchard/storage/testing';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

const names = ['rain', 'wind', 'snow', 'sun', 'fog'];

/** Rows in which every column leans on the one before it. */
function rows(count: number, seed: number): BitMatrix {
  const matrix = BitMatrix.create(count, names.length, { names });
  for (let row = 0; row < count; row++) {
    for (let dim = 0; dim < names.length; dim++) {
      const turn = (row * 7 + dim * 3 + seed) % 5 === 0 ? 1 : 0;
      const bit = dim === 0 ? (row >> 1) & 1 : matrix.get(row, dim - 1) ^ turn;
      matrix.set(row, dim, bit === 1);
    }
  }
  return matrix;
}

type Trained = TestRun & { readonly family: Family };

async function trained(name: string, words: Record<string, unknown>): Promise<Trained> {
  const family = families.named(name);
  return { family, ...(await trainedOn([rows(80, 1), rows(40, 2)], family, words)) };
}

async function replay(
  { store, family, run }: Trained,
  kind: string,
  key: string | null,
  options: Partial<ReplayOptions> = {},
): Promise<Replay & { readonly folder: string }> {
  const folder = options.folder ?? folderOfTest();
  const before = await contentOf(store);
  const done = { folder, keepInputs: false, withReport: false, ...options };
  try {
    return { ...(await replayTask({ store, family, run, task: { kind, key }, ...done })), folder };
  } finally {
    expect(await contentOf(store), 'the store is as it was').toEqual(before);
  }
}

const network = { preset: 'default', leaves: 4, rounds: 8, seed: 3 };
const outputsOf = ({ run }: Trained, { outputs }: Replay): Record<string, string> =>
  Object.fromEntries(outputs.map(({ name, stored }) => [name.slice(artefactNames.run(run.id).length), stored]));

describe('a task of a finished run is done again, beside the store', () => {
  test('train, by its work name and by the name of its dimension', async () => {
    const done = await trained('lbarn', network);
    for (const key of ['3', 'sun']) {
      const again = await replay(done, 'train', key);
      expect(again).toMatchObject({ task: { kind: 'train', key: '3' }, error: undefined });
      expect(outputsOf(done, again)).toEqual({ 'conditionals/3': 'same' });
      expect(again.seconds).toBeGreaterThan(0);
      expect(again.peakBytes).toBeGreaterThan(1e6);
    }
  });

  test('train by the slow reference, to the same trees and curves of another last digit', async () => {
    const done = await trained('lbarn', network);
    const again = await replay(done, 'train', '4', { kernel: 'reference' });
    expect(outputsOf(done, again)).toEqual({ 'conditionals/4': 'other' });
    const name = again.outputs[0]!.name;
    const [stored, written] = await Promise.all(
      [done.store, await FilesystemStore.open(join(again.folder, 'outputs'))].map((store) => store.get(name)),
    );
    expect(written).toHaveLength(stored!.length);
  });

  test('select, which stores several and is the only one of its kind', async () => {
    const done = await trained('lbarn', network);
    const again = await replay(done, 'select', null);
    expect(again.error).toBeUndefined();
    const selections = Object.fromEntries(paperSelections.map((method) => [`selections/${method}`, 'same']));
    expect(outputsOf(done, again)).toEqual(selections);
  });

  test('refit, of which the plan is told by what is stored', async () => {
    const done = await trained('lbarn', network);
    const again = await replay(done, 'refit', '2');
    expect(again).toMatchObject({ error: undefined, outputs: [{ stored: 'same' }] });
    expect(again.task.key).toMatch(/^[0-9a-f]{16}\.2$/);
    const exact = await replay(done, 'refit', again.task.key);
    expect(exact).toMatchObject({ task: again.task, error: undefined, outputs: again.outputs });
  });

  test('assemble, of a network that was wanted and of one that was not', async () => {
    const done = await trained('lbarn', network);
    const again = await replay(done, 'assemble', 'common-refit', { withReport: true });
    expect(again.error).toBeUndefined();
    expect(outputsOf(done, again)).toEqual({
      'networks/common-refit.msgpack': 'same',
      'summaries/common-refit.json': 'same',
      'reports/common-refit.html': 'nothing',
    });
    const other = await replay(done, 'assemble', 'individual');
    expect(outputsOf(done, other)).toEqual({
      'networks/individual.msgpack': 'nothing',
      'summaries/individual.json': 'nothing',
    });
  });

  test('count, of another family', async () => {
    const done = await trained('marginals', {});
    const again = await replay(done, 'count', 'model');
    expect(again.error).toBeUndefined();
    expect(outputsOf(done, again)).toEqual({ 'networks/model.msgpack': 'same', 'summaries/model.json': 'same' });
  });
});

test('what is stored with other bytes is told from what was written', async () => {
  const done = await trained('lbarn', network);
  const name = `${artefactNames.run(done.run.id)}conditionals/1`;
  const bytes = await done.store.get(name);
  bytes[bytes.length >> 1]! ^= 1;
  await done.store.delete(name);
  await done.store.put(name, bytes);
  expect(outputsOf(done, await replay(done, 'train', '1'))).toEqual({ 'conditionals/1': 'other' });
});

test('a poisoned checkpoint fails with the error that it failed with, and its stack', async () => {
  const done = await trained('lbarn', network);
  const folder = artefactNames.run(done.run.id);
  // it can be read, but is of another dimension: training refuses to go on from it, every time
  await done.store.put(`${folder}checkpoints/3/4`, await done.store.get(`${folder}conditionals/2`));
  await done.store.delete(`${folder}conditionals/3`);
  const failed = await runLocally({
    store: done.store,
    family: done.family,
    specification: done.run.specification,
    choice: { selection: 'common', refit: false } as Wanted,
    threads: 1,
  }).catch((error: unknown) => error as Error);
  const { error, outputs } = await replay(done, 'train', '3');
  expect(error).toMatchObject({ code: 'training-failed', message: (failed as Error).message });
  expect((error as Error).cause).toMatchObject({ stack: expect.stringContaining('logitboost') as string });
  expect(outputs).toEqual([]);
});

test('inputs are kept where they are asked for, and are what the store has', async () => {
  const done = await trained('lbarn', network);
  const { folder } = await replay(done, 'refit', '2', { keepInputs: true });
  const inputs = await contentOf(await FilesystemStore.open(join(folder, 'inputs')));
  const stored = await contentOf(done.store);
  expect(Object.keys(inputs)).toContain(`${artefactNames.run(done.run.id)}conditionals/2`);
  for (const [name, hash] of Object.entries(inputs)) expect([name, hash]).toEqual([name, stored[name]]);
});

test.each([
  ['train', '5', 'one of train/4, train/3'],
  ['train', 'hail', 'one of train/4, train/3'],
  ['assemble', 'liniarized', 'one of assemble/'],
])('%s/%s is refused with those that there are', async (kind, key, expected) => {
  const done = await trained('lbarn', network);
  const error = expect.objectContaining({ code: 'bad-request', expected: expect.stringContaining(expected) as string });
  await expect(replay(done, kind, key)).rejects.toEqual(error);
});

test('a task whose inputs are not there yet is refused with what comes first', async () => {
  const done = await trained('lbarn', network);
  await done.store.delete(`${artefactNames.run(done.run.id)}conditionals/0`);
  await expect(replay(done, 'select', 'all')).rejects.toMatchObject({
    code: 'bad-request',
    expected: 'a task whose inputs are stored: train/0 and others come first',
  });
});
