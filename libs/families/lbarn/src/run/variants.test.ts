import {
  lossOfFewerPredictors,
  membersSummarySchema,
  summarySchema,
  type RunWords,
  type VariantSummary,
} from '@orchard/contracts';
import { BitMatrix } from '@orchard/dataset';
import { Network } from '@orchard/model';
import { randomBits } from '@orchard/numerics';
import { loadSplits, registerDataset, runLocally, type LocalRun } from '@orchard/pipeline';
import type { ObjectStore } from '@orchard/storage';
import { describe, expect, test } from 'vitest';
import { contentOf, exampleWords, registerExample, temporaryStore } from '../example.suite.js';
import { lbarn } from '../lbarn.js';
import { resolveRun } from './resolve-run.js';

async function run(
  store: ObjectStore,
  words: RunWords,
  options: Partial<Parameters<typeof runLocally>[0]> = {},
): Promise<LocalRun> {
  const { specification, choice } = await registerExample(store, { words, dimensions: 6 });
  return runLocally({ store, family: lbarn, specification, choice: { ...choice }, threads: 1, ...options });
}

/** Runs until it is done, stopped after every few steps. @returns how often it was stopped */
async function runInPieces(store: ObjectStore, words: RunWords): Promise<number> {
  for (let stops = 0; stops < 300; stops++) {
    const stop = new AbortController();
    let told = 0;
    const onProgress = (): void => {
      if (++told > 2) stop.abort();
    };
    const isDone = await run(store, words, { signal: stop.signal, onProgress }).then(
      () => true,
      (error: unknown) => {
        expect(error).toMatchObject({ code: 'interrupted' });
        return false;
      },
    );
    if (isDone) return stops;
  }
  throw new Error('a run that was stopped 300 times is not done');
}

const singleTree = { preset: 'single-tree', leaves: 8 } as const;

const variants: readonly (readonly [string, RunWords, (said: VariantSummary) => void])[] = [
  ['gradients of first order', { gradients: 'first' }, (said) => expect(said).toEqual({ gradients: 'first' })],
  [
    'a logistic start',
    { start: 'logistic' },
    ({ logistic }) => {
      expect(logistic!.weights).toBeGreaterThan(0);
      // the first column has no start, and each other column has a penalty
      expect(logistic!.penalties.reduce((sum, { columns }) => sum + columns, 0)).toBe(5);
    },
  ],
  [
    'a logistic start of one penalty for all, by first order',
    { start: 'logistic', startPenalty: 3, gradients: 'first', select: 'individual' },
    (said) => expect(said).toMatchObject({ gradients: 'first', logistic: { penalties: [{ penalty: 3, columns: 5 }] } }),
  ],
  ['dropout of trees', { dropout: 0.3 }, (said) => expect(said).toEqual({ dropout: 0.3 })],
  [
    'dropout of trees after a logistic start, selected by what each tree adds',
    { dropout: 0.2, start: 'logistic', shrinkage: 0.5, select: 'linearized' },
    (said) => expect(said).toMatchObject({ dropout: 0.2, logistic: { weights: expect.any(Number) as unknown } }),
  ],
  [
    'two predictors a column at most, and shares of them',
    { maxPredictors: 2, featureFraction: 0.5 },
    (said) => expect(said).toEqual({ maxPredictors: { most: 2, columns: 3 } }),
  ],
  [
    'the nearest columns as predictors',
    { nearPredictors: 3 },
    (said) => expect(said).toEqual({ maxPredictors: { most: 3, near: 3, columns: 2 } }),
  ],
  [
    'a single tree a column',
    { ...singleTree, pseudoCount: 0.5 },
    (said) => expect(said).toEqual({ singleTree: { pseudoCount: 0.5 } }),
  ],
  [
    'a single tree a column by gains in likelihood',
    { ...singleTree, pseudoCount: 0.5, criterion: 'likelihood' },
    (said) => expect(said).toEqual({ singleTree: { pseudoCount: 0.5, criterion: 'likelihood' } }),
  ],
];

describe.each(variants)('a run with %s', (_, own, expectSaid) => {
  test('is a network as any other: its file says what its curves said, and its summary how it was trained', async () => {
    const { store } = await temporaryStore();
    for (const refit of own.preset === 'single-tree' ? [false, true] : [false, true, 'again' as const]) {
      const {
        network,
        summary: said,
        run: made,
      } = await run(store, own.preset === 'single-tree' ? { ...own, refit } : { ...exampleWords, ...own, refit });
      const summary = summarySchema.parse(said);
      expectSaid(summary.variant!);
      const { test: rows } = await loadSplits(store, made);
      const nats = Network.from(network).logLikelihood(rows!);
      const mean = nats.reduce((sum, one) => sum + one, 0) / nats.length;
      expect(mean).toBeCloseTo(summary.network.testLogLikelihood!, 10);
    }
  });
});

