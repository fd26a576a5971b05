import { BitMatrix } from '@orchard/dataset';
import { families } from '@orchard/registry';
import { marginals } from '@orchard/marginals';
import { Families, registerDataset, type Family } from '@orchard/pipeline';
import { afterEach, describe, expect, test } from 'vitest';
import { lacks } from '../servers/needed.js';
import { Cluster } from './cluster.js';
import { expectHandedBack, startNextWorker } from './next-worker.js';

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

  test('an older worker gives a task of a model that it does not know back, which is counted nowhere and said; a newer one does it', async () => {
    cluster = await Cluster.start({ store: 'folder', families: ofNextRelease });
    await cluster.crew(1);
    const run = await submit();
    const said = 'it is of the model newer, which this worker does not know';
    await expectHandedBack(cluster, run, said);
    await startNextWorker(cluster, ofNextRelease);
    expect(await cluster.done(run)).toMatchObject({ family: 'newer', waits: [], networks: [{}] });
  });
});
