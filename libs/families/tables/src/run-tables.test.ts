import { setTimeout as sleep } from 'node:timers/promises';
import { modelSummarySchema, tuningDefaults } from '@orchard/contracts';
import {
  BitMatrix,
  codeCount,
  encodeTable,
  meanLogDensities,
  openTable,
  ownLogRates,
  trainingCounts,
  type TableSplits,
} from '@orchard/dataset';
import { artefactNames, likelihoodOf, runLocally, taskOf, type LocalRun, type RunLook } from '@orchard/pipeline';
import { describeFamily } from '@orchard/pipeline/conformance';
import { entriesBelow, type ObjectStore } from '@orchard/storage';
import { contentOf, storeThat, temporaryStore } from '@orchard/storage/testing';
import { describe, expect, test } from 'vitest';
import { leastGainOnLine } from './choose-rounds.js';
import { resolved, splitsOf, stoppedAfter, survey, words } from './survey.suite.js';
import { TableModel } from './table-model.js';
import { variablesOf } from './read-variables.js';
import { tables } from './tables.js';
import { tablesRun } from './tables-run.js';

const surveyRows = async () => {
  const { train, valid, test } = await splitsOf(survey(200));
  return [train, valid!, test!] as const;
};
describeFamily(tables, words, { rows: surveyRows });
describeFamily(tables, { ...words, rowsPerTree: 60 }, { rows: surveyRows, nightly: 'all' });
describeFamily(tables, { ...words, leaves: 'auto', members: 2, folds: 3 }, { rows: surveyRows });
describeFamily(tables, { ...words, ordering: 'hubs' }, { rows: surveyRows, nightly: 'all' });
describeFamily(
  tables,
  { ...words, members: 2, folds: 3, orderings: ['chow-liu', 'greedy'] },
  { rows: surveyRows, nightly: 'half' },
);

async function trained(
  store: ObjectStore,
  splits: TableSplits,
  { said = words, threads = 1 }: { said?: Readonly<Record<string, unknown>>; threads?: number } = {},
): Promise<LocalRun & { readonly model: TableModel }> {
  const { specification, choice } = await resolved(store, splits, said);
  const done = await runLocally({ store, family: tables, specification, choice, threads });
  expect(done.model).toBeInstanceOf(TableModel);
  return done as LocalRun & { readonly model: TableModel };
}

