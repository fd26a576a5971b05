import { membersSummarySchema, summarySchema, tuningDefaults, type RunWords, type Tuned } from '@orchard/contracts';
import { BitMatrix } from '@orchard/dataset';
import { RandomStream } from '@orchard/numerics';
import { createRun, damagedArtefacts, openRun } from '@orchard/pipeline';
import { registerSplits, temporaryStore, trainedOn, watchedStore, type TestRun } from '@orchard/pipeline/conformance';
import { describe, expect, test } from 'vitest';
import { lbarnNames } from '../artefacts/artefacts.js';
import { dependentRows, exampleWords, expectSameTrees, registerExample, trainedExample } from '../example.suite.js';
import { askedRun, lbarnRun } from '../run/lbarn-run.js';
import { readCurves } from '../selection/select-rounds.js';
import { lbarn } from '../lbarn.js';
import { resolveRun } from '../run/resolve-run.js';
import { sampledDimensions } from './trials.js';
import { settledRun } from './settled-run.js';

const words: RunWords = { ...exampleWords, leaves: 'auto', featureFraction: 'auto', ordering: 'auto' };

/** The example, or what words make of it, and what it found. */
async function tuned(
  own: RunWords = words,
  options: Parameters<typeof trainedExample>[1] = {},
): Promise<TestRun & { readonly found: Tuned }> {
  const run = await trainedExample(own, { threads: 2, ...options });
  return { ...run, found: summarySchema.shape.tuned.parse(run.summary['tuned'])! };
}

/** What the example found, trained once for those tests that look at no more than that. */
const founds = new Map<RunWords, Promise<Tuned>>();
function foundBy(own: RunWords): Promise<Tuned> {
  const known = founds.get(own) ?? tuned(own).then(({ found }) => found);
  founds.set(own, known);
  return known;
}

/** What words mean of the example, of which nothing is trained. */
const asked = async (own: RunWords = words, size: { readonly dimensions?: number; readonly rows?: number } = {}) =>
  registerExample(temporaryStore(), { words: own, ...size });

