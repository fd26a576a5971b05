import {
  lossOfFewerPredictors,
  membersSummarySchema,
  summarySchema,
  type RunWords,
  type Summary,
  type VariantSummary,
} from '@orchard/contracts';
import { Network } from '@orchard/model';
import { loadSplits } from '@orchard/pipeline';
import { temporaryStore, trainedOn, type TestRun } from '@orchard/pipeline/conformance';
import { describe, expect, test } from 'vitest';
import { categorySplits } from '../categories.suite.js';
import { exampleWords, registerExample, trainedExample } from '../example.suite.js';
import { lbarn } from '../lbarn.js';

/** The example of six columns. */
const run = (words: RunWords, options: Parameters<typeof trainedExample>[1] = {}): Promise<TestRun> =>
  trainedExample(words, { dimensions: 6, ...options });

/** Expects the file to say of test rows what the curves said. */
async function expectFileAsCurves({ network, store, run: made }: TestRun, summary: Summary): Promise<void> {
  const { test: rows } = await loadSplits(store, made);
  const nats = Network.from(network).logLikelihood(rows!);
  const mean = nats.reduce((sum, one) => sum + one, 0) / nats.length;
  expect(mean).toBeCloseTo(summary.network.testLogLikelihood!, 10);
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
  ['trees on some of the rows', { rowsPerTree: 30 }, (said) => expect(said).toEqual({ rowsPerTree: 30 })],
  [
    'a single tree a column',
    { ...singleTree, pseudoCount: 0.5 },
    (said) => expect(said).toEqual({ singleTree: { pseudoCount: 0.5, criterion: 'likelihood' } }),
  ],
  [
    'a single tree a column by gains in Brier score',
    { ...singleTree, pseudoCount: 0.5, criterion: 'brier' },
    (said) => expect(said).toEqual({ singleTree: { pseudoCount: 0.5 } }),
  ],
];

describe.each(variants)('a run with %s', (_, own, expectSaid) => {
  test('is a network as any other: its file says what its curves said, and its summary how it was trained', async () => {
    const store = temporaryStore();
    const isTree = own.preset === 'single-tree';
    for (const refit of isTree ? [false, true] : [false, true, 'again' as const]) {
      const done = await run(isTree ? { ...own, refit } : { ...exampleWords, ...own, refit }, { store });
      const summary = summarySchema.parse(done.summary);
      expectSaid(summary.variant!);
      await expectFileAsCurves(done, summary);
    }
  });
});

test('a run with all of them has members, and committees of them, whose summary tells of all', async () => {
  const words: RunWords = { ...exampleWords, gradients: 'first', start: 'logistic', dropout: 0.3 };
  const { summary } = await run({ ...words, members: 2, folds: 2, committee: true });
  const { variant, members } = membersSummarySchema.parse(summary);
  expect(members).toHaveLength(2);
  expect(variant).toMatchObject({ gradients: 'first', dropout: 0.3 });
  // four networks of six columns, of which the first has no start
  expect(variant!.logistic!.penalties.reduce((sum, { columns }) => sum + columns, 0)).toBe(20);
});

describe('a run whose columns look at some of the predictors', () => {
  const words: RunWords = { ...exampleWords, maxPredictors: 2 };

  test('tells what that loses: by quick trials of columns that have more, with as many and with all', async () => {
    const { store, summary, run: made } = await run(words);
    const { predictors, leaves } = summarySchema.shape.tuned.parse(summary['tuned'])!;
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
      const { model } = await run({ ...exampleWords, ordering: [5, 0, 4, 1, 3, 2], ...own });
      return (model as Network).ensembles.map(({ splitPredictor }) => new Set(splitPredictor));
    };
    const nearest = await seenBy({ nearPredictors: 1 });
    // columns 3 and 2, at positions 4 and 5, lie beside 4 and 3, at positions 2 and 4; of two as near the left
    expect([...nearest[4]!].every((position) => position === 2)).toBe(true);
    expect([...nearest[5]!].every((position) => position === 3)).toBe(true);
    const both = await seenBy({ nearPredictors: 1, maxPredictors: 2 });
    expect(Math.max(...both.map(({ size }) => size))).toBe(2);
  });

  test('has members, which look at as many', async () => {
    const { summary } = await run({ ...words, members: 2, folds: 2 });
    const { variant, tuned } = membersSummarySchema.parse(summary);
    expect([variant!.maxPredictors!.most, tuned!.predictors!.affected]).toEqual([2, 3]);
  });

  test('is the plain run where no column has more predictors, and refused with a logistic start or single trees', async () => {
    const specificationOf = async (own: RunWords) => (await asked({ ...exampleWords, ...own }, 6)).specification;
    expect(await specificationOf({ maxPredictors: 5 })).toEqual(await specificationOf({}));
    expect(await specificationOf({ maxPredictors: 4 })).toMatchObject({ maxPredictors: 4 });
    for (const own of [{ nearPredictors: 3 }, { start: 'logistic' }, { preset: 'single-tree' }] as const)
      await expect(asked({ ...own, maxPredictors: 2 }, 6)).rejects.toMatchObject({ code: 'bad-request' });
  });
});