describe('a run on a table', () => {
  test('whose trees grow on some of the rows says so in its settings, and is another; on all, it is the plain one', async () => {
    const splits = await splitsOf(survey(300));
    const [plain, some, all] = await Promise.all(
      [{}, { rowsPerTree: 90 }, { rowsPerTree: 300 }].map(async (own) => {
        const store = temporaryStore();
        const { run, model } = await trained(store, splits, { said: { ...words, ...own } });
        return { store, run, bytes: model.toBytes() };
      }),
    );
    expect(some!.run.specification).toMatchObject({ rowsPerTree: 90 });
    expect(await tables.report(some!.store, some!.run, null as never)).toContain('90, drawn for each');
    expect(some!.bytes).not.toEqual(plain!.bytes);
    expect(all!.run.id).toBe(plain!.run.id);
    expect(all!.bytes).toEqual(plain!.bytes);
  });

  test('whose variables find their leaves trains each as one that is told them, and says what was found', async () => {
    const splits = await splitsOf(survey(300));
    const said = { ...words, leaves: 'auto' };
    const store = temporaryStore();
    const { run, summary } = await trained(store, splits, { said });
    const found = (summary['variables'] as { leaves: number[] }[]).map(({ leaves }) => leaves[0]!);
    expect(found).toHaveLength(splits.table.variables.length);
    for (const leaves of new Set(found)) {
      expect(tuningDefaults.brief.leaves).toContain(leaves);
      const given = temporaryStore();
      const { run: other } = await trained(given, splits, { said: { ...words, leaves } });
      const [own, theirs] = [await variablesOf(store, tablesRun(run)), await variablesOf(given, tablesRun(other))];
      found.forEach((leaf, index) => {
        if (leaf === leaves) expect({ ...own[index], leaves: undefined }).toEqual(theirs[index]);
      });
    }
    // a choice, not the first candidate of all
    expect(new Set(found).size).toBeGreaterThan(1);
    const page = await tables.report(store, run, {});
    expect(page).toContain('found by each variable on its validation rows, of 4, 16, 64');
  });

  test('that is told its leaves has a specification without a word of how they are found', async () => {
    const [store, splits] = [temporaryStore(), await splitsOf(survey(100))];
    expect((await resolved(store, splits, words)).specification).not.toHaveProperty('tuning');
    expect((await resolved(store, splits, { leaves: 'auto' })).specification).toMatchObject({
      leaves: 'auto',
      tuning: { leaves: tuningDefaults.brief.leaves },
    });
  });

  test('that is interrupted keeps what it did, and goes on to the same bytes', async () => {
    const splits = await splitsOf(survey(300));
    const said = { ...words, rounds: 300, patience: 0 };
    const whole = temporaryStore();
    await trained(whole, splits, { said, threads: 2 });
    const store = temporaryStore();
    const { specification, choice } = await resolved(store, splits, said);
    // two tasks a thread: fewer are stored by both than there are variables
    for (const threads of [2, 1]) {
      const interrupted = runLocally({
        ...{ ...stoppedAfter(store, 1), family: tables, specification, choice, threads },
        checkpointSeconds: 0.02,
      });
      await expect(interrupted).rejects.toMatchObject({ code: 'interrupted', retryable: true });
      const kept = Object.keys(await contentOf(store));
      expect(kept.some((name) => name.includes('/networks/'))).toBe(false);
      const variables = kept.filter((name) => name.includes('/variables/')).length;
      expect(variables).toBeGreaterThan(0);
      expect(variables).toBeLessThan(splits.table.variables.length);
    }
    await runLocally({ store, family: tables, specification, choice, threads: 1 });
    expect(await contentOf(store)).toEqual(await contentOf(whole));
  });

  test('stops where a checkpoint of another history stands at the same place, and stores no result of it', async () => {
    const store = temporaryStore();
    const { specification, choice } = await resolved(store, await splitsOf(survey(200)));
    const foreign = storeThat(store, {
      put: async (name, bytes) => {
        if (name.includes('/checkpoints/')) await store.put(name, bytes.slice(1));
        return store.put(name, bytes);
      },
    });
    const options = { store: foreign, family: tables, specification, choice, threads: 1, checkpointSeconds: 0 };
    await expect(runLocally(options)).rejects.toMatchObject({ code: 'conflict' });
    expect(Object.keys(await contentOf(store)).filter((name) => name.includes('/networks/'))).toEqual([]);
  });

  test('reports while its tasks say nothing', async () => {
    const store = temporaryStore();
    const { specification, choice } = await resolved(store, await splitsOf(survey(100)));
    let isFirst = true;
    const train: typeof tables.handlers.train = async (...given) => {
      if (isFirst) await sleep(1_600);
      isFirst = false;
      return tables.handlers.train!(...given);
    };
    const family = { ...tables, handlers: { ...tables.handlers, train } };
    const reports: number[] = [];
    const options = { store, family, specification, choice, threads: 1 };
    await runLocally({
      ...options,
      onProgress: ({ stage, tasks }) => void (stage === 'train' && tasks.done === 0 && reports.push(tasks.total)),
    });
    // the first as the stage begins, and others before a task has said anything
    expect(reports.length).toBeGreaterThan(2);
  });

  test('tells a likelihood that rises from its columns alone to what validation rows are given, and the same from the store', async () => {
    const splits = await splitsOf(survey(500));
    const store = temporaryStore();
    const { specification, choice } = await resolved(store, splits);
    const shown: (number | null)[] = [];
    const options = { store, family: tables, specification, choice, threads: 1 };
    const { run, model } = await runLocally({
      ...options,
      onProgress: ({ stage, logLikelihood }) => void (stage === 'train' && shown.push(logLikelihood)),
    });
    const density = meanLogDensities(splits.valid!).reduce((sum, nats) => sum + nats, 0);
    const before = splits.table.variables.reduce((sum, variable) => {
      const counts = trainingCounts(variable);
      const rows = counts.reduce((all, count) => all + count, 0);
      return counts.reduce((all, count, code) => all + (count / rows) * ownLogRates(variable)[code]!, sum);
    }, 0);
    expect(Math.abs(density)).toBeGreaterThan(0.1);
    expect(shown[0]).toBeCloseTo(before + density, 9);
    // the figure of the summary and of the report
    expect(shown.at(-1)).toBeCloseTo(model.likelihoods.valid!, 9);
    expect(shown.at(-1)).toBeGreaterThan(before + density + 0.5);
    // nothing between them is better than the whole: a variable of which one decision is trained is not the whole
    // variable
    for (const figure of shown) expect(figure).toBeLessThan(shown.at(-1)! + 0.3);

    const look: RunLook = {
      ...{ family: tables, run, submittedAt: new Date(0).toISOString(), attempts: new Map(), givenUp: new Set() },
      ...{ entries: await entriesBelow(store, artefactNames.run(run.id)), held: new Map() },
      plan: await tables.missing(store, run, [choice], { withReport: false }),
    };
    const known = new Map<string, number>();
    const variables = splits.table.variables.length;
    const half = await likelihoodOf(look, store, known, 2);
    expect(half).toMatchObject({ read: 2, stored: variables, tasks: variables, called: 'variables' });
    expect(half.of).toMatch(/^Of the 100 validation rows, before the refit\. .*rates in the training rows\.$/);
    const whole = await likelihoodOf(look, store, known, 100);
    expect(whole.read).toBe(variables);
    expect(whole.points[0]![1]).toBeCloseTo(before + density, 9);
    expect(whole.points.at(-1)![1]).toBeCloseTo(shown.at(-1)!, 9);
  });

  test('shows how each variable came to its likelihood, and says what was stored before there were curves, or is damaged', async () => {
    const splits = await splitsOf(survey(500));
    const store = temporaryStore();
    const { run, summary } = await trained(store, splits);
    const look: RunLook = {
      ...{ family: tables, run, submittedAt: new Date(0).toISOString(), attempts: new Map(), givenUp: new Set() },
      ...{ entries: await entriesBelow(store, artefactNames.run(run.id)), held: new Map() },
      plan: await tables.missing(store, run, [{}], { withReport: false }),
    };
    const { variables } = summary as unknown as {
      variables: readonly { name: string; train: number; valid: number }[];
    };
    const densities = { train: meanLogDensities(splits.train), valid: meanLogDensities(splits.valid!) };
    for (const [index, { name, valid }] of variables.entries()) {
      const { name: shownName, curves } = (await taskOf(look, store, `train/${String(index)}`))!;
      expect(shownName).toBe(name);
      expect(curves!.rounds[0]).toBe(0);
      expect(curves!.rounds.length).toBeLessThanOrEqual(words.rounds + 1);
      // each depth of decisions keeps its own best number of rounds: no less than one number for all, but for what
      // trees on a line gain too little by; codes of a byte have eight depths at most
      const doubted = (8 * leastGainOnLine(splits.valid!.rows)) / splits.valid!.rows;
      const kept = valid - densities.valid[index]!;
      expect(kept).toBeGreaterThanOrEqual(Math.max(...(curves!.valid as number[])) - doubted - 1e-9);
      expect(kept - Math.max(...(curves!.valid as number[]))).toBeLessThan(0.05);
      for (const { length } of [curves!.train, curves!.valid!, curves!.test ?? []])
        expect([0, curves!.rounds.length]).toContain(length);
    }
    const smoker = variables.findIndex(({ name }) => name === 'smoker');
    const { train, test } = (await taskOf(look, store, `train/${String(smoker)}`))!.curves!;
    expect(test).toHaveLength(train.length);
    expect(train.at(-1)!).toBeGreaterThan(train[0]!);

    const name = `${artefactNames.run(run.id)}curves/v${String(smoker)}`;
    const bytes = await store.get(name);
    await store.delete(name);
    expect((await taskOf(look, store, `train/${String(smoker)}`))!.curves).toBeNull();
    expect(await tables.damaged(store, run)).toEqual([]);
    await store.put(name, bytes.with(9, bytes[9]! ^ 1));
    expect(await tables.damaged(store, run)).toEqual([`${artefactNames.run(run.id)}variables/${String(smoker)}`, name]);
  });

  test('says in its summary what its model gives the test rows, by variable and in all, densities included', async () => {
    const splits = await splitsOf(survey(500));
    const { model, summary } = await trained(temporaryStore(), splits);
    expect(modelSummarySchema.parse(summary)).toEqual(summary);
    const rows = splits.test!;
    // the same rows again, from what the file says
    const encoded = await encodedAgain(splits);
    expect(rows.bytes).toEqual(encoded.matrix.bytes);
    const cells = model.cellLogLikelihoods(rows);
    const { variables } = splits.table;
    const means = variables.map((_, index) => {
      let sum = 0;
      for (let row = 0; row < rows.rows; row++)
        sum += cells[row * variables.length + index]! + encoded.logDensity[row * variables.length + index]!;
      return sum / rows.rows;
    });
    const figuresOfAll = (
      summary as unknown as { variables: { name: string; train: number; valid: number; test: number }[] }
    ).variables;
    expect(figuresOfAll.map(({ name }) => name)).toEqual(variables.map(({ name }) => name));
    figuresOfAll.forEach(({ test: own }, index) => {
      expect(own).toBeCloseTo(means[index]!, 9);
    });
    for (const split of ['train', 'valid', 'test'] as const)
      expect(model.likelihoods[split]).toBeCloseTo(
        figuresOfAll.reduce((sum, figures) => sum + figures[split], 0),
        9,
      );
    expect(model.likelihoods).toEqual(summary.likelihoods);
  });

  test('learns: what repeats a column and what is constant cost next to nothing', async () => {
    const splits = await splitsOf(survey(800));
    const { summary } = await trained(temporaryStore(), splits, { said: { ...words, rounds: 100, leaves: 16 } });
    const variables = (summary as unknown as { variables: { name: string; valid: number }[] }).variables;
    const valid = (name: string): number => variables.find((figures) => figures.name === name)!.valid;
    expect(valid('constant')).toBeGreaterThan(-0.01);
    expect(valid('again')).toBeGreaterThan(valid('age') / 3);
  });
});

