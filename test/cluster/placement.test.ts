import { BitMatrix } from '@orchard/dataset';
import { RandomStream } from '@orchard/numerics';
import { registerDataset } from '@orchard/pipeline';
import { families } from '@orchard/registry';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { lacks } from '../servers/needed.js';
import { clusterOfTest } from './cluster.js';

/** As many as are worth a wait: 64 MiB of 128 columns. */
const rows = 2 ** 22;
const dimensions = 128;
/** Workers say so often what they have. */
const presenceMilliseconds = 6_000;

describe.skipIf(lacks('redis') || lacks('s3'))('two machines', () => {
  // a preference, given once a task: where the near worker is late to say that it is idle, the far one takes it
  test('train where the rows are, though the other waits for work', { tags: 'nightly' }, async () => {
    const cluster = await clusterOfTest();
    const caches = ['near', 'far'].map((name) => join(cluster.folder, name));
    const stream = new RandomStream(3, 1051);
    const train = BitMatrix.create(rows, dimensions);
    for (let at = 0; at < train.bytes.length; at += 997) train.bytes[at] = stream.below(256);
    const valid = [1, 2, 3].map((row) => train.sliceRows(row * 997, row * 997 + 100));
    const facts = await registerDataset(cluster.store, train);
    const runOn = async (split: BitMatrix): Promise<void> => {
      const datasets = { train: facts, valid: await registerDataset(cluster.store, split), test: null };
      const { specification, choice } = families.named('marginals').resolve({}, datasets);
      await cluster.done((await cluster.runs.life.submit(specification, choice)).id);
    };
    const cachedIn = async (folder: string): Promise<boolean> =>
      (await readdir(folder).catch(() => [])).some((name) => name.startsWith(facts.id));
    cluster.runs.reconciler.start();
    await cluster.add('selector');
    await cluster.add('worker', { ORCHARD_CACHE_DIR: caches[0]! });
    await runOn(valid[0]!);
    expect(await Promise.all(caches.map(cachedIn))).toEqual([true, false]);
    const other = await cluster.add('worker', { ORCHARD_CACHE_DIR: caches[1]! });
    await sleep(presenceMilliseconds);
    for (const split of valid.slice(1)) await runOn(split);
    expect(await Promise.all(caches.map(cachedIn))).toEqual([true, false]);
    expect(other.text()).not.toContain('"level":"error"');
  });
});
