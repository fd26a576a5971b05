import { dimensionOfTask, noProgress } from '@orchard/contracts';
import { BitMatrix } from '@orchard/dataset';
import { families } from '@orchard/registry';
import { loadKernel } from '@orchard/kernel';
import { arrangeTrainingData, lbarnNames, lbarnRun, resolveRun, trainDimension, trainerHere } from '@orchard/lbarn';
import { artefactNames, createRun, registerDataset } from '@orchard/pipeline';
import { JobQueues, JobWorker } from '@orchard/queue';
import { openRuns } from '@orchard/runs';
import { storeThat, temporaryStore } from '@orchard/storage/testing';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startRedis } from '../../infra/servers/index.mjs';
import { lacks } from '../servers/needed.js';

const log = { info: () => undefined, warn: () => undefined, error: () => undefined };

describe.skipIf(lacks('redis'))('the reconciler', () => {
  test('does not take work that is completed while it looks for work that was given up', async () => {
    const redis = await startRedis({ own: true });
    const store = temporaryStore();
    // once somebody says so, a listing of the run waits with what it has found until the last job is done
    let whenListed: (() => Promise<void>) | null = null;
    const slow = storeThat(store, {
      list: async (prefix, options) => {
        const found = await store.list(prefix, options);
        if (prefix.startsWith(artefactNames.runs) && prefix.split('/').length === 3) await whenListed?.();
        return found;
      },
    });
    const connection = { url: redis.url };
    const queues = await JobQueues.connect(connection);
    const { life, reconciler } = openRuns({ store: slow, queues, families, log }, { passSeconds: 60 });
    onTestFinished(async () => {
      await reconciler.stop();
      await worker.close();
      await queues.close();
      await redis.stop();
    });

    const rows = await registerDataset(store, BitMatrix.fromRows(['011', '101', '110', '001']));
    const words = { preset: 'paper', rounds: 2, refit: false } as const;
    const { specification, choice } = resolveRun(words, { train: rows, valid: rows, test: null });
    const { id } = await life.submit(specification, choice);
    const run = lbarnRun(await createRun(store, specification));
    const trainer = trainerHere(await loadKernel('reference'), await arrangeTrainingData(store, run, 1));
    const completed: string[] = [];
    queues.onEvent(({ kind, id: job }) => kind === 'completed' && completed.push(job));
    let release: () => void = () => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    const worker = await JobWorker.start({
      connection,
      pool: 'worker',
      concurrency: 1,
      process: async ({ job }) => {
        const dimension = dimensionOfTask(job.task);
        if (job.task.kind !== 'train' || dimension === null) throw new Error('only training was asked for');
        if (dimension === 0) await released;
        await trainDimension({ store, trainer }, run, dimension);
        return { outcome: 'stored', progress: noProgress, seconds: 0, reason: null, waitMilliseconds: 0 };
      },
      presence: () => ({ threads: 1, memoryBytes: 1e9, refused: {}, notice: null }),
    });
    reconciler.start();
    while (completed.length < 2) await sleep(20);
    let wasHeld = false;
    whenListed = async () => {
      if (wasHeld) return;
      wasHeld = true;
      release();
      while (completed.length < 3) await sleep(20);
      await sleep(50);
    };
    await reconciler.reconcileOnce();
    expect(wasHeld).toBe(true);
    expect(await store.list(lbarnNames.conditionals(id))).toHaveLength(3);
    expect(await life.status(id)).toMatchObject({ state: 'selecting', reason: null });
  });
});
