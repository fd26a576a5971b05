import { BitMatrix } from '@orchard/dataset';
import { marginals } from '@orchard/marginals';
import { NUMERICS_VERSION } from '@orchard/numerics';
import { registerDataset } from '@orchard/pipeline';
import { describe, expect, test, vi } from 'vitest';
import { lacks } from '../servers/needed.js';
import { clusterOfTest, type Cluster } from './cluster.js';
import { expectHandedBack, startNextWorker } from './next-worker.js';

// what is within the test is the next release, with other arithmetic; the programs beside it are this one
vi.mock('@orchard/numerics', async (original) => {
  const own = await original<{ NUMERICS_VERSION: number }>();
  return { ...own, NUMERICS_VERSION: own.NUMERICS_VERSION + 1 };
});

const rows = BitMatrix.fromRows(['0110', '1010', '0111', '1001', '0010']);

describe.skipIf(lacks('redis'))('two releases at once', () => {
  async function submit(cluster: Cluster, numericsVersion: number): Promise<string> {
    const facts = await registerDataset(cluster.store, rows);
    const { specification, choice } = marginals.resolve({}, { train: facts, valid: facts, test: null });
    return (await cluster.runs.life.submit({ ...specification, numericsVersion }, choice)).id;
  }

  test('an older worker gives a task of other arithmetic back, which is counted nowhere and said; a newer one does it', async () => {
    const cluster = await clusterOfTest({ store: 'folder' });
    await cluster.crew(1);
    const run = await submit(cluster, NUMERICS_VERSION);
    const said = `it is of numerics version ${NUMERICS_VERSION}, this worker computes version ${NUMERICS_VERSION - 1}`;
    await expectHandedBack(cluster, run, said);
    await startNextWorker(cluster);
    expect(await cluster.done(run)).toMatchObject({ waits: [], networks: [{}] });
  });

  test('a coordinator leaves the runs of another release alone, says so, and they are done by that release', async () => {
    const cluster = await clusterOfTest({ store: 'folder', environment: { ORCHARD_PORT: '0' } });
    cluster.runs.reconciler.start();
    const run = await submit(cluster, NUMERICS_VERSION - 1);
    const own = await submit(cluster, NUMERICS_VERSION);
    for (let pass = 0; pass < 3; pass++) await cluster.runs.reconciler.reconcileOnce();
    const { state, reason, waits } = await cluster.runs.life.status(run);
    expect({ state, reason }).toEqual({ state: 'counting', reason: null });
    expect(waits).toMatchObject([{ code: 'other-release' }]);
    expect(waits[0]!.message).toContain(`numerics version ${NUMERICS_VERSION - 1}`);
    expect((await cluster.queues.jobs()).filter(({ job }) => job.task.run === run)).toEqual([]);
    // the older release at its side does what is its own, and leaves what is not
    await Promise.all([cluster.add('coordinator'), cluster.add('worker')]);
    await cluster.until(run, 'the older release has done it', (status) => status.state === 'done');
    expect(await cluster.runs.life.status(run)).toMatchObject({ networks: [{}], stages: {} });
    expect(await cluster.runs.life.status(own)).toMatchObject({ state: 'counting', reason: null, quarantined: [] });
    await startNextWorker(cluster);
    await cluster.done(own);
  });
});
