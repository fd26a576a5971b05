import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { clusterOfTest, type Cluster } from '../cluster/cluster.js';
import { specimen } from '../cluster/specimens.js';
import { startRedis } from '../../infra/servers/index.mjs';
import { lacks } from '../servers/needed.js';

describe.skipIf(lacks('redis'))('a Redis that fails', () => {
  let cluster: Cluster;

  async function midRun(): Promise<{ run: string; finish: () => Promise<void> }> {
    const dna = await specimen('dna', { preset: 'paper', leaves: 16, rounds: 150, select: 'linearized', refit: false });
    cluster = await clusterOfTest({ store: 'folder' });
    await cluster.crew(2);
    const run = await cluster.submit(dna);
    await cluster.until(run, 'it trains', ({ stages }) => (stages.train?.done ?? 0) > 5);
    return {
      run,
      finish: async () => {
        await cluster.done(run);
        await cluster.expectSameBytes(run, dna);
      },
    };
  }

  test('emptied in mid-run: its jobs are made anew from the store', async () => {
    const { run, finish } = await midRun();
    for (let round = 0; round < 3; round++) {
      expect(Number(await cluster.command('DBSIZE'))).toBeGreaterThan(0);
      expect(await cluster.command('FLUSHALL')).toBe('OK');
      const isThere = async (): Promise<boolean> => (await cluster.queues.jobs()).length > 0;
      await cluster.until(run, 'there are jobs again', async ({ state }) => state === 'done' || (await isThere()));
    }
    await finish();
  });

  test('all its clients killed, again and again: they come back', { tags: 'nightly' }, async () => {
    const { finish } = await midRun();
    const connected = async (): Promise<number> =>
      String(await cluster.command('CLIENT', 'LIST'))
        .trim()
        .split('\n').length;
    const before = await connected();
    let killed = 0;
    for (let round = 0; round < 5; round++) {
      for (const type of ['normal', 'pubsub']) killed += Number(await cluster.command('CLIENT', 'KILL', 'TYPE', type));
      await expect.poll(connected).toBeGreaterThanOrEqual(before);
    }
    expect(killed).toBeGreaterThan(15);
    await finish();
  });

  test('stopped for ten seconds, then awake again', { tags: 'nightly' }, async () => {
    const { finish } = await midRun();
    process.kill(cluster.redis.pid!, 'SIGSTOP');
    try {
      const silence = cluster.command('PING').then(() => 'an answer');
      expect(await Promise.race([silence, sleep(10_000).then(() => 'silence')])).toBe('silence');
    } finally {
      process.kill(cluster.redis.pid!, 'SIGCONT');
    }
    await finish();
  });

  test('ended, and another that knows nothing in its place', { tags: 'nightly' }, async () => {
    const { finish } = await midRun();
    const { port } = cluster.redis;
    await cluster.redis.stop();
    await expect(cluster.queues.ping()).rejects.toThrow();
    const isMissed = (): boolean => cluster.errors.some((error) => error.includes('reconciler'));
    await expect.poll(isMissed).toBe(true);
    const successor = await startRedis({ own: true, port: port! });
    try {
      await finish();
    } finally {
      await cluster.runs.reconciler.stop();
      await successor.stop();
    }
  });

  test('out of memory for a while: what it refuses is done later', async () => {
    const { finish } = await midRun();
    await cluster.command('CONFIG', 'SET', 'maxmemory', '1');
    await expect(cluster.command('SET', 'x', 'y')).rejects.toThrow('OOM');
    await expect.poll(() => cluster.errors.join()).toContain('OOM');
    await cluster.command('CONFIG', 'SET', 'maxmemory', '0');
    await finish();
  });
});
