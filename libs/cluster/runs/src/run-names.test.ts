import { presets, runIdOf, type BaseSpecification, type RunSpecification } from '@orchard/contracts';
import { BitMatrix } from '@orchard/dataset';
import { artefactNames, registerDataset } from '@orchard/pipeline';
import { isRefusal } from '@orchard/refusal';
import type { ObjectStore } from '@orchard/storage';
import { temporaryStore, watchedStore } from '@orchard/storage/testing';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { StoreDatasets } from './datasets.js';
import { hasEnded } from './run-names.js';
import { Marks } from './marks.js';

const choice = { selection: 'linearized', refit: true } as const;
let store: ObjectStore;
let train: string;
let specification: RunSpecification;
let run: string;

/** A store of its own, with data sets. */
async function begin(): Promise<void> {
  store = temporaryStore();
  train = (await registerDataset(store, BitMatrix.fromRows(['01', '10']))).id;
  const valid = (await registerDataset(store, BitMatrix.fromRows(['11']))).id;
  specification = { train, valid, test: null, ...presets.paper, ordering: 'natural', seed: 1, numericsVersion: 1 };
  run = runIdOf(specification);
  // nothing of an older release is to be looked for
  const marks = new Marks(store);
  await marks.open();
  await marks.nameEnds(new AbortController().signal);
}

/** The store, in which something else happens before the request of this number. */
function interrupted(at: number, between: () => Promise<unknown>): ObjectStore {
  let asked = 0;
  return watchedStore(store, () => (asked++ === at ? between() : undefined));
}

type Step = (store: ObjectStore) => Promise<unknown>;
/** The code of a refusal, or `done`. */
const outcome = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'done',
    (error: unknown) => (isRefusal(error) ? error.code : Promise.reject(error as Error)),
  );

/** One in the middle of the other, at each of its requests; `holds` afterwards. */
async function atEveryMoment(
  outer: Step,
  inner: Step,
  prepare: () => Promise<unknown>,
  holds: (outer: string, inner: string, at: number) => Promise<unknown>,
): Promise<void> {
  for (let at = 0; ; at++) {
    await begin();
    await prepare();
    let second: Promise<string> | null = null;
    // one that waits for the other is not waited for
    const shared = interrupted(at, () => Promise.race([(second = outcome(inner(store))), sleep(300)]));
    const first = await outcome(outer(shared));
    if (second === null) {
      // it makes no more requests than that
      expect(at).toBeGreaterThan(3);
      return;
    }
    await holds(first, await second, at);
  }
}

const submit: Step = async (own) => {
  const marks = new Marks(own);
  await marks.append(run, (await marks.of(run)).marks, { kind: 'submit', specification, choice });
  await new StoreDatasets(own, marks).requireKept(specification as BaseSpecification);
};
const remove: Step = (own) => new StoreDatasets(own, new Marks(own)).remove(train);
const close: Step = (own) => new Marks(own).close(run);
const isThere = async (): Promise<boolean> => (await store.head(artefactNames.datasetFacts(train))) !== null;
const nothing = (): Promise<void> => Promise.resolve();
async function finish(): Promise<void> {
  await submit(store);
  await new Marks(store).append(run, 1, { kind: 'done' });
}
async function donesNow(): Promise<string[]> {
  const found: string[] = [];
  for await (const [id, { life }] of new Marks(store).ended('done'))
    if (hasEnded(life) && life.standing === 'done') found.push(id);
  return found;
}

describe('a data set and a run that needs it', () => {
  const eitherStands = async (submitted: string, removed: string, at: number): Promise<void> => {
    const outcomes = [submitted, removed, await isThere()];
    const allowed = [
      ['done', 'dataset-in-use', true],
      ['unknown-dataset', 'done', false],
    ];
    expect({ at, outcomes }).toEqual({ at, outcomes: allowed[submitted === 'done' ? 0 : 1] });
  };

  test('that is submitted while the data set is deleted, at whatever moment: one of the two stands', async () => {
    await atEveryMoment(submit, remove, nothing, eitherStands);
    await atEveryMoment(remove, submit, nothing, (removed, submitted, at) => eitherStands(submitted, removed, at));
  });

  test('that comes to its end while the data set is deleted, at whatever moment: it is in use, and the run is found', async () => {
    const isInUse = async (removed: string, at: number): Promise<void> => {
      expect({ at, removed, isThere: await isThere() }).toEqual({ at, removed: 'dataset-in-use', isThere: true });
      expect(await new Marks(store).open()).toEqual([]);
      expect(await donesNow()).toEqual([run]);
    };
    await atEveryMoment(close, remove, finish, (_closed, removed, at) => isInUse(removed, at));
    await atEveryMoment(remove, close, finish, (removed, _closed, at) => isInUse(removed, at));
  });

  test('that was deleted keeps it no longer, and leaves no name behind', async () => {
    await begin();
    await finish();
    await close(store);
    const marks = new Marks(store);
    await marks.append(run, 2, { kind: 'delete' });
    expect(await outcome(remove(store))).toBe('dataset-in-use');
    const { life } = await marks.of(run);
    await marks.append(run, 3, { kind: 'removed' });
    await marks.close(run, life);
    const names = (await store.list('')).map(({ name }) => name);
    expect(names.filter((name) => /^(open|needs|ended)\//.test(name))).toEqual([]);
    expect(await outcome(remove(store))).toBe('done');
  });
});

describe('a run that is opened again and ends otherwise', () => {
  test('is found by its last end alone, whoever named the one before is slow to do so', async () => {
    const endAgain: Step = async (own) => {
      const marks = new Marks(own);
      await marks.append(run, 2, { kind: 'resume' });
      await marks.append(run, 3, { kind: 'cancel' });
      await marks.close(run);
    };
    // as a cancelled run, which resume opens again
    const cancelled = async (): Promise<void> => {
      await submit(store);
      await new Marks(store).append(run, 1, { kind: 'failed', reason: 'no memory' });
    };
    await atEveryMoment(close, endAgain, cancelled, async (_closed, _ended, at) => {
      const names = (await store.list('ended/')).map(({ name }) => name);
      expect({ at, names }).toEqual({ at, names: [`ended/cancelled/${run}`] });
      expect((await store.list('open/')).length).toBe(0);
    });
  });
});

test('runs that an older release ended are found before they are named, and after', async () => {
  await begin();
  await finish();
  await close(store);
  // as a store of before there were such names
  for (const prefix of ['ended', 'needs', 'open/'])
    for (const { name } of await store.list(prefix)) await store.delete(name);
  expect([await donesNow(), await outcome(remove(store))]).toEqual([[run], 'dataset-in-use']);
  const marks = new Marks(store);
  await marks.nameEnds(new AbortController().signal);
  expect((await store.list('ended/')).map(({ name }) => name)).toEqual([`ended/done/${run}`]);
  expect([await donesNow(), await outcome(remove(store))]).toEqual([[run], 'dataset-in-use']);
});

test('a run that a coordinator of an older release ends beside this one is named by this one', async () => {
  await begin();
  await submit(store);
  const marks = new Marks(store);
  const was = (await marks.of(run)).life!;
  await marks.append(run, 1, { kind: 'done' });
  await store.delete(`open/${run}`);
  expect(await donesNow()).toEqual([]);
  await marks.closeAfterOthers(run, was);
  expect([await donesNow(), await outcome(remove(store))]).toEqual([[run], 'dataset-in-use']);
});
