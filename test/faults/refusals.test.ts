import { onTestFinished, describe, expect, test } from 'vitest';
import { StorageError } from '@orchard/storage';
import { clusterOfTest } from '../cluster/cluster.js';
import { specimen } from '../cluster/specimens.js';
import { lacks } from '../servers/needed.js';
import { clusterBehindProxy, S3Proxy, type Asked } from './s3-proxy.js';

const isTask = ({ method, name }: Asked): boolean => method === 'PUT' && name.includes('/conditionals/');

describe.skipIf(lacks('redis', 's3'))('a store that refuses', () => {
  test('one of two workers: it sets itself aside and says why, and the other trains everything', async () => {
    const mushrooms = await specimen('mushrooms', { preset: 'paper', leaves: 8, rounds: 30 });
    const cluster = await clusterOfTest();
    const proxy = await S3Proxy.start(cluster.s3!.url);
    onTestFinished(() => proxy.stop());
    // its key lacks s3:GetObject of what it should learn from
    const isRefused = ({ method, name }: Asked): boolean => method === 'GET' && /^(datasets|cluster)/.test(name);
    proxy.fault = (asked) => (isRefused(asked) ? { status: 403, code: 'AccessDenied' } : null);
    cluster.runs.reconciler.start();
    await Promise.all([
      cluster.add('selector'),
      cluster.add('worker', { ORCHARD_WORKER_NAME: 'sick', ORCHARD_S3_ENDPOINT: proxy.url }),
    ]);
    const run = await cluster.submit(mushrooms);
    const isSaid = ({ code, message }: { code: string; message: string }): boolean =>
      code === 'worker-aside' && /Worker sick takes no tasks.*AccessDenied \(403\)/.test(message);
    await cluster.until(run, 'the wait says so', ({ waits }) => waits.some(isSaid));
    const glance = await cluster.runs.glance();
    expect(glance.workers.find(({ name }) => name === 'sick')?.notice).toContain('AccessDenied (403)');
    await cluster.add('worker', { ORCHARD_WORKER_NAME: 'well' });
    const status = await cluster.done(run);
    expect([status.quarantined, status.retrying]).toEqual([[], []]);
    expect(await cluster.names(`runs/${run}/attempts/`)).toEqual([]);
    expect(proxy.refused.get('AccessDenied')).toBeGreaterThan(0);
    await cluster.expectSameBytes(run, mushrooms);
  });

  test('every deletion: a run that stays says what is refused, and goes when it no longer is', async () => {
    const mushrooms = await specimen('mushrooms', { preset: 'paper', leaves: 2, rounds: 2, refit: false });
    const cluster = await clusterOfTest();
    cluster.runs.reconciler.start();
    const run = await cluster.submit(mushrooms);
    await cluster.passes(1);
    const locked = new StorageError('denied', { got: 'AccessDenied (403)', expected: 'success', remedy: 'A lock.' });
    const remove = cluster.store.delete.bind(cluster.store);
    cluster.store.delete = (name) => (name.startsWith('runs/') ? Promise.reject(locked) : remove(name));
    await cluster.runs.life.remove(run);
    const isSaid = ({ code, message }: { code: string; message: string }): boolean =>
      code === 'not-removed' && message.includes('AccessDenied (403)');
    const { state } = await cluster.until(run, 'the wait says so', ({ waits }) => waits.some(isSaid));
    expect(state).toBe('deleting');
    cluster.store.delete = remove;
    await expect.poll(() => cluster.names(`runs/${run}/`)).toEqual([]);
  });

  test(
    'every put of a result: two tasks are trained in vain and not two hundred, and then it goes on',
    { tags: 'nightly' },
    async () => {
      const mushrooms = await specimen('mushrooms', { preset: 'paper', leaves: 8, rounds: 30 });
      const { cluster, proxy } = await clusterBehindProxy();
      let refused = 0;
      proxy.fault = (asked) => {
        // programs start; what they store afterwards is refused
        if (asked.method !== 'PUT' || asked.name.startsWith('.')) return null;
        if (isTask(asked)) refused++;
        return { status: 403, code: 'QuotaExceeded' };
      };
      await cluster.crew(1);
      const run = await cluster.submit(mushrooms);
      const isSaid = ({ message }: { message: string }): boolean => message.includes('QuotaExceeded (403)');
      await cluster.until(run, 'the wait says so', ({ waits }) => waits.some(isSaid));
      await cluster.passes(8);
      // what it had in hand, one more than threads
      expect(refused).toBeLessThanOrEqual(4);
      proxy.fault = () => null;
      const status = await cluster.done(run);
      expect(status.quarantined).toEqual([]);
      expect(await cluster.names('runs/probe/')).toEqual([]);
      await cluster.expectSameBytes(run, mushrooms);
    },
  );
});
