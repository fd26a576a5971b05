import { noProgress } from '@orchard/contracts';
import { BitMatrix } from '@orchard/dataset';
import { families } from '@orchard/families';
import { marginals } from '@orchard/marginals';
import { artefactNames, createRun, Families, LocalCompute, registerDataset, type Family } from '@orchard/pipeline';
import { JobWorker } from '@orchard/queue';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, onTestFinished, test } from 'vitest';
import { lacks } from '../servers/needed.js';
import { Cluster } from './cluster.js';

/** A kind of model that only the next release knows. */
const newer: Family = {
  ...marginals,
  name: 'newer',
  specification: marginals.specification,
  resolve: (words, datasets) => {
    const resolved = marginals.resolve(words, datasets);
    return { ...resolved, specification: { ...resolved.specification, family: 'newer' } };
  },
};
const ofNextRelease = new Families([...families.all, newer]);
const rows = BitMatrix.fromRows(['0110', '1010', '0111', '1001', '0010']);

describe.skipIf(lacks('redis'))('a kind of model that only the next release knows', () => {
  let cluster: Cluster;
  afterEach(() => cluster.stop());

  async function submit(): Promise<string> {
    const facts = await registerDataset(cluster.store, rows);
    const { specification, choice } = newer.resolve({}, { train: facts, valid: facts, test: null });
    return (await cluster.runs.life.submit(specification, choice)).id;
  }

  /** A worker of the next release. */
  async function startNextWorker(): Promise<void> {
    const { store, redis, environment } = cluster;
    const compute = new LocalCompute(marginals.computations, { store, threads: 1, kernel: 'wasm' });
    const worker = await JobWorker.start({
      connection: { url: redis.url, prefix: environment.ORCHARD_REDIS_PREFIX },
      pool: 'worker',
      concurrency: 1,
      process: async ({ job: { task, detail }, signal }) => {
        const run = await createRun(store, (await cluster.runs.life.status(task.run)).specification);
        const context = { store, compute, isNew: false, signal, withReport: true };
        await ofNextRelease.of(run.specification).handlers[task.kind]!(context, run, task, detail);
        return { outcome: 'stored', progress: noProgress, seconds: 0, reason: null, waitMilliseconds: 0 };
      },
      presence: () => ({ threads: 1, memoryBytes: 1e9, refused: {}, notice: null }),
    });
    onTestFinished(async () => {
      await worker.close();
      await compute.close();
    });
  }

  test('an older worker gives a task of a model that it does not know back, which is counted nowhere and said; a newer one does it', async () => {
    cluster = await Cluster.start({ store: 'folder', families: ofNextRelease });
    await cluster.crew(1);
    const run = await submit();
    const said = 'it is of the model newer, which this worker does not know';
    const isSaid = ({ code, message }: { code: string; message: string }): boolean =>
      code === 'handed-back' && message.includes(said);
    await cluster.until(run, 'it says so', ({ waits }) => waits.some(isSaid), 60);
    await sleep(8_000);
    const { state, quarantined, retrying } = await cluster.runs.life.status(run);
    expect({ state, quarantined, retrying }).toEqual({ state: 'counting', quarantined: [], retrying: [] });
    expect(await cluster.names(`${artefactNames.run(run)}attempts/`)).toEqual([]);
    await startNextWorker();
    expect(await cluster.done(run)).toMatchObject({ family: 'newer', waits: [], networks: [{}] });
  });
});
