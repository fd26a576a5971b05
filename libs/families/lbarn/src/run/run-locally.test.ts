import {
  canonicalJson,
  defaultChoice,
  dimensionOfTask,
  selectionMethods,
  summaryKeys,
  summarySchema,
  type NetworkChoice,
  type RunProgress,
  type RunSpecification,
  type Summary,
} from '@orchard/contracts';
import type { Kernel } from '@orchard/kernel';
import { Network } from '@orchard/model';
import { openRun, runLocally, storedNames, type LocalRun, type LocalRunOptions } from '@orchard/pipeline';
import { contentOf, registerSplits, storeThat, temporaryStore } from '@orchard/pipeline/conformance';
import { StorageError, type ObjectStore } from '@orchard/storage';
import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { choiceName, lbarnNames } from '../artefacts/artefacts.js';
import { assemble, type Assembled } from '../artefacts/assemble.js';
import { dependentRows, exampleRun, exampleWords, expectSameTrees, registerExample } from '../example.suite.js';
import { lbarnRun, type LbarnRun } from './lbarn-run.js';
import { lbarn } from '../lbarn.js';
import { planRun } from './plan.js';
import { refitDimension } from '../training/refit-dimension.js';
import { resolveRun } from './resolve-run.js';
import { selectRounds } from '../selection/select-rounds.js';
import { trainDimension } from '../training/train-dimension.js';

const choices: NetworkChoice[] = selectionMethods.flatMap((selection) => [
  { selection, refit: true },
  { selection, refit: false },
  { selection, refit: 'again' },
]);

/** The whole run of a network, with the summary that networks have. */
async function trained({
  choice = defaultChoice,
  ...options
}: Omit<LocalRunOptions, 'family' | 'choice' | 'specification'> & {
  readonly specification: RunSpecification;
  readonly choice?: NetworkChoice;
}): Promise<LocalRun & { readonly summary: Summary }> {
  const done = await runLocally({ ...options, family: lbarn, choice: { ...choice } });
  return { ...done, summary: summarySchema.parse(done.summary) };
}

/** The example from start to end by the plain functions, in this thread. */
async function runHere(store: ObjectStore, kernel: Kernel['kind']): Promise<Assembled> {
  const { run, trainer } = await exampleRun(store, { kernel });
  const ports = { store, trainer };
  for (const dimension of run.ordering) await trainDimension(ports, run, dimension);
  await selectRounds(store, run);
  const { tasks } = await planRun(store, run, [defaultChoice], { withReport: false }, await storedNames(store, run));
  expect(new Set(tasks.map(({ task }) => task.kind))).toEqual(new Set(['refit']));
  for (const { task, detail } of tasks) {
    await refitDimension(ports, run, { id: String(detail.plan) }, dimensionOfTask(task)!, Number(detail.rounds));
  }
  return assemble(store, run, defaultChoice);
}