describe('a run with all of them', () => {
  const words: RunWords = { ...exampleWords, gradients: 'first', start: 'logistic', dropout: 0.3 };

  test('is the same bytes on 4 threads as on 1, stopped again and again', async () => {
    const [four, pieces] = [await temporaryStore(), await temporaryStore()];
    await run(four.store, words, { threads: 4 });
    expect(await runInPieces(pieces.store, words)).toBeGreaterThan(0);
    expect(await contentOf(pieces.store)).toEqual(await contentOf(four.store));
  });

  test('has members, and committees of them, whose summary tells of all', async () => {
    const { store } = await temporaryStore();
    const { summary: said } = await run(store, { ...words, members: 2, folds: 2, committee: true });
    const { variant, members } = membersSummarySchema.parse(said);
    expect(members).toHaveLength(2);
    expect(variant).toMatchObject({ gradients: 'first', dropout: 0.3 });
    // four networks of six columns, of which the first has no start
    expect(variant!.logistic!.penalties.reduce((sum, { columns }) => sum + columns, 0)).toBe(20);
  });
});

describe('a run whose columns look at some of the predictors', () => {
  const words: RunWords = { ...exampleWords, maxPredictors: 2 };

  test('tells what that loses: by quick trials of columns that have more, with as many and with all', async () => {
    const { store } = await temporaryStore();
    const { summary: said, run: made } = await run(store, words);
    const { predictors, leaves } = summarySchema.shape.tuned.parse(said['tuned'])!;
    expect(leaves).toBeNull();
    const { most, affected, dimensions, tried, differences } = predictors!;
    expect([most, affected, dimensions, tried.map((one) => one.predictors)]).toEqual([2, 3, [3, 4, 5], [2, null]]);
    const [some, all] = tried.map(({ validLogLikelihood }) => validLogLikelihood) as [number, number];
    expect(differences.reduce((sum, one) => sum + one, 0)).toBeCloseTo(some - all, 12);
    expect(some).not.toBe(all);
    const loss = lossOfFewerPredictors(predictors!);
    expect(loss.difference).toBeCloseTo(some - all, 12);
    expect(loss.standardError).toBeGreaterThan(0);
    const page = await lbarn.report(store, made, { selection: 'common', refit: true });
    for (const told of ['Predictors that were left out', 'at most 2, those of the most mutual information'])
      expect(page).toContain(told);
  });

  test('looks at the nearest as stored, whatever the ordering, and at the most informative beside them', async () => {
    const seenBy = async (own: RunWords) => {
      const { store } = await temporaryStore();
      const { model } = await run(store, { ...exampleWords, ordering: [5, 0, 4, 1, 3, 2], ...own });
      return (model as Network).ensembles.map(({ splitPredictor }) => new Set(splitPredictor));
    };
    const nearest = await seenBy({ nearPredictors: 1 });
    // columns 3 and 2, at positions 4 and 5, lie beside 4 and 3, at positions 2 and 4; of two as near the left
    expect([...nearest[4]!].every((position) => position === 2)).toBe(true);
    expect([...nearest[5]!].every((position) => position === 3)).toBe(true);
    const both = await seenBy({ nearPredictors: 1, maxPredictors: 2 });
    expect(Math.max(...both.map(({ size }) => size))).toBe(2);
  });

  test('looks at two of them: no ensemble splits on more', async () => {
    const { store } = await temporaryStore();
    const { model } = await run(store, words);
    const seen = (model as Network).ensembles.map(({ splitPredictor }) => new Set(splitPredictor).size);
    expect(Math.max(...seen)).toBe(2);
  });

  test('is the same bytes on 4 threads as on 1, stopped again and again, and with leaves to be found', async () => {
    const own: RunWords = { ...words, leaves: 'auto', featureFraction: 'auto', dropout: 0.2 };
    const [four, pieces] = [await temporaryStore(), await temporaryStore()];
    await run(four.store, own, { threads: 4 });
    expect(await runInPieces(pieces.store, own)).toBeGreaterThan(0);
    expect(await contentOf(pieces.store)).toEqual(await contentOf(four.store));
  });

  test('has members, which look at as many', async () => {
    const { store } = await temporaryStore();
    const { summary: said } = await run(store, { ...words, members: 2, folds: 2 });
    const { variant, tuned } = membersSummarySchema.parse(said);
    expect([variant!.maxPredictors!.most, tuned!.predictors!.affected]).toEqual([2, 3]);
  });

  test('is the plain run where no column has more predictors, and refused with a logistic start or single trees', async () => {
    const { store } = await temporaryStore();
    const specificationOf = async (own: RunWords) =>
      (await registerExample(store, { words: { ...exampleWords, ...own }, dimensions: 6 })).specification;
    expect(await specificationOf({ maxPredictors: 5 })).toEqual(await specificationOf({}));
    expect(await specificationOf({ maxPredictors: 4 })).toMatchObject({ maxPredictors: 4 });
    await expect(
      registerExample(store, { words: { nearPredictors: 3, maxPredictors: 2 }, dimensions: 6 }),
    ).rejects.toMatchObject({ code: 'bad-request' });
    for (const own of [{ start: 'logistic' }, { preset: 'single-tree' }] as const)
      await expect(
        registerExample(store, { words: { ...own, maxPredictors: 2 }, dimensions: 6 }),
      ).rejects.toMatchObject({ code: 'bad-request' });
  });
});

