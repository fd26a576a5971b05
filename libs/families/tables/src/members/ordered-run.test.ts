import { pairOrderingKinds } from '@orchard/contracts';
import { codeColumns } from '@orchard/forests';
import { readOrdering, runLocally, type Run } from '@orchard/pipeline';
import type { ObjectStore } from '@orchard/storage';
import { temporaryStore } from '@orchard/storage/testing';
import { describe, expect, test, vi } from 'vitest';
import { tablesNames } from '../artefacts.js';
import { resolved, splitsOf, survey, words } from '../survey.suite.js';
import type { TableModel } from '../table-model.js';
import { tables } from '../tables.js';
import { tablesRun } from '../tables-run.js';
import { findOrdering } from './find-ordering.js';
import { orderedRun, requireOrderings } from './ordered-run.js';

async function trained(store: ObjectStore, splits: Awaited<ReturnType<typeof splitsOf>>, said: object) {
  const { specification, choice } = await resolved(store, splits, { ...words, ...said });
  return runLocally({ store, family: tables, specification, choice, threads: 1 });
}

test('codes of every second row are read by twice the stride', async () => {
  const { train, table } = await splitsOf(survey(60));
  const { rows, stride, bytes } = train;
  const halved = codeColumns({ rows: Math.ceil(rows / 2), stride: 2 * stride, bytes }, table);
  expect(halved).toEqual(codeColumns(train, table).map((codes) => codes.filter((_, row) => row % 2 === 0)));
});

describe('an ordering that is found in the rows of a table', () => {
  test.each(pairOrderingKinds)('%s is stored, and the model is that of a run that is given it', async (kind) => {
    const splits = await splitsOf(survey(400));
    const store = temporaryStore();
    const { run, model } = await trained(store, splits, { ordering: kind });
    const { ordering, rows, cut } = await readOrdering(store, run, kind);
    expect([rows, cut]).toEqual([240, null]);
    expect([...(model as TableModel).ordering]).toEqual(ordering);
    expect([...ordering].sort()).toEqual([...splits.table.variables.keys()]);
    expect(ordering).not.toEqual([...splits.table.variables.keys()]);
    const given = await trained(store, splits, { ordering });
    expect((given.model as TableModel).ensembles).toEqual((model as TableModel).ensembles);
    expect(given.run.id).not.toBe(run.id);
    for (const index of ordering)
      expect(await store.get(tablesNames.variable(run.id, String(index)))).toEqual(
        await store.get(tablesNames.variable(given.run.id, String(index))),
      );
    expect(await tables.report(store, run, {})).toContain(`${kind}: `);
  });

  test('begins with the column that tells most, and puts what repeats it next', async () => {
    const splits = await splitsOf(survey(600));
    const store = temporaryStore();
    const names = (ordering: readonly number[]): string[] =>
      ordering.map((index) => splits.table.variables[index]!.name);
    for (const kind of pairOrderingKinds) {
      const { run } = await trained(store, splits, { ordering: kind });
      const [first, second] = names((await readOrdering(store, run, kind)).ordering);
      expect([first, second].sort()).toEqual(['again', 'age']);
    }
  });

  test('is not stored where the run stops while it is sought', async () => {
    const splits = await splitsOf(survey(100));
    const store = temporaryStore();
    const { run } = await trained(store, splits, { ordering: 'natural' });
    let now = 0;
    vi.spyOn(performance, 'now').mockImplementation(() => {
      now += 200;
      return now;
    });
    const isCancelled = vi.fn(() => isCancelled.mock.calls.length === 3);
    await expect(findOrdering(store, tablesRun(run), 'greedy', isCancelled)).rejects.toMatchObject({
      code: 'interrupted',
    });
    vi.restoreAllMocks();
    expect(isCancelled).toHaveBeenCalledTimes(3);
    await expect(readOrdering(store, run, 'greedy')).rejects.toMatchObject({ code: 'missing' });
  });

  test('is trained on by nothing before it is found', async () => {
    const splits = await splitsOf(survey(100));
    const store = temporaryStore();
    const { run }: { run: Run } = await trained(store, splits, { ordering: 'natural' });
    expect(() => requireOrderings(tablesRun(run))).not.toThrow();
    const { specification } = await resolved(store, splits, { ...words, ordering: 'hubs' });
    const other: Run = { ...run, specification };
    expect(() => requireOrderings(tablesRun(other))).toThrow('hubs');
    await expect(orderedRun(temporaryStore(), other)).rejects.toMatchObject({ code: 'missing' });
  });

  test('is refused where it is none that tables have', async () => {
    const splits = await splitsOf(survey(100));
    const store = temporaryStore();
    await expect(resolved(store, splits, { ...words, ordering: 'entropy' })).rejects.toThrow(/hubs/);
    const { specification } = await resolved(store, splits, { ...words, ordering: 'reversed' });
    expect(specification).toMatchObject({ ordering: [...splits.table.variables.keys()].reverse() });
  });
});
