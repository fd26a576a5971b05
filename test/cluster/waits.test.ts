import { describe, expect, test } from 'vitest';
import { lacks } from '../servers/needed.js';
import { clusterOfTest } from './cluster.js';
import { specimen } from './specimens.js';
import { strangePrograms } from './strange-programs.js';

describe.skipIf(lacks('redis'))('a run that waits', () => {
  test('for a queue that somebody has paused says so, and goes on when it is resumed', async () => {
    const caps = await specimen('caps', { preset: 'paper', leaves: 2, rounds: 2, refit: false });
    const cluster = await clusterOfTest({ store: 'folder' });
    await cluster.crew(1);
    const queues = cluster.queues.boardQueues();
    await Promise.all(queues.map((queue) => queue.pause()));
    const run = await cluster.submit(caps);
    const isPaused = ({ code }: { code: string }): boolean => code === 'paused';
    const { notices, waits } = await cluster.until(run, 'it says so', (status) => status.waits.some(isPaused));
    expect(waits.find(isPaused)!.message).toBe('The queue is paused: no worker takes tasks until it is resumed.');
    expect(notices.join()).toContain('The queue is paused');
    await cluster.passes(2);
    expect((await cluster.runs.life.status(run)).stages.train).toMatchObject({ done: 0 });
    await Promise.all(queues.map((queue) => queue.resume()));
    expect((await cluster.done(run)).waits).toEqual([]);
    await cluster.expectSameBytes(run, caps);
  });

  test('on a worker whose clock is an hour ahead: what it gives back is done by others at once', async () => {
    const caps = await specimen('caps', { preset: 'paper', leaves: 2, rounds: 2, refit: false });
    const cluster = await clusterOfTest({ store: 'folder' });
    cluster.runs.reconciler.start();
    // without memory for this run it gives back whatever it gets
    const ahead = { ...strangePrograms.clockAhead, ORCHARD_MEMORY_BYTES: '100000' };
    const [early] = await Promise.all([cluster.add('worker', ahead), cluster.add('selector', ahead)]);
    expect(Number(early.log[0]!.time) - Date.now()).toBeGreaterThan(3_000_000);
    const run = await cluster.submit(caps);
    const givesBack = async (): Promise<boolean> =>
      (await cluster.queues.workers()).some(({ refused }) => refused[run] !== undefined);
    await cluster.until(run, 'tasks are given back', givesBack);
    // and some more of them; then there is no worker that could take them again
    let given = 0;
    cluster.queues.onEvent(
      (event) => (given += Number(event.kind === 'completed' && event.result.outcome === 'returned')),
    );
    await expect.poll(() => given).toBeGreaterThan(1);
    early.kill('SIGKILL');
    await early.ended;
    await cluster.add('worker');
    // by its clock they would wait for an hour
    await cluster.done(run);
    expect(await cluster.queues.counts()).toMatchObject({ worker: { delayed: 0 }, selector: { delayed: 0 } });
    await cluster.expectSameBytes(run, caps);
  });

  test(
    'no longer than what was read is believed: emptied while it is cancelled, and filled anew, it is trained',
    { tags: 'nightly' },
    async () => {
      const words = { preset: 'paper', leaves: 4, rounds: 40, refit: false } as const;
      const mushrooms = await specimen('mushrooms', { ...words, select: 'common' });
      const cluster = await clusterOfTest({ store: 'folder' });
      await cluster.crew(1);
      const run = await cluster.submit(mushrooms);
      await cluster.until(run, 'the worker has a task', ({ stages }) => (stages['train']?.active ?? 0) > 0);
      await cluster.runs.life.cancel(run);
      // letting go of it the worker has read the second mark: cancelled
      const isIdle = async (): Promise<boolean> => (await cluster.queues.counts()).worker.active === 0;
      await cluster.until(run, 'the worker has let go', isIdle);
      for (const name of await cluster.names('')) await cluster.store.delete(name);
      await cluster.submit(mushrooms);
      // under the same name now: something else is asked for
      await cluster.runs.life.select(run, { selection: 'individual', refit: false });
      await cluster.done(run);
      await cluster.expectSameBytes(run, { ...mushrooms, artefacts: {} });
    },
  );

  test(
    'for nothing: a store that is emptied, and filled anew under the same names, is trained to the same bytes',
    { tags: 'nightly' },
    async () => {
      const mushrooms = await specimen('mushrooms', { preset: 'paper', leaves: 2, rounds: 2, refit: true });
      const cluster = await clusterOfTest({ store: 'folder' });
      await cluster.crew(1);
      const first = await cluster.submit(mushrooms);
      await cluster.done(first);
      for (const name of await cluster.names('')) await cluster.store.delete(name);
      await mushrooms.register(cluster.store);
      const { specification, choice } = mushrooms;
      expect(await cluster.runs.life.submit(specification, choice)).toMatchObject({ id: first, created: true });
      await cluster.done(first);
      await cluster.expectSameBytes(first, mushrooms);
      expect((await cluster.runs.life.list()).runs).toMatchObject([{ id: first, state: 'done' }]);
    },
  );
});
