import { BitMatrix } from '@orchard/dataset';
import type { JobQueues, JobWorker } from '@orchard/queue';
import { folderOfTest } from '@orchard/storage/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startRedis, type RedisServer } from '../../infra/servers/index.mjs';
import { exampleOf, runExample } from '../documentation/examples.js';
import { lacks } from '../servers/needed.js';

describe.skipIf(lacks('redis'))('the examples of the READMEs do what they say', () => {
  let redis: RedisServer;
  beforeAll(async () => {
    redis = await startRedis({ own: true });
  });
  afterAll(() => redis.stop());

  test('of the queue', async () => {
    const connection = { url: redis.url, prefix: '{readme-queue}' };
    const example = await exampleOf('libs/cluster/queue/README.md');
    const found = await runExample(example, { connection, run: 'b'.repeat(64) }, 'queues, worker, held, finished');
    expect(found.held).toMatchObject({ state: 'waiting', job: { task: { kind: 'train', key: '7' } } });
    expect(found.finished).toBe(`train-${'b'.repeat(64)}-7`);
    await (found.worker as JobWorker).close();
    await (found.queues as JobQueues).close();
  });

  test('of the runs', async () => {
    const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
    const rows = BitMatrix.fromRows(['0110', '1010', '0111', '1001']);
    const connection = { url: redis.url, prefix: '{readme-runs}' };
    const given = { folder: folderOfTest(), connection, log, trainRows: rows, validRows: rows.selectRows([0, 2]) };
    const example = await exampleOf('libs/cluster/runs/README.md');
    const found = await runExample(example, given, 'queues, first, second, jobs, state, stages');
    expect(found.first).toMatchObject({ created: true });
    expect(found.second).toMatchObject({ created: false });
    expect(found.jobs).toHaveLength(4);
    expect(found.state).toBe('training');
    expect(found.stages).toMatchObject({ train: { total: 4, waiting: 4 } });
    await (found.queues as JobQueues).close();
  });
});