describe('a run', () => {
  test('is the same bytes in every artefact as the plain functions make without threads', async () => {
    const store = temporaryStore();
    await trained({ store, threads: 5, specification: (await registerExample(store)).specification });
    const other = temporaryStore();
    await runHere(other, 'wasm');
    const here = await contentOf(other);
    expect(await contentOf(store)).toEqual(here);
    // data sets and their facts, specification, conditionals, selections, refits, network, summary
    expect(Object.keys(here)).toHaveLength(6 + 1 + 9 + 4 + 9 + 2);
  });

  test('has the same trees in every bit by the reference kernel, which adds up its likelihoods in another order', async () => {
    const wasm = await runHere(temporaryStore(), 'wasm');
    const reference = await runHere(temporaryStore(), 'reference');
    expectSameTrees(Network.from(wasm.network), Network.from(reference.network));
    const likelihood = wasm.summary.selections.linearized.testLogLikelihood!;
    expect(reference.summary.selections.linearized.testLogLikelihood).toBeCloseTo(likelihood, 11);
  });

  test('says in its summary what each of its networks scores, with any ordering', async () => {
    const store = temporaryStore();
    const [train, valid, rows] = [dependentRows(150, 8, 1), dependentRows(70, 8, 2), dependentRows(60, 8, 3)];
    const datasets = await registerSplits(store, [train, valid, rows]);
    const { specification, runId } = resolveRun({ ...exampleWords, ordering: 'random' }, datasets);
    expect(specification.ordering).not.toBe('natural');
    for (const choice of choices) {
      const { network, summary } = await trained({ store, specification, choice, threads: 2 });
      const figures = summary.selections[summaryKeys[choice.selection]]!;
      const read = Network.from(network);
      const mean = (values: Float64Array): number => values.reduce((sum, value) => sum + value, 0) / values.length;
      const stated = choice.refit !== false ? figures.refit!.testLogLikelihood! : figures.testLogLikelihood!;
      // the curves are those of the trees before they were rounded
      expect(mean(read.logLikelihood(rows))).toBeCloseTo(stated, 4);
      expect(summary.network).toEqual({
        path: 'network.msgpack',
        sha256: createHash('sha256').update(network).digest('hex'),
        bytes: network.length,
        ...choice,
        testLogLikelihood: read.likelihoods.test,
      });
      expect(read.likelihoods.test).toBeCloseTo(mean(read.logLikelihood(rows)), 9);
      if (!choice.refit) {
        expect(read.likelihoods.train).toBeCloseTo(mean(read.logLikelihood(train)), 9);
        expect(read.likelihoods.valid).toBeCloseTo(mean(read.logLikelihood(valid)), 9);
        expect(read.likelihoods.train).toBeCloseTo(figures.trainLogLikelihood, 4);
        expect(read.likelihoods.valid).toBeCloseTo(figures.validLogLikelihood, 4);
        expect(figures.refit).toBeNull();
      }
      expect(read.ensembles.reduce((trees, { leafCounts }) => trees + leafCounts.length, 0)).toBe(figures.trees);
      expect(summary.runId).toBe(runId);
      expect(summary.dataset).toEqual({
        sha256: train.contentHash(),
        dimensions: 8,
        rows: { train: 150, valid: 70, test: 60 },
      });
      expect(await store.get(lbarnNames.summary(runId, choice))).toEqual(
        new Uint8Array(Buffer.from(`${canonicalJson(summary)}\n`)),
      );
    }
    // one training, one refit and one second training served all
    const names = Object.keys(await contentOf(store));
    expect(names.filter((name) => name.includes('/refits/'))).toHaveLength(8);
    expect(names.filter((name) => name.includes('/retrained/'))).toHaveLength(8);
    expect(names.filter((name) => name.includes('/networks/')).map((name) => name.split('/').at(-1))).toEqual(
      choices.map((choice) => `${choiceName(choice)}.msgpack`).sort(),
    );
  });

  test('has null where there are no test rows and no refit', async () => {
    const store = temporaryStore();
    const datasets = await registerSplits(store, [dependentRows(80, 5, 1), dependentRows(40, 5, 2)]);
    const { specification } = resolveRun(exampleWords, datasets);
    const plain = await trained({ store, specification, choice: { selection: 'common', refit: false }, threads: 1 });
    expect(plain.summary.selections.common).toMatchObject({ testLogLikelihood: null, refit: null });
    expect(plain.summary.selections.common.rounds).toBeGreaterThan(0);
    expect(plain.summary.network.testLogLikelihood).toBeNull();
    expect(plain.seconds.stages).not.toHaveProperty('refit');
    const refitted = await trained({ store, specification, threads: 1 });
    expect(refitted.summary.selections.common.refit).toEqual({ testLogLikelihood: null });
    expect(refitted.summary.dataset.rows.test).toBeNull();
    expect(refitted.seconds.stages.refit).toBeGreaterThan(0);
  });

  test('tells of its progress: stages in order, dimensions rising, the likelihood from -D ln 2 to that of the best rounds', async () => {
    const store = temporaryStore();
    const { specification } = await registerExample(store);
    const events: RunProgress[] = [];
    const onProgress = (event: RunProgress): void => void events.push(event);
    const { summary, run } = await trained({ store, specification, threads: 2, onProgress });
    const stages = events.map(({ stage }) => stage);
    expect(stages.filter((stage, index) => stage !== stages[index - 1])).toEqual([
      'train',
      'select',
      'refit',
      'assemble',
      'done',
    ]);
    const training = events.filter(({ stage }) => stage === 'train');
    expect(training[0]).toMatchObject({
      runId: run.id,
      tasks: { done: 0, total: 9, called: 'dimensions' },
      trees: 0,
      secondsLeft: null,
      secondsLeftRange: null,
    });
    expect(training[0]!.logLikelihood).toBeCloseTo(-9 * Math.LN2, 12);
    const last = training.at(-1)!;
    expect(last).toMatchObject({ tasks: { done: 9, total: 9 }, secondsLeft: 0 });
    expect(last.trees).toBeGreaterThan(9);
    expect(last.treesPerSecond).toBeGreaterThan(0);
    expect(last.logLikelihood).toBeCloseTo(summary.selections.individual.validLogLikelihood, 9);
  });

  test('whose dimension fails stops the others and throws that failure, not their interruption', async () => {
    const store = temporaryStore();
    const { specification } = await registerExample(store, { words: { rounds: 5000, leaves: 8, patience: 0 } });
    const full = new StorageError('full', { got: 'ENOSPC', expected: 'space', remedy: 'Free some.' });
    const failing = storeThat(store, {
      put: (name, bytes) => (name.endsWith('/conditionals/0') ? Promise.reject(full) : store.put(name, bytes)),
    });
    await expect(trained({ store: failing, specification, threads: 5 })).rejects.toBe(full);
  });
});

