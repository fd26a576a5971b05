import { families } from '@orchard/registry';
import { openRuns, type Runs } from '@orchard/runs';
import type { ListOptions, ObjectEntry, ObjectStore } from '@orchard/storage';
import { afterEach, describe, expect, test } from 'vitest';
import { Cluster } from '../cluster/cluster.js';
import { specimen } from '../cluster/specimens.js';
import { lacks } from '../servers/needed.js';

/** Milliseconds after which an object is listed. S3 promises none; some servers before 2020, and caches, took seconds. */
const LAG = 3_000;
const log = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** A store that answers by name at once, and lists what is new only after a while. */
function lagging(store: ObjectStore): ObjectStore {
  const isListed = ({ storedAt }: ObjectEntry): boolean => Date.now() - storedAt > LAG;
  return {
    put: (name, bytes) => store.put(name, bytes),
    get: (name, range) => store.get(name, range),
    head: (name) => store.head(name),
    delete: (name) => store.delete(name),
    list: async (prefix: string, options?: ListOptions) => (await store.list(prefix, options)).filter(isListed),
  };
}

describe.skipIf(lacks('redis'))('a store whose listings lag', () => {
  let cluster: Cluster;
  let runs: Runs;
  afterEach(async () => {
    await runs.reconciler.stop();
    await cluster.stop();
  });

  test('costs time and no result: runs end in the same bytes, a decision waits until it is listed', async () => {
    const mushrooms = await specimen('mushrooms', { preset: 'paper', leaves: 8, rounds: 5 });
    cluster = await Cluster.start({ store: 'folder' });
    await Promise.all([cluster.add('selector'), cluster.add('worker')]);
    runs = openRuns({ store: lagging(cluster.store), queues: cluster.queues, families, log }, { passSeconds: 1 });
    runs.reconciler.start();
    await mushrooms.register(cluster.store);
    const { id } = await runs.life.submit(mushrooms.specification, mushrooms.choice);
    await cluster.done(id);
    await cluster.expectSameBytes(id, mushrooms);
    await runs.life.remove(id);
    await expect.poll(() => cluster.names(`runs/${id}/`), { timeout: 60_000, interval: 200 }).toEqual([]);
    const again = await runs.life.submit(mushrooms.specification, mushrooms.choice).catch((error: unknown) => error);
    expect(again).toMatchObject({ id });
    await cluster.done(id);
    await cluster.expectSameBytes(id, mushrooms);
  });
});
