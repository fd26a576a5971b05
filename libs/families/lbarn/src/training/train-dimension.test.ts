import { trainConditional } from '@orchard/logitboost';
import { BitMatrix } from '@orchard/dataset';
import { loadKernel, TrainingData } from '@orchard/kernel';
import { equalEnsembles } from '@orchard/model/conformance/networks';
import { loadDataset } from '@orchard/pipeline';
import { StorageError, type ObjectStore } from '@orchard/storage';
import { contentOf, storeThat, temporaryStore } from '@orchard/storage/testing';
import { describe, expect, test } from 'vitest';
import { lbarnNames } from '../artefacts/artefacts.js';
import { decodeConditional, encodeConditional } from '../artefacts/conditional-codec.js';
import { dependentRows, exampleRun, exampleWords } from '../example.suite.js';
import { planRefit, refitDimension } from './refit-dimension.js';
import { selectRounds } from '../selection/select-rounds.js';
import { trainDimension } from './train-dimension.js';
import { boostingOptions } from './training-data.js';
import type { Trainer } from './trainer.js';

/** A trainer that stops every task when it has told of `rounds` new rounds. */
function stoppingAfter(trainer: Trainer, rounds: number): Trainer {
  return {
    run: (task, hooks = {}) => {
      const stop = new AbortController();
      return trainer.run(task, {
        ...hooks,
        signal: stop.signal,
        onProgress: (progress) => {
          hooks.onProgress?.(progress);
          if (progress.trees >= rounds) stop.abort();
        },
      });
    },
  };
}

async function checkpointsIn(store: ObjectStore): Promise<string[]> {
  return (await store.list('runs/')).map(({ name }) => name).filter((name) => name.includes('/checkpoints/'));
}

