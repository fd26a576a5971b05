import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { S3Store } from '@orchard/storage/s3';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startCluster, type Cluster } from '../../infra/cluster/index.mjs';
import { startS3, type S3Server } from '../../infra/servers/index.mjs';
import { lacks } from '../servers/needed.js';
import { asking } from './asking.js';

const root = fileURLToPath(new URL('../..', import.meta.url));

interface Status {
  readonly id: string;
  readonly state: string;
  readonly reason: string | null;
}

describe.skipIf(lacks('redis', 's3'))('a damaged object', () => {
  let s3: S3Server;
  let cluster: Cluster;
  let store: S3Store;
  let run: string;

  const { ask, post, json } = asking(() => cluster);
  const ended = async (): Promise<Status> => {
    for (;;) {
      const status = await json<Status>(ask(`/v1/runs/${run}`));
      if (['done', 'failed', 'cancelled'].includes(status.state)) return status;
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  };

  beforeAll(async () => {
    s3 = await startS3();
    cluster = await startCluster({ workers: 1, threads: 1, s3 });
    const { bucket, url: endpoint, region, accessKeyId, secretAccessKey } = s3;
    store = await S3Store.open({ bucket, endpoint, region, credentials: { accessKeyId, secretAccessKey } });
    const rows = readFileSync(join(root, 'test', 'data', 'mushrooms', 'valid.data.gz'));
    const headers = { 'Content-Type': 'application/gzip' };
    const { id } = await json<{ id: string }>(ask('/v1/datasets', { method: 'POST', body: rows, headers }));
    const words = { train: id, valid: id, preset: 'paper', leaves: 4, rounds: 5, select: 'common', refit: false };
    run = (await json<Status>(post('/v1/runs', words))).id;
    expect(await ended()).toMatchObject({ state: 'done' });
  });
  afterAll(async () => {
    store.close();
    await cluster.stop();
    await s3.stop();
  });

  /** Another byte where the store keeps it, under a checksum that fits: the store itself does not notice. */
  async function flip(name: string, at: number): Promise<void> {
    const bytes = await store.get(name);
    bytes[at]! ^= 1;
    await store.delete(name);
    await store.put(name, bytes);
  }

  test.each([
    ['conditionals/7', 'individual', 300],
    ['selections/linearized', 'linearized', 0],
  ])(
    '%s ends the run that needs it within seconds, named; repair drops it and the run is done',
    async (object, selection, at) => {
      const name = `runs/${run}/${object}`;
      await flip(name, at);
      await json(post(`/v1/runs/${run}/select`, { selection, refit: false }));
      const failed = await ended();
      expect(failed).toMatchObject({ state: 'failed', reason: expect.stringContaining(name) as string });
      const { dropped } = await json<{ dropped: string[] }>(ask(`/v1/runs/${run}/repair`, { method: 'POST' }));
      expect(dropped).toContain(name);
      expect(await ended()).toMatchObject({ state: 'done' });
    },
  );
});
