import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startRedis } from '../../infra/servers/index.mjs';
import { lacks } from '../servers/needed.js';
import { outputOf } from './programs.js';

describe.skipIf(lacks('redis'))('a worker whose port for health is taken', () => {
  test('ends before the queue has heard of it: it is no worker that died, and loses no task', async () => {
    const redis = await startRedis({ own: true });
    const folder = await mkdtemp(join(tmpdir(), 'orchard-port-'));
    const taken = createServer();
    const client = new Redis(redis.url);
    onTestFinished(async () => {
      client.disconnect();
      taken.close();
      await redis.stop();
      await rm(folder, { recursive: true, force: true });
    });
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
    const said = await outputOf('worker', {
      ORCHARD_REDIS_URL: redis.url,
      ORCHARD_STORE: join(folder, 'store'),
      ORCHARD_CACHE_DIR: join(folder, 'cache'),
      ORCHARD_HEALTH_HOST: '127.0.0.1',
      ORCHARD_HEALTH_PORT: String((taken.address() as AddressInfo).port),
    });
    expect(said).toContain('Set ORCHARD_HEALTH_PORT to another port');
    expect(await client.keys('*')).toEqual([]);
  });
});
