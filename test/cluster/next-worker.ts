import { noProgress } from '@orchard/contracts';
import { marginals } from '@orchard/marginals';
import { artefactNames, createRun, LocalCompute } from '@orchard/pipeline';
import { JobWorker } from '@orchard/queue';
import { expect, onTestFinished } from 'vitest';
import type { Cluster } from './cluster.js';

/**
 * A worker of the next release, within the test: it does what the packages here do as the test has mocked them, for
 * runs of marginals. Ends with the test.
 */
export async function startNextWorker(cluster: Cluster): Promise<void> {
  const { store, redis, environment } = cluster;
  const compute = new LocalCompute(marginals.computations, { store, threads: 1, kernel: 'wasm' });
  const worker = await JobWorker.start({
    connection: { url: redis.url, prefix: environment.ORCHARD_REDIS_PREFIX },
    pool: 'worker',
    concurrency: 1,
    process: async ({ job: { task, detail }, signal }) => {
      const run = await createRun(store, (await cluster.runs.life.status(task.run)).specification);
      const context = { store, compute, isNew: false, signal, withReport: true };
      await marginals.handlers[task.kind]!(context, run, task, detail);
      return { outcome: 'stored', progress: noProgress, seconds: 0, reason: null, waitMilliseconds: 0 };
    },
    presence: () => ({ threads: 1, memoryBytes: 1e9, refused: {}, notice: null }),
  });
  onTestFinished(async () => {
    await worker.close();
    await compute.close();
  });
}

/**
 * The programs beside the test give the run's task back, say why, and count it as no failure, for as long as no other
 * worker does it.
 */
export async function expectHandedBack(cluster: Cluster, run: string, why: string): Promise<void> {
  await cluster.until(
    run,
    'it says so',
    ({ waits }) => waits.some(({ code, message }) => code === 'handed-back' && message.includes(why)),
    60,
  );
  // a task that was given back is handed out again, and given back again
  let givenBack = 0;
  const forget = cluster.queues.onEvent((event) => {
    if (event.kind === 'completed' && event.result.outcome === 'returned') givenBack++;
  });
  await expect.poll(() => givenBack).toBe(2);
  forget();
  const { state, quarantined, retrying } = await cluster.runs.life.status(run);
  expect({ state, quarantined, retrying }).toEqual({ state: 'counting', quarantined: [], retrying: [] });
  expect(await cluster.names(`${artefactNames.run(run)}attempts/`)).toEqual([]);
}