/** Columns 0 to 2 and 3 to 6 are the labels of two categories, 7 is a coin that goes with both. */
function categoryRows(rows: number, seed: number): BitMatrix {
  const matrix = BitMatrix.create(rows, 8);
  for (let row = 0; row < rows; row++) {
    const [first, second, coin] = [0, 1, 2].map((draw) => randomBits(seed, 99, row, draw)) as [number, number, number];
    matrix.set(row, first % 3, 1);
    matrix.set(row, 3 + (((first % 3) + (second % 2)) % 4), 1);
    matrix.set(row, 7, (first + (coin % 3)) % 2 === 1);
  }
  return matrix;
}

describe('a run that finds exclusive columns', () => {
  async function runOfCategories(
    store: ObjectStore,
    words: RunWords,
    options: Partial<Parameters<typeof runLocally>[0]> = {},
  ): Promise<LocalRun> {
    const { specification, choice } = resolveRun(
      { ...exampleWords, exclusive: 'found', ...words },
      {
        train: await registerDataset(store, categoryRows(160, 1)),
        valid: await registerDataset(store, categoryRows(80, 2)),
        test: await registerDataset(store, categoryRows(60, 3)),
      },
    );
    return runLocally({ store, family: lbarn, specification, choice: { ...choice }, threads: 1, ...options });
  }

  test('is a network as any other: its file says what its curves said, and its summary how many columns are told', async () => {
    const { store } = await temporaryStore();
    for (const refit of [false, true, 'again' as const]) {
      const { network, summary: said, run: made } = await runOfCategories(store, { refit });
      const summary = summarySchema.parse(said);
      // of 160 rows with two categories; the first column of each is not told
      expect(summary.variant).toEqual({ exclusive: { columns: 5, chance: expect.any(Number) as unknown } });
      const { test: rows } = await loadSplits(store, made);
      const nats = Network.from(network).logLikelihood(rows!);
      expect(nats.reduce((sum, one) => sum + one, 0) / nats.length).toBeCloseTo(summary.network.testLogLikelihood!, 10);
    }
  });

  test('is the same bytes on 4 threads as on 1, with members in other orderings and leaves that it finds', async () => {
    const words: RunWords = { members: 2, folds: 2, orderings: ['reversed', 'random'], leaves: 'auto', rounds: 6 };
    const [one, four] = [await temporaryStore(), await temporaryStore()];
    const { summary } = await runOfCategories(one.store, words);
    expect(membersSummarySchema.parse(summary).variant).toMatchObject({ exclusive: { columns: 5 } });
    await runOfCategories(four.store, words, { threads: 4 });
    expect(await contentOf(four.store)).toEqual(await contentOf(one.store));
  });
});