/** What is missing for one network: the kind of the tasks, and their dimensions where they have such. */
async function missing(store: ObjectStore, run: LbarnRun, choice: NetworkChoice): Promise<[string, number[]] | null> {
  const { tasks } = await planRun(store, run, [choice], { withReport: false }, await storedNames(store, run));
  const kinds = new Set(tasks.map(({ task }) => task.kind));
  expect(kinds.size).toBeLessThanOrEqual(1);
  const [kind] = kinds;
  return kind === undefined ? null : [kind, tasks.flatMap(({ task }) => dimensionOfTask(task) ?? [])];
}

describe('what is missing of a run', () => {
  test('is of the first kind of which something is, costliest dimension first', async () => {
    const store = temporaryStore();
    const ordering = [2, 0, 1];
    const { run, trainer } = await exampleRun(store, {
      dimensions: 3,
      words: { ...exampleWords, ordering },
      kernel: 'wasm',
    });
    const ports = { store, trainer };
    const plain: NetworkChoice = { selection: 'individual', refit: false };
    expect(await missing(store, run, plain)).toEqual(['train', [1, 0, 2]]);
    await trainDimension(ports, run, 0);
    expect(await missing(store, run, plain)).toEqual(['train', [1, 2]]);
    await trainDimension(ports, run, 1);
    await trainDimension(ports, run, 2);
    expect(await missing(store, run, plain)).toEqual(['select', []]);
    await expect(assemble(store, run, plain)).rejects.toMatchObject({ code: 'missing-artefact' });
    await selectRounds(store, run);
    expect(await missing(store, run, plain)).toEqual(['assemble', []]);
    await assemble(store, run, plain);
    expect(await missing(store, run, plain)).toBeNull();
    const again = lbarnRun(await openRun(store, run.id));
    expect(await missing(store, again, defaultChoice)).toEqual(['refit', [1, 0, 2]]);
    // a network that is stored stands for what went into it; where it is not, whatever is lost is wanted again
    const before = await contentOf(store);
    await store.delete(lbarnNames.conditional(run.id, 1));
    expect(await missing(store, run, plain)).toBeNull();
    await store.delete(lbarnNames.summary(run.id, plain));
    expect(await missing(store, run, plain)).toEqual(['train', [1]]);
    await trained({ store, specification: run.specification, choice: plain, threads: 1 });
    expect(await contentOf(store)).toEqual(before);
  });

  test('counts in every stage what there is of it, costlier tasks at more', async () => {
    const store = temporaryStore();
    const { run, trainer } = await exampleRun(store, { dimensions: 3 });
    await trainDimension({ store, trainer }, run, 2);
    await store.put(lbarnNames.checkpoint(run.id, 1, 4), new Uint8Array(1));
    const wanted = [defaultChoice, { ...defaultChoice, refit: false }];
    const plan = await planRun(store, run, wanted, { withReport: true }, await storedNames(store, run));
    expect(plan.stages).toEqual({
      train: { total: 3, done: 1 },
      select: { total: 1, done: 0 },
      refit: { total: 3, done: 0 },
      assemble: { total: 2, done: 0 },
    });
    expect(plan.complete).toEqual([]);
    const [first, second] = plan.tasks;
    expect(first!.cost).toBeGreaterThan(second!.cost);
    expect([first!, second!].map(({ task, isNew }) => [task.key, isNew])).toEqual([
      ['1', false],
      ['0', true],
    ]);
  });

  test('of two networks at once is assembled as soon as it can be, while the other is refitted', async () => {
    const store = temporaryStore();
    const { run, trainer } = await exampleRun(store, { dimensions: 2 });
    for (const dimension of [0, 1]) await trainDimension({ store, trainer }, run, dimension);
    await selectRounds(store, run);
    const plain: NetworkChoice = { selection: 'common', refit: false };
    const { tasks } = await planRun(
      store,
      run,
      [{ ...plain, refit: true }, plain],
      { withReport: false },
      await storedNames(store, run),
    );
    expect(tasks.map(({ task }) => task.kind)).toEqual(['refit', 'refit', 'assemble']);
    expect(tasks[2]!.task.key).toBe('common');
  });
});
