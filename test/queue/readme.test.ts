import { BitMatrix } from '@orchard/dataset';
import { families } from '@orchard/registry';
import { resolveRun } from '@orchard/lbarn';
import { registerDataset } from '@orchard/pipeline';
import { JobQueues, JobWorker, returned } from '@orchard/queue';
import { openRuns } from '@orchard/runs';
import { FilesystemStore } from '@orchard/storage';
import { folderOfTest } from '@orchard/storage/testing';
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startRedis, type RedisServer } from '../../infra/servers/index.mjs';
import { lacks } from '../servers/needed.js';

/**
 * Runs the first example of a README, with these names in scope, and returns what it leaves under the names of
 * `results`.
 */
async function runExample(
  readme: string,
  scope: Record<string, unknown>,
  results: string,
): Promise<Record<string, unknown>> {
  const text = await readFile(new URL(`../../${readme}`, import.meta.url), 'utf8');
  const body = /```ts\n(?:import .*\n)+([\s\S]*?)```/.exec(text)![1]!;
  const make = new Function(...Object.keys(scope), `return (async () => { ${body} return { ${results} }; })()`);
  return (await make(...Object.values(scope))) as Record<string, unknown>;
}

describe.skipIf(lacks('redis'))('the examples of the READMEs do what they say', () => {
  let redis: RedisServer;
  beforeAll(async () => {
    redis = await startRedis({ own: true });
  });
  afterAll(() => redis.stop());

  test('of the queue', async () => {
    const connection = { url: redis.url, prefix: '{readme-queue}' };
    const scope = { returned, JobQueues, JobWorker, connection, run: 'b'.repeat(64) };
    const found = await runExample('libs/cluster/queue/README.md', scope, 'queues, worker, held, finished');
    expect(found.held).toMatchObject({ state: 'waiting', job: { task: { kind: 'train', key: '7' } } });
    expect(found.finished).toBe(`train-${'b'.repeat(64)}-7`);
    await (found.worker as JobWorker).close();
    await (found.queues as JobQueues).close();
  });

  test('of the runs', async () => {
    const folder = folderOfTest();
    const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
    const rows = BitMatrix.fromRows(['0110', '1010', '0111', '1001']);
    const connection = { url: redis.url, prefix: '{readme-runs}' };
    const scope = {
      FilesystemStore,
      registerDataset,
      resolveRun,
      JobQueues,
      openRuns,
      families,
      folder,
      connection,
      log,
    };
    const given = { ...scope, trainRows: rows, validRows: rows.selectRows([0, 2]) };
    const found = await runExample('libs/cluster/runs/README.md', given, 'queues, first, second, jobs, state, stages');
    expect(found.first).toMatchObject({ created: true });
    expect(found.second).toMatchObject({ created: false });
    expect(found.jobs).toHaveLength(4);
    expect(found.state).toBe('training');
    expect(found.stages).toMatchObject({ train: { total: 4, waiting: 4 } });
    await (found.queues as JobQueues).close();
  });
});