test('a run whose trees grow on as many rows as there are is the plain run; single trees refuse it', async () => {
  const specificationOf = async (own: RunWords) => (await asked({ ...exampleWords, ...own }, 6)).specification;
  expect(await specificationOf({ rowsPerTree: 1e6 })).toEqual(await specificationOf({}));
  expect(await specificationOf({ rowsPerTree: 30 })).toMatchObject({ rowsPerTree: 30 });
  await expect(asked({ preset: 'single-tree', rowsPerTree: 30 }, 6)).rejects.toMatchObject({ code: 'bad-request' });
});

test('a run that finds exclusive columns is a network as any other, whose summary tells how many columns are told', async () => {
  for (const refit of [false, true, 'again' as const]) {
    const done = await trainedOn(categorySplits(), lbarn, { ...exampleWords, exclusive: 'found', refit });
    const summary = summarySchema.parse(done.summary);
    // of 160 rows with two categories; the first column of each is not told
    expect(summary.variant).toEqual({ exclusive: { columns: 5, chance: expect.any(Number) as unknown } });
    await expectFileAsCurves(done, summary);
  }
});

describe('a run of single trees', () => {
  test('finds one pseudocount for all columns by their validation rows, of leaves that each chose for itself', async () => {
    const { summary: said, network, run: made } = await run(singleTree);
    const summary = summarySchema.parse(said);
    const { chosen, tried } = summary.tuned!.pseudoCount!;
    expect(tried.map(({ pseudoCount }) => pseudoCount)).toEqual([0.001, 0.01, 0.03, 0.1, 0.3, 1, 3, 10]);
    expect(tried.find(({ pseudoCount }) => pseudoCount === chosen)!.validLogLikelihood).toBe(
      Math.max(...tried.map(({ validLogLikelihood }) => validLogLikelihood)),
    );
    expect(summary.variant).toEqual({ singleTree: { pseudoCount: chosen, criterion: 'likelihood' } });
    expect(summary.selections.individual.validLogLikelihood).toBeCloseTo(
      tried.find(({ pseudoCount }) => pseudoCount === chosen)!.validLogLikelihood,
      12,
    );
    const { ensembles } = Network.from(network);
    expect(ensembles.map(({ leafCounts }) => leafCounts.length)).toEqual(new Array(6).fill(1));
    const splits = ensembles.reduce((sum, { leafCounts }) => sum + leafCounts[0]! - 1, 0);
    expect(splits).toBe(summary.selections.individual.trees);
    // the same as of whoever says so
    const own = await run({ ...singleTree, pseudoCount: chosen });
    expect(summarySchema.parse(own.summary).selections).toEqual(summary.selections);
    expect(own.run.id).not.toBe(made.id);
  });

  test('finds an ordering', async () => {
    const found = summarySchema.parse((await run({ ...singleTree, ordering: 'auto' })).summary);
    expect(found.tuned!.ordering).not.toBeNull();
    expect(found.tuned!.pseudoCount).toBeDefined();
  });
});

/** What words mean of the example, of which nothing is trained. */
const asked = async (words: RunWords = exampleWords, dimensions = 9) =>
  registerExample(temporaryStore(), { words, dimensions });

describe('words of these', () => {
  test('that say what is meant anyway change nothing of a run', async () => {
    const usual = await asked();
    const said = await asked({ ...exampleWords, gradients: 'newton', dropout: 0, exclusive: 'none' });
    expect(said.runId).toBe(usual.runId);
    expect((await asked({ ...singleTree, criterion: 'likelihood' })).runId).toBe((await asked(singleTree)).runId);
    for (const word of ['gradients', 'dropout', 'exclusive'])
      expect(Object.keys(usual.specification)).not.toContain(word);
  });

  test('of dropout have trees that are not shrunk unless that is said, quick trials of leaves too', async () => {
    const words: RunWords = { ...exampleWords, dropout: 0.1 };
    expect((await asked(words)).specification).toMatchObject({ dropout: 0.1, shrinkage: 1 });
    expect((await asked({ ...words, shrinkage: 0.2 })).specification.shrinkage).toBe(0.2);
    expect((await asked({ ...words, leaves: 'auto' })).specification.tuning!.shrinkage).toBe(1);
  });

  test('of a preset that finds exclusive columns do not, where a start or no such columns are asked for', async () => {
    expect((await asked({ preset: 'accurate' })).specification.exclusive).toBe('found');
    for (const words of [{ start: 'logistic' }, { exclusive: 'none' }] as const)
      expect(Object.keys((await asked({ preset: 'accurate', ...words })).specification)).not.toContain('exclusive');
  });

  test.each<[RunWords, RegExp]>([
    [{ ...exampleWords, startPenalty: 2 }, /start base-rate.*Say start logistic \(--start logistic\)/s],
    [
      { ...exampleWords, exclusive: 'found', start: 'logistic' },
      /exclusive columns found, and a logistic start.*--variant exclusive=none/s,
    ],
    [{ ...exampleWords, pseudoCount: 0.1 }, /a pseudocount, and boosting.*--preset single-tree/s],
    [{ ...exampleWords, criterion: 'likelihood' }, /a criterion, and boosting.*--preset single-tree/s],
    ...(
      [
        { rounds: 9 },
        { gradients: 'first' },
        { dropout: 0.1 },
        { exclusive: 'found' },
        { l2: 1 },
        { leaves: 'auto' },
      ] as const
    ).map((own): [RunWords, RegExp] => [{ ...singleTree, ...own }, /options of a single tree.*Leave it out/s]),
  ])('that mean nothing without another are refused: %j', async (words, message) => {
    await expect(asked(words)).rejects.toThrow(message);
  });
});