describe('training a dimension', () => {
  test('stores its conditional by stored dimension, and does nothing the second time', async () => {
    const store = temporaryStore();
    const ordering = [8, 0, 1, 2, 3, 4, 5, 6, 7];
    const { run, trainer } = await exampleRun(store, { words: { leaves: 16, rounds: 5, ordering } });
    const progress: number[][] = [];
    const outcome = await trainDimension({ store, trainer }, run, 3, {
      onProgress: ({ trees, share }) => progress.push([trees, share]),
    });
    expect(outcome).toMatchObject({ stored: 'created', progress: { share: 1, trees: 5 } });
    expect(progress).toEqual([1, 2, 3, 4, 5].map((trees) => [trees, trees / 5]));
    const name = lbarnNames.conditional(run.id, 3);
    const stored = decodeConditional(await store.get(name), name);
    expect(stored).toMatchObject({ dimension: 3, position: 4, finished: true });
    expect(outcome.progress!.nats).toBe(Math.max(...stored.curves.valid!));
    const idle: Trainer = { run: () => Promise.reject(new Error('asked to train')) };
    expect(await trainDimension({ store, trainer: idle }, run, 3)).toEqual({ stored: 'exists' });
    await expect(trainDimension({ store, trainer }, run, 9)).rejects.toMatchObject({ code: 'bad-request' });
  });

  test('that is said to be new looks for nothing in the store; where it is not new the bytes are the same', async () => {
    const store = temporaryStore();
    const { run, trainer } = await exampleRun(store);
    const refuse = (): never => {
      throw new Error('looked for what is not there');
    };
    const blind = storeThat(store, { head: refuse, list: refuse, get: refuse });
    expect(await trainDimension({ store: blind, trainer }, run, 7, { isNew: true })).toMatchObject({
      stored: 'created',
    });
    expect(await trainDimension({ store: blind, trainer }, run, 7, { isNew: true })).toMatchObject({
      stored: 'exists',
    });
  });

  test('that is stopped again and again goes on from its checkpoint to the same bytes, and leaves none behind', async () => {
    const whole = temporaryStore();
    const parts = temporaryStore();
    const { run, trainer } = await exampleRun(whole);
    await exampleRun(parts);
    await trainDimension({ store: whole, trainer }, run, 7);
    const stopping = { store: parts, trainer: stoppingAfter(trainer, 2) };
    let stops = 0;
    for (; ; stops++) {
      // replayed rounds are not told of: more than two would be rounds that were trained a second time
      let trained = 0;
      const onProgress = (): void => void trained++;
      try {
        await trainDimension(stopping, run, 7, { onProgress });
        break;
      } catch (error) {
        expect(error).toMatchObject({ code: 'interrupted', retryable: true });
        expect(await checkpointsIn(parts)).toEqual([lbarnNames.checkpoint(run.id, 7, 2 * (stops + 1))]);
      } finally {
        expect(trained).toBeLessThanOrEqual(2);
      }
    }
    expect(stops).toBeGreaterThan(2);
    expect(await contentOf(parts)).toEqual(await contentOf(whole));
  });

  test('checkpoints by the clock without a change to its bytes, keeping the newest only', async () => {
    const store = temporaryStore();
    const { run, trainer } = await exampleRun(store);
    const names: string[] = [];
    const watched = storeThat(store, {
      put: (name, bytes) => {
        names.push(name);
        return store.put(name, bytes);
      },
    });
    // nothing is ever long enough ago: a checkpoint is due before every round
    const eager: Trainer = { run: (task, hooks) => trainer.run(task, { ...hooks, checkpointSeconds: 1e-6 }) };
    await trainDimension({ store, trainer }, run, 5);
    const bytes = await store.get(lbarnNames.conditional(run.id, 5));
    await store.delete(lbarnNames.conditional(run.id, 5));
    await trainDimension({ store: watched, trainer: eager }, run, 5);
    expect(names.filter((name) => name.includes('checkpoints')).length).toBeGreaterThan(1);
    expect(await store.get(lbarnNames.conditional(run.id, 5))).toEqual(bytes);
    expect(await checkpointsIn(store)).toEqual([]);
  });

  test('falls back on an older checkpoint where the newest is damaged, as the store or as the codec says', async () => {
    for (const saysStore of [true, false]) {
      const store = temporaryStore();
      const { run, trainer } = await exampleRun(store);
      const interrupted = trainDimension({ store, trainer: stoppingAfter(trainer, 3) }, run, 6);
      await expect(interrupted).rejects.toMatchObject({ code: 'interrupted' });
      const newest = lbarnNames.checkpoint(run.id, 6, 4);
      await store.put(newest, Buffer.from('cut short'));
      const damaged = new StorageError('damaged', { got: 'bits', expected: 'others', where: newest, remedy: 'None.' });
      const checking = storeThat(store, {
        get: (name, range) => (saysStore && name === newest ? Promise.reject(damaged) : store.get(name, range)),
      });
      const { progress } = await trainDimension({ store: checking, trainer }, run, 6);
      expect(progress).toMatchObject({ share: 1, trees: 9 });
      const name = lbarnNames.conditional(run.id, 6);
      expect(decodeConditional(await store.get(name), name).ensemble.leafCounts).toHaveLength(12);
    }
  });

  test('survives a checkpoint that cannot be stored, and says so', async () => {
    const store = temporaryStore();
    const { run, trainer } = await exampleRun(store);
    const failures: unknown[] = [];
    const full = new StorageError('full', { got: 'ENOSPC', expected: 'space', remedy: 'Free some.' });
    const failing = storeThat(store, {
      put: (name, bytes) => (name.includes('/checkpoints/') ? Promise.reject(full) : store.put(name, bytes)),
    });
    const outcome = await trainDimension({ store: failing, trainer }, run, 6, {
      checkpointSeconds: 1e-6,
      onCheckpointFailure: (error) => failures.push(error),
    });
    expect(outcome.stored).toBe('created');
    expect(failures[0]).toBe(full);
  });

  test('stops the run where other bytes are stored: somebody else computes something else', async () => {
    const store = temporaryStore();
    const { run, trainer } = await exampleRun(store);
    const ports = { store, trainer };
    await trainDimension(ports, run, 5);
    const other = await store.get(lbarnNames.conditional(run.id, 5));
    // the artefact appears between the look and the put, as from a second worker
    const name = lbarnNames.conditional(run.id, 4);
    const racing = storeThat(store, {
      put: async (which, bytes) => {
        if (which === name) await store.put(name, other);
        return store.put(which, bytes);
      },
    });
    await expect(trainDimension({ store: racing, trainer }, run, 4)).rejects.toMatchObject({ code: 'conflict' });
    // checkpoints of another history at the same rounds are as bad
    const foreign = storeThat(store, {
      put: async (which, bytes) => {
        if (which.includes('/checkpoints/')) {
          const checkpoint = decodeConditional(bytes, which);
          checkpoint.curves.train[0]! -= 1;
          await store.put(which, encodeConditional(checkpoint));
        }
        return store.put(which, bytes);
      },
    });
    const training = trainDimension({ store: foreign, trainer }, run, 3, { checkpointSeconds: 1e-6 });
    await expect(training).rejects.toMatchObject({ code: 'conflict' });
    expect(await store.head(lbarnNames.conditional(run.id, 3))).toBeNull();
  });

  test('by two at once stores one artefact', async () => {
    const store = temporaryStore();
    const { run, trainer } = await exampleRun(store);
    const ports = { store, trainer };
    const both = await Promise.all([trainDimension(ports, run, 2), trainDimension(ports, run, 2)]);
    expect(both.map(({ stored }) => stored).sort()).toEqual(['created', 'exists']);
  });
});

