import { runIdOf, type RunSpecification } from '@orchard/contracts';
import { entriesBelow, StorageError, type ObjectStore } from '@orchard/storage';
import { storeThat, temporaryStore } from '@orchard/storage/testing';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Decision } from './lifecycle.js';
import type { History } from './history.js';
import { Marks } from './marks.js';
import { specificationOf } from './specification.suite.js';

/** Of two runs by id, the first is in most tests. */
const [specification, second] = [specificationOf(1), specificationOf(2)].sort((a, b) =>
  runIdOf(a) < runIdOf(b) ? -1 : 1,
) as [RunSpecification, RunSpecification];
const run = runIdOf(specification);
const other = runIdOf(second);
const choice = { selection: 'linearized', refit: true } as const;
const submit: Decision = { kind: 'submit', specification, choice };
const nameOf = (number: number, id = run): string => `marks/${id}/${String(number).padStart(6, '0')}`;
let store: ObjectStore;

beforeEach(() => {
  store = temporaryStore();
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

async function decide(id: string, ...decisions: Decision[]): Promise<void> {
  const marks = new Marks(store);
  const { marks: before } = await marks.of(id);
  for (const [number, decision] of decisions.entries()) {
    const isOfOther = id === other && decision.kind === 'submit' && decision.specification !== null;
    const own = isOfOther ? { ...decision, specification: second } : decision;
    expect(await marks.append(id, before + number, own)).not.toBeNull();
  }
}

async function allOf(marks: Marks, after?: string): Promise<Record<string, History>> {
  const all: [string, History][] = [];
  for await (const entry of marks.all(after)) all.push(entry);
  return Object.fromEntries(all);
}

describe('the marks of a run', () => {
  test('of many who append under one number one is told that it did, and all read the same history', async () => {
    const writers = Array.from({ length: 12 }, () => new Marks(store));
    const decisions: Decision[] = [
      submit,
      { kind: 'cancel' },
      { kind: 'resume' },
      { kind: 'done' },
      { kind: 'delete' },
    ];
    for (const [number, decision] of decisions.entries()) {
      const took = await Promise.all(writers.map((marks) => marks.append(run, number, decision)));
      expect(took.filter((mark) => mark !== null)).toMatchObject([decision]);
    }
    const histories = await Promise.all(writers.map((marks) => marks.of(run)));
    expect(histories[0]).toMatchObject({ marks: 5, damage: null, life: { standing: 'deleting', epoch: 2 } });
    for (const history of histories) expect(history).toEqual(histories[0]);
    expect(await allOf(writers[0]!)).toEqual({ [run]: histories[0] });
  });

  test('come in the order of their numbers, the tenth after the ninth', async () => {
    const again = Array.from({ length: 6 }, (_, turn): Decision[] => [
      { kind: 'failed', reason: `turn ${turn}` },
      { kind: 'resume' },
    ]);
    await decide(run, submit, ...again.flat(), { kind: 'failed', reason: 'the last' });
    expect(await new Marks(store).of(run)).toMatchObject({
      marks: 14,
      life: { standing: 'failed', reason: 'the last', epoch: 12 },
    });
  });

  test('are read for all runs in the order of ids, or of those after one', async () => {
    const ids = Array.from({ length: 70 }, (_, number) => number.toString(16).padStart(64, '0'));
    for (const id of ids) await decide(id, submit);
    const marks = new Marks(store);
    expect(Object.keys(await allOf(marks))).toEqual(ids);
    expect(Object.keys(await allOf(marks, ids[40]))).toEqual(ids.slice(41));
  });
});

describe('a record that is not whole', () => {
  test.each([
    ['no mark', '{"kind":"party"}'],
    ['no JSON', '{"ki'],
    ['nothing at all', ''],
  ])('with %s in one place names it, and hides no other run', async (_, text) => {
    await decide(run, submit, { kind: 'cancel' });
    await decide(other, submit);
    await store.delete(nameOf(1));
    await store.put(nameOf(1), Buffer.from(text));
    const marks = new Marks(store);
    expect(await marks.of(run)).toMatchObject({ life: null, marks: 2, damage: `Mark ${nameOf(1)} is damaged.` });
    expect(await allOf(marks)).toMatchObject({ [run]: { life: null }, [other]: { life: { standing: 'open' } } });
  });

  test.each([0, 1])('without mark number %i says which is missing, and hides no other run', async (number) => {
    await decide(run, submit, { kind: 'cancel' }, { kind: 'resume' });
    await decide(other, submit);
    await store.delete(nameOf(number));
    const marks = new Marks(store);
    expect(await marks.of(run)).toMatchObject({ life: null, marks: 3, damage: `Mark ${nameOf(number)} is missing.` });
    expect(await allOf(marks)).toMatchObject({ [other]: { life: { standing: 'open' }, damage: null } });
  });

  test('is no such thing where the store is away: that is an error', async () => {
    await decide(run, submit);
    const away = new StorageError('unavailable', { got: 'no answer', expected: 'an answer', remedy: 'Wait.' });
    vi.spyOn(store, 'get').mockRejectedValue(away);
    await expect(new Marks(store).of(run)).rejects.toBe(away);
  });

  test('is gone when it is forgotten, and a submission begins anew', async () => {
    await decide(run, submit, { kind: 'cancel' });
    await store.delete(nameOf(0));
    const marks = new Marks(store);
    await marks.forget(run, await marks.record(run));
    expect(await store.list('')).toEqual([]);
    expect(await marks.of(run)).toEqual({ life: null, marks: 0, damage: null, lastAt: null, bornAt: null });
    await decide(run, submit);
    expect((await marks.of(run)).life).toMatchObject({ standing: 'open', epoch: 0 });
  });
});

describe('a removed run that is being forgotten', () => {
  test('was removed, however many of its first marks are gone, and can be submitted again', async () => {
    await decide(run, submit, { kind: 'delete' }, { kind: 'removed' });
    for (const gone of [0, 1]) {
      await store.delete(nameOf(gone));
      expect(await new Marks(store).of(run)).toMatchObject({ life: null, marks: 3, damage: null });
    }
    await decide(run, submit);
    expect((await new Marks(store).of(run)).life).toMatchObject({ standing: 'open', epoch: 3 });
  });

  test('lives on with a submission that is made while it is forgotten, and is among those to be looked at', async () => {
    await decide(run, submit, { kind: 'delete' }, { kind: 'removed' });
    const marks = new Marks(store);
    const record = await marks.record(run);
    const remove = store.delete.bind(store);
    let submitted = false;
    vi.spyOn(store, 'delete').mockImplementation(async (name) => {
      if (!submitted) {
        submitted = true;
        await decide(run, submit);
      }
      await remove(name);
    });
    await marks.forget(run, record);
    for (const reader of [marks, new Marks(store)]) {
      expect(await reader.of(run)).toMatchObject({ marks: 4, damage: null, life: { standing: 'open', epoch: 3 } });
      expect(await reader.open()).toEqual([run]);
    }
    await decide(run, { kind: 'cancel' });
    expect((await new Marks(store).of(run)).life).toMatchObject({ standing: 'cancelled' });
  });
});

describe('the runs about which there is something to do', () => {
  test('are those that are open or being deleted; ended ones go when they are closed', async () => {
    await decide(run, submit);
    await decide(other, submit, { kind: 'delete' });
    const marks = new Marks(store);
    expect(await marks.open()).toEqual([run, other]);
    await decide(run, { kind: 'done' });
    await decide(other, { kind: 'removed' });
    for (const id of [run, other]) await marks.close(id);
    expect(await marks.open()).toEqual([]);
    await decide(run, { kind: 'select', choice: { selection: 'common', refit: false } });
    expect(await marks.open()).toEqual([run]);
  });

  test('keep one that somebody opens again while it is closed', async () => {
    await decide(run, submit, { kind: 'done' });
    // the index of older releases is made: nothing but the name says that the run is open
    await new Marks(store).open();
    const remove = store.delete.bind(store);
    vi.spyOn(store, 'delete').mockImplementation(async (name) => {
      // its name is written before it is taken away: only a look at the marks afterwards can tell
      if (name === `open/${run}`) await decide(run, { kind: 'select', choice: { selection: 'common', refit: false } });
      await remove(name);
    });
    const marks = new Marks(store);
    await marks.close(run);
    expect(await marks.open()).toEqual([run]);
  });

  const thirdAndFourth = [specificationOf(3), specificationOf(4)] as const;
  const [done, damaged] = thirdAndFourth.map(runIdOf) as [string, string];

  test('are found once in a store of an older release, which named none, with those whose record is damaged', async () => {
    await decide(run, submit);
    await decide(other, submit, { kind: 'delete' });
    await decide(done, { ...submit, specification: thirdAndFourth[0] }, { kind: 'done' });
    await decide(damaged, { ...submit, specification: thirdAndFourth[1] }, { kind: 'cancel' });
    await store.delete(nameOf(0, damaged));
    for (const { name } of await store.list('open/')) await store.delete(name);
    expect(await new Marks(store).open()).toEqual([run, other, damaged].sort());
    const all = vi.spyOn(store, 'get');
    expect(await new Marks(store).open()).toEqual([run, other, damaged].sort());
    expect(all).not.toHaveBeenCalled();
  });
});

describe('what was read', () => {
  test('is read anew where another program forgot the record, or emptied the bucket, and it began anew', async () => {
    const marks = new Marks(store);
    await decide(run, submit, { kind: 'cancel' });
    expect((await marks.of(run)).life?.standing).toBe('cancelled');
    const other = new Marks(store);
    await other.forget(run, await other.record(run));
    await decide(run, { ...submit, choice: { selection: 'common', refit: false } }, { kind: 'done' });
    expect((await marks.of(run)).life).toMatchObject({ standing: 'done', choice: { selection: 'common' } });
  });

  test('is not read twice', async () => {
    await decide(run, submit, { kind: 'cancel' });
    const marks = new Marks(store);
    const reads = vi.spyOn(store, 'get');
    await marks.of(run);
    await marks.of(run);
    expect(reads).toHaveBeenCalledTimes(2);
  });
});

describe('where listings lag behind what was put', () => {
  /** The store, whose listings have these names alone. */
  const lagging = (listed: ReadonlySet<string>): ObjectStore =>
    storeThat(store, {
      list: async (prefix, options) => (await store.list(prefix, options)).filter(({ name }) => listed.has(name)),
    });
  const listedNow = async (): Promise<Set<string>> => new Set((await entriesBelow(store, '')).map(({ name }) => name));

  test('what was decided here, or met, is read by name', async () => {
    await decide(run, submit);
    const late = lagging(await listedNow());
    const [one, another] = [new Marks(late), new Marks(late)];
    expect(await one.append(run, 1, { kind: 'cancel' })).not.toBeNull();
    expect(await one.of(run)).toMatchObject({ marks: 2, life: { standing: 'cancelled' } });
    expect(await another.of(run)).toMatchObject({ marks: 1, life: { standing: 'open' } });
    expect(await another.append(run, 1, { kind: 'delete' })).toBeNull();
    expect(await another.of(run)).toMatchObject({ marks: 2, life: { standing: 'cancelled' } });
    await new Marks(store).forget(run, await new Marks(store).record(run));
    expect(await one.of(run)).toMatchObject({ marks: 0, life: null });
  });

  test('no run is closed of which there is a newer mark', async () => {
    const late = lagging(await listedNow());
    await decide(run, submit, { kind: 'failed', reason: 'a reason' }, { kind: 'resume' });
    // named, and not listed either: what is asked is the store's own listing
    await new Marks(late).close(run);
    expect(await new Marks(store).open()).toContain(run);
  });
});
