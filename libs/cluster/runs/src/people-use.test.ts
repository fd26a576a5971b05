import { personOf, runIdOf, type RunSheet, type RunSpecification } from '@orchard/contracts';
import type { ObjectStore } from '@orchard/storage';
import { temporaryStore } from '@orchard/storage/testing';
import { beforeEach, expect, test, vi } from 'vitest';
import { Marks } from './marks.js';
import { PeopleUse } from './people-use.js';
import { RunSheets } from './run-sheets.js';
import { specificationOf } from './specification.suite.js';

const data = (digit: string): string => digit.repeat(64);
const choice = { selection: 'linearized', refit: true } as const;
const sheetOf = (name: string): RunSheet => ({
  submitter: { name, way: 'token' },
  name: null,
  labels: {},
  priority: 'normal',
});
const personNamed = (name: string): string => personOf(sheetOf(name).submitter);

let store: ObjectStore;
let marks: Marks;
let sheets: RunSheets;
beforeEach(async () => {
  store = temporaryStore();
  marks = new Marks(store);
  sheets = new RunSheets(store);
  for (const [digit, size] of [
    ['a', 1000],
    ['b', 200],
    ['c', 30],
  ] as const) {
    await store.put(`datasets/${data(digit)}`, Buffer.alloc(size));
    await store.put(`datasets/${data(digit)}.facts`, Buffer.alloc(1));
  }
});

/** A run of somebody with so many bytes of artefacts; its sheet counts too. @returns all its bytes */
async function submit(seed: number, who: string | null, size: number, isDone: boolean, valid = 'b'): Promise<number> {
  const specification: RunSpecification = { ...specificationOf(seed), valid: data(valid) };
  const run = runIdOf(specification);
  if (who !== null) await sheets.write(run, sheetOf(who));
  await marks.append(run, 0, { kind: 'submit', specification, choice });
  await store.put(`runs/${run}/conditionals/0`, Buffer.alloc(size));
  if (isDone) {
    await marks.append(run, 1, { kind: 'done' });
    await marks.close(run);
  }
  return (await store.list(`runs/${run}/`)).reduce((sum, entry) => sum + entry.size, 0);
}

test.each([true, false])(
  'a person uses what their runs have stored, and once the data sets that these need (ends named: %s)',
  async (areNamed) => {
    if (areNamed) await marks.nameEnds(new AbortController().signal);
    const first = await submit(1, 'ann', 50, true);
    const second = await submit(2, 'ann', 60, false, 'c');
    const other = await submit(3, 'bob', 7, true);
    await submit(4, null, 5000, true);
    const { people, runs } = await new PeopleUse(store, marks, sheets).within(0);
    expect(people.get(personNamed('ann'))).toMatchObject({
      runs: 2,
      runBytes: first + second,
      datasetBytes: 1001 + 201 + 31,
    });
    expect(people.get(personNamed('bob'))).toMatchObject({ runs: 1, runBytes: other, datasetBytes: 1001 + 201 });
    expect(people.size).toBe(2);
    expect(runs.size).toBe(4);
  },
);

test('two who ask at once wait for one reading, and who asks later gets it where it is young enough', async () => {
  const own = await submit(1, 'ann', 50, true);
  const use = new PeopleUse(store, marks, sheets);
  const list = vi.spyOn(store, 'list');
  const [one, other] = await Promise.all([use.within(0), use.within(60)]);
  expect(one).toBe(other);
  const asked = list.mock.calls.length;
  const more = await submit(2, 'ann', 60, true);
  list.mockClear();
  expect((await use.within(60)).people.get(personNamed('ann'))?.runBytes).toBe(own);
  expect(list).not.toHaveBeenCalled();
  expect(asked).toBeGreaterThan(0);
  expect((await use.within(-1)).people.get(personNamed('ann'))?.runBytes).toBe(own + more);
});

test('a run that is deleted and submitted again is its new submitter’s', async () => {
  await submit(1, 'ann', 50, true);
  const use = new PeopleUse(store, marks, sheets);
  await use.within(-1);
  const run = runIdOf({ ...specificationOf(1), valid: data('b') });
  for (const { name } of await store.list(`runs/${run}/`)) await store.delete(name);
  // names of a file system have the time in milliseconds
  await new Promise((resolve) => setTimeout(resolve, 20));
  await sheets.write(run, sheetOf('bob'));
  expect([...(await use.within(-1)).people.keys()]).toEqual([personNamed('bob')]);
});

test('a figure is not believed for hours where the clock was set back by hours', async () => {
  const own = await submit(1, 'ann', 50, true);
  const use = new PeopleUse(store, marks, sheets);
  await use.within(60);
  const clock = vi.spyOn(Date, 'now').mockReturnValue(Date.now() - 3_600_000);
  try {
    const more = await submit(2, 'ann', 60, true);
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect((await use.within(0.01)).people.get(personNamed('ann'))?.runBytes).toBe(own + more);
  } finally {
    clock.mockRestore();
  }
});