describe('a run that finds its own settings', () => {
  test('has the trees of one that was told them, and tells what it tried', async () => {
    const { store, choice, run, model, found } = await tuned();
    founds.set(words, Promise.resolve(found));
    const { leaves, featureFraction, ordering } = found;
    expect(leaves!.tried.map((one) => one.leaves)).toEqual(tuningDefaults.brief.leaves);
    expect(leaves!.dimensions).toHaveLength(3);
    expect(featureFraction!.tried.map((one) => one.featureFraction)).toEqual([0.5, 1]);
    expect(featureFraction).toMatchObject({ leaves: leaves!.chosen, dimensions: leaves!.dimensions });
    expect(ordering!.tried.map((one) => one.ordering)).toEqual(tuningDefaults.orderings);
    expect(ordering!.leaves).toBe(leaves!.chosen);
    const gain = featureFraction!.tried[1]!.validLogLikelihood - featureFraction!.tried[0]!.validLogLikelihood;
    // of 60 validation rows
    expect(featureFraction!.chosen).toBe((gain * 60) / 3 > 1 ? 1 : 0.5);
    for (const { tried, chosen } of [
      { tried: leaves!.tried.map((one) => ({ ...one, name: one.leaves })), chosen: leaves!.chosen },
      { tried: ordering!.tried.map((one) => ({ ...one, name: one.ordering })), chosen: ordering!.chosen },
    ] as const) {
      const best = Math.max(...tried.map(({ validLogLikelihood }) => validLogLikelihood));
      expect(tried.find(({ validLogLikelihood }) => validLogLikelihood === best)!.name).toBe(chosen);
      expect(new Set(tried.map(({ validLogLikelihood }) => validLogLikelihood)).size).toBeGreaterThan(1);
    }
    const settled = await settledRun(store, await openRun(store, run.id));
    expect(settled.specification).toMatchObject({
      leaves: leaves!.chosen,
      featureFraction: featureFraction!.chosen,
    });
    const plain = await trainedExample({
      ...exampleWords,
      leaves: leaves!.chosen,
      featureFraction: featureFraction!.chosen,
      ordering: Array.from(settled.ordering),
    });
    expectSameTrees(plain.model, model);
    const page = await lbarn.report(store, run, choice);
    expect(page).toContain('What was tried, and chosen');
    expect(page).toContain('entropy-rising');
    expect(page).toContain('Shares of the predictors');
  });

  test('finds one of both where it was told the other', async () => {
    const leaves = await tuned({ ...exampleWords, leaves: 'auto', ordering: 'random' });
    expect([leaves.found.leaves!.tried.length, leaves.found.ordering]).toEqual([3, null]);
    const ordering = await tuned({ ...exampleWords, ordering: 'auto' });
    expect([ordering.found.leaves, ordering.found.ordering!.leaves]).toEqual([null, 4]);
  });

  test('tries the share of predictors of the leaves no second time, and both shares where leaves were told', async () => {
    const namesOf = async (own: RunWords): Promise<string[]> => {
      const { store, run, found } = await tuned(own);
      const names: string[] = [];
      for (const { name } of await store.list(lbarnNames.screenings(run.id))) names.push(name.split('/').at(-1)!);
      const { dimensions, tried, leaves } = found.featureFraction!;
      const first = found.leaves?.tried.find((one) => one.leaves === leaves);
      if (first !== undefined) expect(tried[0]).toMatchObject({ validLogLikelihood: first.validLogLikelihood });
      const [dimension] = dimensions;
      return names.filter((name) => name.startsWith('fraction-') && name.endsWith(`.${dimension!}`));
    };
    const of = async (own: RunWords): Promise<number> =>
      (await namesOf({ ...words, ordering: 'natural', ...own })).length;
    expect([await of({}), await of({ leaves: 4 })]).toEqual([1, 2]);
  });

  test('takes all predictors where a share of them cannot tell: the parity of two bits', async () => {
    const parity = (rows: number, seed: number): BitMatrix => {
      const stream = new RandomStream(seed, 1);
      return BitMatrix.fromRows(
        Array.from({ length: rows }, () => {
          const [a, b] = [0, 1].map(() => stream.below(2)) as [number, number];
          return [a, b, a ^ b].join('');
        }),
      );
    };
    const own: RunWords = { ...words, leaves: 4, ordering: 'natural', seed: 7 };
    const { summary } = await trainedOn([parity(300, 1), parity(150, 2)], lbarn, own);
    expect(summarySchema.shape.tuned.parse(summary['tuned'])!.featureFraction).toMatchObject({
      dimensions: [2],
      chosen: 1,
    });
  });

  test('chooses by validation rows: test rows choose nothing', async () => {
    const found = [];
    for (const test of [dependentRows(50, 9, 77), null]) {
      const { summary } = await trainedOn([dependentRows(120, 9, 1), dependentRows(60, 9, 2), test], lbarn, words);
      found.push(summarySchema.shape.tuned.parse(summary['tuned'])!);
    }
    const third = await foundBy(words);
    // where rows lie among others decides how a sum is rounded, and nothing else
    for (const { leaves, ordering } of found) {
      expect([leaves!.chosen, ordering!.chosen]).toEqual([third.leaves!.chosen, third.ordering!.chosen]);
      third.ordering!.tried.forEach(({ validLogLikelihood, ...rest }, at) => {
        expect(ordering!.tried[at]).toMatchObject(rest);
        expect(ordering!.tried[at]!.validLogLikelihood).toBeCloseTo(validLogLikelihood, 12);
      });
    }
  });
});

