import type { RunProgress } from '@orchard/contracts';
import type { ForestMixtureModel } from '@orchard/mixture';
import { describeFamily, trainedOn } from '@orchard/pipeline/conformance';
import { describe, expect, test } from 'vitest';
import { boosted } from './index.js';
import { rounds, treeOf } from './rounds.js';
import { dwellings } from './tables/dwellings.suite.js';

describeFamily(boosted, { components: 4, refits: 1 });
describeFamily(boosted, { components: 3, refits: 1, weak: 'network', edges: 4, start: 'uniform' }, { nightly: 'all' });
describeFamily(boosted, { components: 2, refits: 1 }, { rows: dwellings, nightly: 'all' });
describeFamily(
  boosted,
  { components: 3, refits: 0, weak: 'network', start: 'uniform' },
  { rows: dwellings, nightly: 'all' },
);

/** Mean test nats of the single tree, as independent code has them. */
test.each([
  ['dna', -87.8011, 6],
  ['mushrooms', -21.0224, 6],
] as const)('a whole run on %s is likelier than its weak learner alone, %d nats', async (name, alone, components) => {
  const { run, summary, model, store } = await trainedOn(name, boosted, { components });
  expect(summary.network.testLogLikelihood).toBeGreaterThan(alone + 0.2);
  const { model: first } = await rounds.read(store, run, { chain: 0, step: 0 });
  expect((model as ForestMixtureModel).mixture.components[0]!.rates).toEqual(treeOf(first as ForestMixtureModel).rates);
  expect(summary).toMatchObject({ family: 'boosted', rounds: { made: components } });
});

describe('a run', () => {
  const words = { components: 5, refits: 1 };

  test('shows its rounds, and does not say how long it takes: how many come is not known', async () => {
    const onProgress = ({ stage, tasks, secondsLeft }: RunProgress): void => {
      if (stage === 'round' && tasks.done < 3) expect(secondsLeft).toBe(null);
    };
    const { model, run, store } = await trainedOn('dna', boosted, words, { onProgress });
    const report = await boosted.report(store, run, {});
    expect(report).toContain('The rounds');
    expect(report.match(/<th scope="row">\d( \(kept up to here\))?<\/th><td>[\d.e-]+<\/td>/g)).toHaveLength(5);
    expect(report).toContain('Of 5 rounds');
    expect((model.specification as { rounds: object }).rounds).toMatchObject({ made: 5 });
  });

  const facts = { id: '0'.repeat(64), rows: 5, dimensions: 3, names: null, shape: null };
  const resolve = (said: object) => boosted.resolve({ ...said }, { train: facts, valid: facts, test: null });

  test('of more columns than can be counted in pairs is refused before anything is done', () => {
    const wide = { ...facts, dimensions: 16_385 };
    expect(() => boosted.resolve({}, { train: wide, valid: wide, test: null })).toThrow(
      expect.objectContaining({ code: 'bad-request', got: '16385 columns' }) as Error,
    );
  });

  test('says what is usual, and is another run where something else is said', () => {
    expect(resolve({}).specification).toMatchObject({ components: 100, waiting: 10 });
    expect(resolve({ components: 100 }).runId).toBe(resolve({}).runId);
    expect(resolve({ components: 99 }).runId).not.toBe(resolve({}).runId);
  });

  test('of trees refuses the words of networks', () => {
    for (const said of [{ edges: 3 }, { weak: 'tree', parents: 2 }])
      expect(() => resolve(said)).toThrow(expect.objectContaining({ code: 'bad-request' }) as Error);
  });

  test('of networks has a tree’s edges unless it says, and is another run than that of trees', () => {
    expect(resolve({ weak: 'network' }).specification).toMatchObject({ parents: 2, edges: 2 });
    expect(resolve({ weak: 'network', edges: 2 }).runId).toBe(resolve({ weak: 'network' }).runId);
    expect(resolve({ weak: 'network' }).runId).not.toBe(resolve({}).runId);
    // what is usual is not said, so that runs of before have the same name
    expect(resolve({ weak: 'tree', start: 'fitted' }).specification).toEqual(resolve({}).specification);
    expect(resolve({}).specification).not.toHaveProperty('weak');
  });

  test.each([
    ['tree', 0],
    ['network', 1],
  ])('of a uniform start begins with 1/2 for each value: %s', async (weak, refits) => {
    const { model, run, store } = await trainedOn('dna', boosted, { components: 3, refits, start: 'uniform', weak });
    const { facts } = await rounds.read(store, run, { chain: 0, step: 0 });
    expect(facts.train).toBeCloseTo(180 * Math.log(0.5), 6);
    expect(facts.ratio).toBe(undefined);
    expect((await rounds.read(store, run, { chain: 0, step: 1 })).facts.ratio).toBeGreaterThan(1);
    expect(model.likelihoods.valid).toBeGreaterThan(-90);
    const report = await boosted.report(store, run, {});
    expect(report).toContain('How far each round was from the end');
  });

  test.each([
    { components: 0 },
    { edges: -1 },
    { parents: 9 },
    { weak: 'forest' },
    { start: 'random' },
    { components: 1001 },
    { components: '4,5' },
    { waiting: 0 },
    { pseudoCount: 0 },
    { refits: 0.5 },
    { leaves: 3 },
  ])('refuses %o', (said) => {
    expect(boosted.words.safeParse(said).success).toBe(false);
  });
});