describe('a run of single trees', () => {
  test('finds one pseudocount for all columns by their validation rows, of leaves that each chose for itself', async () => {
    const { store } = await temporaryStore();
    const { summary: said, network, run: made } = await run(store, singleTree);
    const summary = summarySchema.parse(said);
    const { chosen, tried } = summary.tuned!.pseudoCount!;
    expect(tried.map(({ pseudoCount }) => pseudoCount)).toEqual([0.001, 0.01, 0.03, 0.1, 0.3, 1, 3, 10]);
    expect(tried.find(({ pseudoCount }) => pseudoCount === chosen)!.validLogLikelihood).toBe(
      Math.max(...tried.map(({ validLogLikelihood }) => validLogLikelihood)),
    );
    expect(summary.variant).toEqual({ singleTree: { pseudoCount: chosen } });
    expect(summary.selections.individual.validLogLikelihood).toBeCloseTo(
      tried.find(({ pseudoCount }) => pseudoCount === chosen)!.validLogLikelihood,
      12,
    );
    const { ensembles } = Network.from(network);
    expect(ensembles.map(({ leafCounts }) => leafCounts.length)).toEqual(new Array(6).fill(1));
    const splits = ensembles.reduce((sum, { leafCounts }) => sum + leafCounts[0]! - 1, 0);
    expect(splits).toBe(summary.selections.individual.trees);
    // the same as of whoever says so
    const told = await temporaryStore();
    const own = await run(told.store, { ...singleTree, pseudoCount: chosen });
    expect(summarySchema.parse(own.summary).selections).toEqual(summary.selections);
    expect(own.run.id).not.toBe(made.id);
  });

  test('is the same bytes on 4 threads as on 1, in pieces; it has members and finds an ordering', async () => {
    const words: RunWords = { ...singleTree, members: 2, folds: 2 };
    const [four, pieces] = [await temporaryStore(), await temporaryStore()];
    const { summary } = await run(four.store, words, { threads: 4 });
    expect(membersSummarySchema.parse(summary).members).toHaveLength(2);
    await runInPieces(pieces.store, words);
    expect(await contentOf(pieces.store)).toEqual(await contentOf(four.store));
    const found = summarySchema.parse((await run(four.store, { ...singleTree, ordering: 'auto' })).summary);
    expect(found.tuned!.ordering).not.toBeNull();
    expect(found.tuned!.pseudoCount).toBeDefined();
  });
});

describe('words of these', () => {
  test('that say what is meant anyway change nothing of a run', async () => {
    const { store } = await temporaryStore();
    const usual = await registerExample(store);
    const said = await registerExample(store, {
      words: { ...exampleWords, gradients: 'newton', dropout: 0, exclusive: 'none' },
    });
    expect(said.runId).toBe(usual.runId);
    const tree = await registerExample(store, { words: singleTree });
    const brier = await registerExample(store, { words: { ...singleTree, criterion: 'brier' } });
    expect(brier.runId).toBe(tree.runId);
    for (const word of ['gradients', 'dropout', 'exclusive'])
      expect(Object.keys(usual.specification)).not.toContain(word);
  });

  test('of dropout have trees that are not shrunk unless that is said, quick trials of leaves too', async () => {
    const { store } = await temporaryStore();
    const words: RunWords = { ...exampleWords, dropout: 0.1 };
    const { specification } = await registerExample(store, { words });
    expect(specification).toMatchObject({ dropout: 0.1, shrinkage: 1 });
    const said = await registerExample(store, { words: { ...words, shrinkage: 0.2 } });
    expect(said.specification.shrinkage).toBe(0.2);
    const found = await registerExample(store, { words: { ...words, leaves: 'auto' } });
    expect(found.specification.tuning!.shrinkage).toBe(1);
  });

  test('that mean nothing without another are refused', async () => {
    const { store } = await temporaryStore();
    const asked = registerExample(store, { words: { ...exampleWords, startPenalty: 2 } });
    await expect(asked).rejects.toThrow(/start base-rate.*Say start logistic \(--start logistic\)/s);
    const ofPreset = await registerExample(store, { words: { preset: 'accurate' } });
    expect(ofPreset.specification.exclusive).toBe('found');
    for (const words of [{ start: 'logistic' }, { exclusive: 'none' }] as const) {
      const otherwise = await registerExample(store, { words: { preset: 'accurate', ...words } });
      expect(Object.keys(otherwise.specification)).not.toContain('exclusive');
    }
    const twice = registerExample(store, { words: { ...exampleWords, exclusive: 'found', start: 'logistic' } });
    await expect(twice).rejects.toThrow(/exclusive columns found, and a logistic start.*--exclusive none/s);
    const boosted = registerExample(store, { words: { ...exampleWords, pseudoCount: 0.1 } });
    await expect(boosted).rejects.toThrow(/a pseudocount, and boosting.*--preset single-tree/s);
    const grown = registerExample(store, { words: { ...exampleWords, criterion: 'likelihood' } });
    await expect(grown).rejects.toThrow(/a criterion, and boosting.*--preset single-tree/s);
    for (const own of [
      { rounds: 9 },
      { gradients: 'first' },
      { dropout: 0.1 },
      { exclusive: 'found' },
      { l2: 1 },
      { leaves: 'auto' },
    ] satisfies RunWords[]) {
      const stepwise = registerExample(store, { words: { ...singleTree, ...own } });
      await expect(stepwise).rejects.toThrow(/options of a single tree.*Leave it out/s);
    }
  });
});