describe('training a dimension again', () => {
  test.each(['base-rate', 'logistic'] as const)(
    'gives from a start %s the trees of a plain training of so many rounds on the rows one after the other',
    async (start) => {
      const store = temporaryStore();
      const words = { ...exampleWords, start };
      const { run, trainer } = await exampleRun(store, { words });
      const ports = { store, trainer };
      const dimension = 7;
      await trainDimension(ports, run, dimension);
      const rounds = 6;
      const plan = { id: 'a'.repeat(64) };
      expect(await refitDimension(ports, run, plan, dimension, rounds, {}, 'retrain')).toMatchObject({
        stored: 'created',
        progress: { share: 1, trees: rounds, nats: null },
      });
      const again = decodeConditional(await store.get(lbarnNames.retrained(run.id, plan.id, dimension)), 'again');
      const trained = decodeConditional(await store.get(lbarnNames.conditional(run.id, dimension)), 'trained');
      const rows = [1, 2].map((seed) => dependentRows(seed === 1 ? 120 : 60, 9, seed));
      const together = BitMatrix.create(180, 9);
      for (let row = 0; row < 180; row++)
        for (let column = 0; column < 9; column++)
          together.set(row, column, row < 120 ? rows[0]!.get(row, column) : rows[1]!.get(row - 120, column));
      const data = TrainingData.arrange({ train: together, valid: null, test: null }, { threads: 1, leaves: 4 });
      const penalty = trained.startPenalty;
      const plain = trainConditional(await loadKernel('reference'), data, run.positions[dimension]!, {
        ...boostingOptions(run),
        rounds,
        ...(penalty !== undefined && { startPenalty: penalty }),
      });
      expect(equalEnsembles(again.ensemble, plain.ensemble)).toBe(true);
      expect(again.curves.valid).toBeNull();
      expect(equalEnsembles(again.ensemble, trained.ensemble)).toBe(false);
      const stopping = { store, trainer: stoppingAfter(trainer, 1) };
      const other = { id: 'b'.repeat(64) };
      await expect(refitDimension(stopping, run, other, dimension, rounds, {}, 'retrain')).rejects.toMatchObject({
        code: 'interrupted',
      });
      const checkpoints = lbarnNames.retrainCheckpoints(run, other.id, dimension);
      expect(await store.list(checkpoints)).toMatchObject([{ name: `${checkpoints}1` }]);
      // though the task is new to who takes it up
      const hooks = { isNew: true };
      expect(await refitDimension(ports, run, other, dimension, rounds, hooks, 'retrain')).toMatchObject({
        progress: { share: 1, trees: rounds - 1 },
      });
      expect(await store.list(checkpoints)).toEqual([]);
      expect(await store.get(lbarnNames.retrained(run.id, other.id, dimension))).toEqual(
        await store.get(lbarnNames.retrained(run.id, plan.id, dimension)),
      );
    },
  );
});

describe('refitting a dimension', () => {
  test('keeps the structures of as many trees as the plan says, pools the rows, keeps the test curve', async () => {
    const store = temporaryStore();
    const { run, trainer } = await exampleRun(store);
    const ports = { store, trainer };
    for (const dimension of run.ordering) await trainDimension(ports, run, dimension);
    const selections = await selectRounds(store, run);
    const plan = planRefit(Object.values(selections));
    for (const [dimension, rounds] of plan.rounds.entries()) {
      for (const { rounds: chosen } of Object.values(selections)) expect(chosen[dimension]).toBeLessThanOrEqual(rounds);
    }
    const longest = plan.rounds.indexOf(Math.max(...plan.rounds));
    const rounds = plan.rounds[longest]!;
    expect(rounds).toBeGreaterThan(0);
    expect(await refitDimension(ports, run, plan, longest, rounds)).toMatchObject({
      stored: 'created',
      progress: { share: 1, trees: rounds, nats: null },
    });
    expect(await refitDimension(ports, run, plan, longest, rounds)).toEqual({ stored: 'exists' });
    const trained = decodeConditional(await store.get(lbarnNames.conditional(run.id, longest)), 'trained');
    const refitted = decodeConditional(await store.get(lbarnNames.refit(run.id, plan.id, longest)), 'refit');
    expect(refitted.curves.valid).toBeNull();
    const pooled = await Promise.all(
      [run.specification.train, run.specification.valid].map((id) => loadDataset(store, id)),
    );
    const ones = pooled.reduce((sum, matrix) => sum + matrix.columnCounts()[longest]!, 0);
    const zeros = pooled.reduce((sum, matrix) => sum + matrix.rows, 0) - ones;
    expect(refitted.ensemble.startOdds).toBe((ones + 0.5) / (zeros + 0.5));
    expect(refitted.curves.test).toHaveLength(rounds + 1);
    const splits = refitted.ensemble.splitPredictor.length;
    expect(refitted.ensemble.splitPredictor).toEqual(trained.ensemble.splitPredictor.slice(0, splits));
    expect(refitted.ensemble.leafFactor).not.toEqual(trained.ensemble.leafFactor.slice(0, splits + rounds));
    const shorter = { id: 'a'.repeat(64) };
    await refitDimension(ports, run, shorter, longest, rounds - 1);
    const prefix = decodeConditional(await store.get(lbarnNames.refit(run.id, shorter.id, longest)), 'refit');
    expect(refitted.curves.test!.slice(0, rounds)).toEqual(prefix.curves.test);
    const stopping = { store, trainer: stoppingAfter(trainer, 1) };
    const stopped = refitDimension(stopping, run, { id: 'b'.repeat(64) }, longest, rounds);
    await (rounds > 1 ? expect(stopped).rejects.toMatchObject({ code: 'interrupted' }) : stopped);
  });
});
