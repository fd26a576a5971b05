import { mixedSummarySchema, modelSummarySchema, ROWS_OF_MANY } from '@orchard/contracts';
import { BitMatrix, type TableSplits } from '@orchard/dataset';
import { logSumExp, RandomStream } from '@orchard/numerics';
import { type Mixture } from '@orchard/members';
import { isTabular, type TabularModel } from '@orchard/model';
import {
  artefactNames,
  damagedArtefacts,
  likelihoodOf,
  openRun,
  refold,
  runLocally,
  taskOf,
  type LocalRun,
  type RunLook,
} from '@orchard/pipeline';
import { entriesBelow, type ObjectStore } from '@orchard/storage';
import { contentOf, temporaryStore } from '@orchard/storage/testing';
import { describe, expect, test } from 'vitest';
import { tablesNames } from '../artefacts.js';
import { resolved, splitsOf, survey, words } from '../survey.suite.js';
import { tables } from '../tables.js';
import { tablesRun } from '../tables-run.js';
import { viewsOf } from './member-run.js';
import { resolveMembers, usualFolds } from './table-members.js';

const mixed = { ...words, members: 3, folds: 4, orderings: ['natural', 'reversed', 'random'] };

async function trained(
  store: ObjectStore,
  splits: TableSplits,
  { said = mixed }: { said?: Readonly<Record<string, unknown>> } = {},
): Promise<LocalRun & { readonly model: Mixture & TabularModel }> {
  const { specification, choice } = await resolved(store, splits, said);
  return (await runLocally({ store, family: tables, specification, choice, threads: 1 })) as LocalRun & {
    readonly model: Mixture & TabularModel;
  };
}

describe('a run on a table with members', () => {
  test('stores variables of each member and their curves', async () => {
    const splits = await splitsOf(survey(200));
    const store = temporaryStore();
    await trained(store, splits);
    // data sets and their facts, the specification, those, the model and its summary
    expect(Object.keys(await contentOf(store))).toHaveLength(6 + 1 + 3 * 2 * splits.table.variables.length + 2);
  });

  test('trains each member as a run of its own does: its ordering, its seed, the rows that its fold leaves', async () => {
    const splits = await splitsOf(survey(200));
    const store = temporaryStore();
    const { run } = await trained(store, splits);
    const views = viewsOf(tablesRun(run));
    expect(views.map(({ fold }) => fold!.fold)).toEqual([0, 1, 2]);
    expect(views[1]!.ordering).toEqual(views[0]!.ordering.slice().reverse());
    expect([...views[2]!.ordering].sort()).toEqual([...views[0]!.ordering].sort());
    const { fold, ordering, specification } = views[1]!;
    const dealt = refold(splits.train, splits.valid!, fold!);
    const ofTable = (rows: BitMatrix): BitMatrix => {
      const copy = BitMatrix.create(rows.rows, rows.dimensions, { columns: splits.train.columns });
      copy.bytes.set(rows.bytes);
      return copy;
    };
    const alone = temporaryStore();
    const own = { ...splits, train: ofTable(dealt.train), valid: ofTable(dealt.valid) };
    const { run: other } = await trained(alone, own, {
      said: { ...words, seed: specification.seed, ordering: [...ordering] },
    });
    for (const index of ordering.keys()) {
      const member = await store.get(tablesNames.variable(run.id, `m1.${String(index)}`));
      expect(await alone.get(tablesNames.variable(other.id, String(index)))).toEqual(member);
    }
  });

  test('ends in their mixture, and tells what each is worth', async () => {
    const splits = await splitsOf(survey(300));
    const { model, summary } = await trained(temporaryStore(), splits);
    expect(isTabular(model)).toBe(true);
    expect(model.members).toHaveLength(3);
    const each = model.members.map((member) => member.logLikelihood(splits.test!));
    const together = each[0]!.map((_, row) => logSumExp(each.map((own) => own[row]!)) - Math.log(3));
    const nats = model.logLikelihood(splits.test!);
    together.forEach((own, row) => expect(nats[row]).toBeCloseTo(own, 9));
    const { members, judged } = mixedSummarySchema.parse(summary);
    expect(judged).toBe('test');
    expect(members.map(({ member, ordering, folds }) => [member, ordering, folds])).toEqual([
      [0, 'natural', [0]],
      [1, 'reversed', [1]],
      [2, 'random', [2]],
    ]);
    const { testLogLikelihood } = modelSummarySchema.parse(summary).network;
    expect(members.at(-1)!.togetherLogLikelihood).toBe(testLogLikelihood);
    // the variables share the mixture's likelihood out among them
    const variables = summary['variables'] as { test: number }[];
    expect(variables.reduce((sum, { test }) => sum + test, 0)).toBeCloseTo(testLogLikelihood!, 9);
    // more heads are better than the mean of them
    const alone = members.reduce((sum, { heldOutLogLikelihood }) => sum + heldOutLogLikelihood, 0) / 3;
    expect(testLogLikelihood).toBeGreaterThan(alone);
  });

  test('tells, where there are no test rows, that validation rows have trained its members', async () => {
    const splits = await splitsOf(survey(150));
    const { summary, model } = await trained(temporaryStore(), { ...splits, test: null });
    expect(mixedSummarySchema.parse(summary).judged).toBe('validation');
    const members = mixedSummarySchema.parse(summary).members;
    const unseen = members.reduce((sum, { foldLogLikelihood }) => sum + foldLogLikelihood, 0) / members.length;
    expect(model.likelihoods).toEqual({ train: null, valid: unseen, test: null });
  });

  test('tells a likelihood that rises to the mean of its members, each on its fold', async () => {
    const splits = await splitsOf(survey(200));
    const store = temporaryStore();
    const { run, summary } = await trained(store, splits);
    const look: RunLook = {
      ...{ family: tables, run, submittedAt: new Date(0).toISOString(), attempts: new Map(), givenUp: new Set() },
      ...{ entries: await entriesBelow(store, artefactNames.run(run.id)), held: new Map() },
      plan: await tables.missing(store, run, [{}], { withReport: false }),
    };
    const rising = await likelihoodOf(look, store, new Map(), 1000);
    expect(rising).toMatchObject({ read: 3 * splits.table.variables.length });
    const [, last] = rising.points.at(-1)!;
    // densities included, as the summary has them
    const figures = summary['variables'] as { valid: number }[];
    const ofFolds = mixedSummarySchema.parse(summary).members.map(({ foldLogLikelihood }) => foldLogLikelihood);
    const sum = figures.reduce((all, { valid }) => all + valid, 0);
    expect(sum).toBeCloseTo(ofFolds.reduce((all, nats) => all + nats, 0) / 3, 9);
    expect(last).toBeCloseTo(sum, 9);
    expect(rising.of).toContain('mean of 3 members');
    expect(await taskOf(look, store, 'train/m2.1')).toMatchObject({ curves: { valid: expect.any(Array) as number[] } });
  });

  test('tells of columns of chance no likelihood that falls', async () => {
    const stream = new RandomStream(3, 1006);
    const rows = Array.from({ length: 200 }, () => Array.from({ length: 6 }, () => stream.uniform().toFixed(4)).join());
    const store = temporaryStore();
    const { specification, choice } = await resolved(store, await splitsOf(`a,b,c,d,e,f\n${rows.join('\n')}\n`), mixed);
    const shown: number[] = [];
    await runLocally({
      ...{ store, family: tables, specification, choice, threads: 1 },
      onProgress: ({ stage, logLikelihood }) => void (stage === 'train' && shown.push(logLikelihood!)),
    });
    expect(shown.at(-1)! - shown[0]!).toBeGreaterThan(-0.1);
    expect(Math.max(...shown) - shown.at(-1)!).toBeLessThan(0.1);
  });

  test('whose variable is damaged is told so by its name, and made anew to the same bytes', async () => {
    const splits = await splitsOf(survey(150));
    const store = temporaryStore();
    const { run } = await trained(store, splits);
    const whole = await contentOf(store);
    const name = tablesNames.variable(run.id, 'm1.2');
    const bytes = Uint8Array.from(await store.get(name));
    bytes[bytes.length >> 1]! ^= 1;
    await store.delete(name);
    await store.put(name, bytes);
    const found = await damagedArtefacts(store, tables, await openRun(store, run.id));
    expect(found).toContain(name);
    for (const damaged of found) await store.delete(damaged);
    await store.delete(artefactNames.network(run.id, 'model'));
    await trained(store, splits);
    expect(await contentOf(store)).toEqual(whole);
  });
});