describe("the paper's search", () => {
  const searched: RunWords = { preset: 'paper', leaves: 'search', rounds: 30, shrinkage: 0.1, select: 'individual' };
  const trainedWith = (leaves: number, shrinkage: number) => trainedExample({ ...searched, leaves, shrinkage });

  test('trains all leaves in full, with larger steps only where the rounds did not suffice, and takes the likeliest', async () => {
    const { model, found } = await tuned(searched);
    founds.set(searched, Promise.resolve(found));
    const { chosen, shrinkage, tried, dimensions } = found.leaves!;
    expect(dimensions).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    const steps = [0.1, 0.5, 1];
    const of = (step: number) => tried.filter((one) => one.shrinkage === steps[step]);
    expect(of(0).map(({ leaves }) => leaves)).toEqual([2, 4, 8, 16, 32, 64, 128]);
    for (const step of [1, 2]) {
      const open = of(step - 1).filter(({ rise }) => rise! > 0.001);
      expect(of(step).map(({ leaves }) => leaves)).toEqual(open.map(({ leaves }) => leaves));
    }
    expect([of(1).length > 0, of(1).length < 7]).toEqual([true, true]);
    const best = Math.max(...tried.map(({ validLogLikelihood }) => validLogLikelihood));
    expect(tried.find((one) => one.leaves === chosen && one.shrinkage === shrinkage)!.validLogLikelihood).toBe(best);
    expectSameTrees((await trainedWith(chosen, shrinkage!)).model, model);
  });

  test('says of leaves what a run of them says', async () => {
    const found = await foundBy(searched);
    const { leaves, shrinkage, validLogLikelihood, trees, rise } = found.leaves!.tried[1]!;
    const { store, run, summary: own } = await trainedWith(leaves, shrinkage!);
    expect(summarySchema.parse(own).runId).toBe(run.id);
    const curves = await readCurves(store, lbarnRun(run));
    // the first column of the ordering is not tried: it has the same trees whatever the leaves
    const others = curves.slice(1).map(({ valid }) => Array.from(valid!, (nats) => nats / 60));
    const common = Array.from({ length: 31 }, (_, round) =>
      others.reduce((sum, curve) => sum + curve[Math.min(round, curve.length - 1)]!, 0),
    );
    const most = Math.max(...common);
    expect(validLogLikelihood).toBeCloseTo(most, 10);
    expect(trees).toBe(others.length * common.indexOf(most));
    expect(rise).toBeCloseTo((common[30]! - common[27]!) / (most - common[0]!), 10);
  });
});

describe('members of a run that finds its own leaves', () => {
  test('all have them: they are found once, whatever is added later', async () => {
    const own: RunWords = { ...exampleWords, leaves: 'auto', orderings: ['reversed', 'hubs'], folds: 3 };
    const { store } = await tuned({ ...own, members: 1 });
    const screened: string[] = [];
    const counting = watchedStore(store, (method, [name]) => {
      if (method === 'put' && String(name).includes('/screenings/')) screened.push(String(name));
    });
    const more = await tuned({ ...own, members: 3 }, { store: counting });
    expect(screened).toEqual([]);
    const { tuned: found, members } = membersSummarySchema.parse(more.summary);
    expect([found!.ordering, members.length]).toEqual([null, 3]);
    const page = await lbarn.report(store, more.run, { selection: 'common', refit: true, members: 3 });
    expect(page).toContain('What was tried, and chosen');
  });

  test('take their orderings in turn: none is to be found', async () => {
    await expect(asked({ ...words, members: 2 })).rejects.toMatchObject({
      code: 'bad-request',
      got: 'auto',
      remedy: expect.stringContaining('orderings') as string,
    });
  });
});

