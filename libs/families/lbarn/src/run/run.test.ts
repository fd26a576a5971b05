import { presets, type DatasetFacts, type RunWords } from '@orchard/contracts';
import { NUMERICS_VERSION } from '@orchard/numerics';
import { artefactNames, createRun, openRun, PipelineError, writeDocument, type RunDatasets } from '@orchard/pipeline';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { temporaryStore } from '@orchard/storage/testing';
import { exampleRun, registerExample } from '../example.suite.js';
import { lbarnRun } from './lbarn-run.js';
import { resolveRun } from './resolve-run.js';
import { trainDimension } from '../training/train-dimension.js';

const facts = (digit: string, changes: Partial<DatasetFacts> = {}): DatasetFacts => ({
  id: digit.repeat(64),
  rows: 10,
  dimensions: 4,
  names: null,
  shape: null,
  ...changes,
});
const datasets: RunDatasets = { train: facts('a'), valid: facts('b'), test: null };
const resolve = (words: RunWords, changes: Partial<RunDatasets> = {}) => resolveRun(words, { ...datasets, ...changes });

describe('a request', () => {
  test('is resolved to every option, natural ordering, seed 0 and the numerics of this program', () => {
    expect(resolve({ preset: 'paper' })).toEqual({
      runId: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
      specification: {
        train: 'a'.repeat(64),
        valid: 'b'.repeat(64),
        test: null,
        ...presets.paper,
        ordering: 'natural',
        seed: 0,
        numericsVersion: NUMERICS_VERSION,
      },
      choice: { selection: 'common', refit: true },
    });
  });

  test('is the same run whichever network it asks for, and whether an option was named or came from the preset', () => {
    const { runId } = resolve({ preset: 'paper' });
    expect(resolve({ preset: 'paper', select: 'common', refit: false }).runId).toBe(runId);
    expect(resolve(presets.paper).runId).toBe(runId);
    expect(resolve({ preset: 'paper', ordering: [0, 1, 2, 3] }).runId).toBe(runId);
    expect(resolve({ preset: 'paper', ordering: [0, 1, 3, 2] }).runId).not.toBe(runId);
    expect(resolve({ preset: 'default' }).runId).not.toBe(runId);
  });

  test('for a random ordering draws a permutation from the seed alone', () => {
    fc.assert(
      fc.property(fc.maxSafeNat(), fc.integer({ min: 2, max: 300 }), (seed, dimensions) => {
        const splits = { train: facts('a', { dimensions }), valid: facts('b', { dimensions }) };
        const { ordering } = resolve({ ordering: 'random', seed }, splits).specification;
        if (typeof ordering === 'string') return; // the identity was drawn
        expect([...ordering].sort((a, b) => a - b)).toEqual(ordering.map((_, index) => index));
        expect(resolve({ ordering: 'random', seed }, splits).specification.ordering).toEqual(ordering);
      }),
    );
    expect(resolve({ ordering: 'random', seed: 1 }).specification.ordering).toEqual([1, 0, 2, 3]);
  });

  test.each<[string, RunWords, Partial<RunDatasets>, string]>([
    ['splits of different dimensions', {}, { valid: facts('b', { dimensions: 5 }) }, 'valid split'],
    ['an empty split', {}, { test: facts('c', { rows: 0 }) }, 'test split'],
    [
      'columns in another order',
      {},
      { train: facts('a', { names: ['w', 'x', 'y', 'z'] }), valid: facts('b', { names: ['w', 'y', 'x', 'z'] }) },
      'valid split',
    ],
    ['an ordering of fewer dimensions', { ordering: [1, 0] }, {}, 'ordering'],
  ])('with %s is refused', (_, words, changes, where) => {
    expect(() => resolve(words, changes)).toThrow(PipelineError);
    expect(() => resolve(words, changes)).toThrow(where);
  });
});

describe('a run in the store', () => {
  test('opens as it was created, with the ordering both ways round', async () => {
    const store = temporaryStore();
    const { specification, runId } = await registerExample(store, {
      dimensions: 3,
      words: { leaves: 16, ordering: [2, 0, 1] },
    });
    const run = await createRun(store, specification);
    expect(run.id).toBe(runId);
    const { ordering, positions } = lbarnRun(run);
    expect([...ordering]).toEqual([2, 0, 1]);
    expect([...positions]).toEqual([1, 2, 0]);
    expect(await openRun(store, runId)).toEqual(run);
    expect(await createRun(store, specification)).toEqual(run);
  });

  test('is refused where its data set is missing or its specification is that of another', async () => {
    const store = temporaryStore();
    const { specification } = await registerExample(store);
    await expect(createRun(store, { ...specification, test: 'f'.repeat(64) })).rejects.toMatchObject({
      code: 'missing-artefact',
    });
    const elsewhere = '0'.repeat(64);
    await writeDocument(store, artefactNames.specification(elsewhere), specification);
    await expect(openRun(store, elsewhere)).rejects.toMatchObject({ code: 'damaged-artefact' });
    const broken = '1'.repeat(64);
    await store.put(artefactNames.specification(broken), Buffer.from('{"leaves":1}'));
    await expect(openRun(store, broken)).rejects.toMatchObject({ code: 'damaged-artefact' });
  });

  test('of another numerics version is not trained', async () => {
    const store = temporaryStore();
    const { run, trainer } = await exampleRun(store);
    const other = await createRun(store, { ...run.specification, numericsVersion: NUMERICS_VERSION + 1 });
    await expect(trainDimension({ store, trainer }, lbarnRun(other), 0)).rejects.toMatchObject({
      code: 'other-numerics',
    });
  });
});