/** The test rows by their texts in the file: each row is found by the split that drew it. */
async function encodedAgain({ path, table, test: rows }: TableSplits & { readonly path: string }) {
  const raw = await openTable(path);
  const [all] = await encodeTable(raw, table, [500], { withDensities: true });
  await raw.close();
  const keyOf = (matrix: BitMatrix, row: number): string =>
    Buffer.from(matrix.bytes.subarray(row * matrix.stride, (row + 1) * matrix.stride)).toString('hex');
  const places = new Map<string, number[]>();
  for (let row = 0; row < 500; row++)
    places.set(keyOf(all!.matrix, row), [...(places.get(keyOf(all!.matrix, row)) ?? []), row]);
  const chosen = Array.from({ length: rows!.rows }, (_, row) => {
    const found = places.get(keyOf(rows!, row))!;
    expect(found).toHaveLength(1);
    return found[0]!;
  });
  const width = table.variables.length;
  return {
    matrix: all!.matrix.selectRows(chosen),
    logDensity: Float64Array.from(
      { length: chosen.length * width },
      (_, at) => all!.logDensity[chosen[Math.floor(at / width)]! * width + (at % width)]!,
    ),
  };
}

describe('what is asked of a run on a table', () => {
  test('a selection is part of the run, and stands on its page', async () => {
    const splits = await splitsOf(survey(200));
    const store = temporaryStore();
    const plain = await trained(store, splits);
    const { run, model } = await trained(store, splits, { said: { ...words, select: 'common' } });
    expect(run.id).not.toBe(plain.run.id);
    expect(run.specification).toMatchObject({ select: 'common' });
    expect(plain.run.specification).not.toHaveProperty('select');
    expect(model.toBytes()).not.toEqual(plain.model.toBytes());
    expect(await tables.report(store, run, {})).toContain('common, among the decisions of each column');
  });

  test('an ordering at random is one of the seed, and is written down', async () => {
    const splits = await splitsOf(survey(100));
    const store = temporaryStore();
    const orderings = await Promise.all(
      [1, 1, 2].map(
        async (seed) => (await resolved(store, splits, { ...words, ordering: 'random', seed })).specification,
      ),
    );
    const [one, again, other] = orderings.map(
      (specification) => (specification as unknown as { ordering: number[] }).ordering,
    );
    expect(again).toEqual(one);
    expect(other).not.toEqual(one);
    expect([...one!].sort((a, b) => a - b)).toEqual([...splits.table.variables.keys()]);
    const { model } = await trained(store, splits, { said: { ...words, ordering: 'random', seed: 1 } });
    expect([...model.ordering]).toEqual(one);
  });

  test('an ordering that is given is kept; the natural one is called so', async () => {
    const splits = await splitsOf(survey(100));
    const store = temporaryStore();
    const all = [...splits.table.variables.keys()];
    const { model } = await trained(store, splits, { said: { ...words, ordering: all.toReversed() } });
    expect([...model.ordering]).toEqual(all.toReversed());
    const natural = await resolved(store, splits, { ...words, ordering: all });
    expect(natural.specification).toMatchObject({ ordering: 'natural' });
    expect(natural.runId).toBe((await resolved(store, splits)).runId);
  });

  test('an ordering that is none is refused', async () => {
    const splits = await splitsOf(survey(100));
    const store = temporaryStore();
    const all = [...splits.table.variables.keys()];
    for (const ordering of [[0], [...all, all.length], [0, 0, ...all.slice(2)], [-1], 'alphabetical'])
      await expect(resolved(store, splits, { ...words, ordering }), JSON.stringify(ordering)).rejects.toThrow(/order/i);
  });

  test('words that nobody knows are refused, in the request and in the specification', async () => {
    const splits = await splitsOf(survey(100));
    const store = temporaryStore();
    await expect(resolved(store, splits, { ...words, leafs: 3 })).rejects.toThrow(/"leafs"/);
    const { specification, choice } = await resolved(store, splits);
    for (const wrong of [{ leafs: 3 }, { rounds: 0.5 }, { ordering: 'random' }, { family: 'lbarn' }])
      await expect(
        runLocally({
          store,
          family: tables,
          specification: { ...specification, ...wrong } as never,
          choice,
          threads: 1,
        }),
        JSON.stringify(wrong),
      ).rejects.toThrow(/leafs|rounds|ordering|family/);
  });

  test('the preset of the paper trains', async () => {
    const splits = await splitsOf(survey(60));
    const { model } = await trained(temporaryStore(), splits, { said: { preset: 'paper', rounds: 20 } });
    expect(model.specification).toMatchObject({
      start: 'half',
      l2: 0,
      shrinkage: 0.02,
      maxLeafValue: null,
      leaves: 16,
    });
    expect(model.likelihoods.test).toBeLessThan(0);
  });

  test('rows of bits are refused with the remedy', async () => {
    const store = temporaryStore();
    const bits = BitMatrix.fromRows(['01', '10']);
    await expect(resolved(store, { train: bits, valid: bits, test: null } as unknown as TableSplits)).rejects.toThrow(
      /rows of bits.*a table/s,
    );
  });
});