describe('a run whose trials still gain at their last round', () => {
  /**
   * Columns by chance, and others that are on which side of a plane these are: a tree of few leaves is a small part of
   * it.
   */
  function sidesOfPlanes(rows: number, seed: number): BitMatrix {
    const [draw, stream] = [new RandomStream(3, 1), new RandomStream(seed, 2)];
    const planes = Array.from({ length: 8 }, () => Array.from({ length: 14 }, () => 2 * draw.uniform() - 1));
    return BitMatrix.fromRows(
      Array.from({ length: rows }, () => {
        const chance = Array.from({ length: 14 }, () => stream.below(2));
        const sides = planes.map((weights) =>
          weights.reduce((sum, weight, at) => sum + weight * (2 * chance[at]! - 1), 0) > 0 ? 1 : 0,
        );
        return [...chance, ...sides].join('');
      }),
    );
  }

  const trained = (own: RunWords) =>
    trainedOn([sidesOfPlanes(1200, 1), sidesOfPlanes(1200, 2)], lbarn, own, { threads: 2 });

  test('takes longer steps where these are likelier, and says so', async () => {
    const { store, choice, run, summary } = await trained({});
    const { leaves, shrinkage } = summarySchema.shape.tuned.parse(summary['tuned'])!;
    const [own] = shrinkage!.tried;
    expect(own).toMatchObject({ shrinkage: 0.05, leaves: leaves!.chosen });
    expect(new Set(shrinkage!.tried.slice(1).map((one) => one.shrinkage))).toEqual(new Set([0.1, 0.2]));
    expect(shrinkage!.tried.every((one) => one.leaves <= leaves!.chosen)).toBe(true);
    const best = shrinkage!.tried.reduce((most, one) =>
      one.validLogLikelihood > most.validLogLikelihood ? one : most,
    );
    expect(best.validLogLikelihood).toBeGreaterThan(own!.validLogLikelihood);
    expect(shrinkage).toMatchObject({ chosen: best.shrinkage, leaves: best.leaves });
    const settled = await settledRun(store, await openRun(store, run.id));
    expect(settled.specification).toMatchObject({ shrinkage: best.shrinkage, leaves: best.leaves, rounds: 2000 });
    expect(await lbarn.report(store, run, choice)).toContain('since trials still gained at their last round');
    expect(await damagedArtefacts(store, lbarn, run)).toEqual([]);
  });

  test('keeps the steps that it is given, and those that an earlier release began to train with', async () => {
    const { store, summary, runId } = await trained({ shrinkage: 0.15, rounds: 20 });
    expect(summary['tuned']).not.toHaveProperty('shrinkage');

    const datasets = await registerSplits(store, [sidesOfPlanes(1200, 1), sidesOfPlanes(1200, 2)]);
    const { specification, choice } = resolveRun({}, datasets);
    const run = await createRun(store, specification);
    for (const name of ['leaves', 'fraction'] as const) {
      const asked = lbarnNames.settled(runId, name);
      await store.put(lbarnNames.settled(run.id, name), await store.get(asked));
    }
    await expect(settledRun(store, run)).rejects.toMatchObject({ code: 'missing' });
    const kinds = async (): Promise<Set<string>> => {
      const { tasks } = await lbarn.missing(store, run, [{ ...choice }], { withReport: false });
      return new Set(tasks.map(({ task }) => `${task.kind} ${task.kind === 'settle' ? task.key : ''}`.trim()));
    };
    await store.put(lbarnNames.conditional(run.id, 3), Buffer.from('of an earlier release'));
    expect(await kinds()).not.toContain('settle limit');
    expect((await settledRun(store, run)).specification.shrinkage).toBe(0.05);
  });
});

describe('what is tried', () => {
  const sampleOf = async (own: RunWords, dimensions: number): Promise<number[]> => {
    const store = temporaryStore();
    const { specification } = await registerExample(store, { words: own, dimensions, rows: 6 });
    return sampledDimensions(askedRun(await createRun(store, specification)));
  };

  test('is a sample of dimensions, one of each stretch of the ordering, drawn from the seed', async () => {
    const sample = await sampleOf({ ...words, ordering: 'natural', seed: 7 }, 200);
    expect(sample).toHaveLength(tuningDefaults.mostDimensions);
    sample.forEach((dim, at) => {
      const [from, to] = [at, at + 1].map((edge) => 1 + Math.floor((edge * 199) / sample.length)) as [number, number];
      expect([dim >= from, dim < to]).toEqual([true, true]);
    });
    expect(await sampleOf({ ...words, ordering: 'natural', seed: 7 }, 200)).toEqual(sample);
    expect(await sampleOf({ ...words, ordering: 'natural', seed: 8 }, 200)).not.toEqual(sample);
  });

  test('is one dimension where there are no more', async () => {
    expect([await sampleOf(words, 1), await sampleOf(words, 2)]).toEqual([[0], [1]]);
  });

  test('is part of the specification, which is what it was where nothing is', async () => {
    const plain = await asked(exampleWords);
    expect(Object.keys(plain.specification)).not.toContain('tuning');
    const found = await asked();
    expect(found.specification).toMatchObject({ leaves: 'auto', ordering: 'auto', tuning: { dimensions: 3 } });
    const more = await asked({ preset: 'accurate' });
    expect(more.specification.tuning).toMatchObject({ leaves: tuningDefaults.thorough.leaves, dimensions: 5 });
    const wide = await asked(words, { dimensions: 4097, rows: 4 });
    expect(wide.specification.tuning!.orderings).toEqual(tuningDefaults.wideOrderings);
  });
});