describe('words about members', () => {
  const idOf = async (store: ObjectStore, splits: TableSplits, said: Readonly<Record<string, unknown>>) =>
    (await resolved(store, splits, said)).specification as { members?: { count: number; folds: number } };

  test('of the preset accurate mean eight for few rows, half of them by default, and none where one model is asked for', async () => {
    const [store, splits] = [temporaryStore(), await splitsOf(survey(100))];
    expect((await idOf(store, splits, { preset: 'accurate' })).members).toMatchObject({ count: 8, folds: 4 });
    expect((await idOf(store, splits, {})).members).toMatchObject({ count: 4, folds: 4 });
    expect((await idOf(store, splits, { preset: 'accurate', members: 2 })).members).toMatchObject({ count: 2 });
    expect((await idOf(store, splits, { orderings: ['random', 'natural'] })).members).toMatchObject({ count: 2 });
    expect(await idOf(store, splits, { members: 1 })).not.toHaveProperty('members');
    expect(await idOf(store, splits, { ordering: 'natural' })).not.toHaveProperty('members');
  });

  test.each([
    [3, 3],
    [80, 4],
    [624, 4],
    [625, 5],
    [999, 7],
    [1000, 8],
    [50_000, 8],
  ])('of %i rows deal %i folds', (rows, folds) => {
    expect(usualFolds(rows)).toBe(folds);
  });

  test.each([
    [ROWS_OF_MANY, 128, 'greedy'],
    [ROWS_OF_MANY, 129, 'random'],
    [ROWS_OF_MANY - 1, 128, 'greedy'],
    [ROWS_OF_MANY - 1, 129, 'random'],
  ])('of %i rows and %i columns give the third the ordering %s', (rows, columns, third) => {
    const { orderings } = resolveMembers({ members: 3 }, rows, columns)!;
    expect(orderings.slice(0, 3)).toEqual(['natural', 'reversed', third]);
  });

  test.each([
    [{ members: 2, ordering: 'random' }, { where: 'ordering' }],
    [{ folds: 500 }, { where: 'folds', got: '500 folds of 80 rows' }],
  ])('%j are refused', async (said, expected) => {
    const [store, splits] = [temporaryStore(), await splitsOf(survey(100))];
    await expect(resolved(store, splits, said)).rejects.toThrow(
      expect.objectContaining({ code: 'bad-request', ...expected }) as Error,
    );
  });
});