describe('tables that hold next to nothing', () => {
  const lines = (header: string, cell: (row: number) => unknown, rows = 60): string =>
    `${[header, ...Array.from({ length: rows }, (_, row) => cell(row))].join('\n')}\n`;
  test.each<[string, string, number]>([
    ['of one variable of two labels', lines('x', (row) => (row % 3 === 0 ? 'a' : 'b')), 3],
    ['of one variable of three labels', lines('x', (row) => 'abc'[row % 3]), 4],
    ['of one column of measurements', lines('x', (row) => ((row * 37) % 61) / 4), 6],
    ['of one number that is always the same', lines('x', () => 5), 2],
    ['of one word that is always the same', lines('x', () => 'five'), 2],
    ['of one number and holes', lines('x,y', (row) => (row % 4 === 0 ? ',1' : '5,1')), 3],
  ])('%s become models that score, draw and fill', async (_, text, codes) => {
    const splits = await splitsOf(text);
    expect(codeCount(splits.table.variables[0]!)).toBe(codes);
    const { model, network } = await trained(temporaryStore(), splits);
    expect(Number.isFinite(model.likelihoods.test)).toBe(true);
    const drawn = model.sample(50, 1);
    expect(drawn.rows).toBe(50);
    expect([...model.logLikelihood(drawn)].every((nats) => nats <= 0 && Number.isFinite(nats))).toBe(true);
    const known = BitMatrix.create(50, model.dimensions);
    expect(model.complete(drawn, known, { seed: 1, samples: 8 }).matrix.rows).toBe(50);
    expect(model.score(drawn).logLikelihood).toHaveLength(50);
    expect(Buffer.compare(network, model.toBytes())).toBe(0);
  });
});
