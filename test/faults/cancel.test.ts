import { lbarnNames } from '@orchard/lbarn';
import { artefactNames } from '@orchard/pipeline';
import { describe, expect, test } from 'vitest';
import { clusterOfTest } from '../cluster/cluster.js';
import { inHand } from '../cluster/programs.js';
import { specimen } from '../cluster/specimens.js';
import { lacks } from '../servers/needed.js';

const words = { preset: 'paper', leaves: 16, rounds: 400, refit: false } as const;

describe.skipIf(lacks('redis'))('a run that is stopped', () => {
  test('cancelled, stops in the middle of its tasks, leaves nothing running, and goes on from its checkpoints', async () => {
    const dna = await specimen('dna', words);
    const cluster = await clusterOfTest({ store: 'folder', environment: { ORCHARD_CHECKPOINT_SECONDS: '0.05' } });
    const crew = await cluster.crew(2);
    const run = await cluster.submit(dna);
    const checkpoints = (): Promise<readonly string[]> => cluster.names(artefactNames.checkpoints(run));
    // what was in hand is not done, but kept half done; workers that were between two tasks had nothing to keep
    for (let attempt = 0; attempt < 5 && (await checkpoints()).length === 0; attempt++) {
      if (attempt > 0) await cluster.runs.life.resume(run);
      const before = (await cluster.runs.life.status(run)).stages.train?.done ?? 0;
      await cluster.until(run, 'it trains', ({ stages: { train } }) => train!.done > before + 3 && train!.active >= 2);
      await cluster.runs.life.cancel(run);
      await expect.poll(() => inHand(...crew)).toBe(0);
      await cluster.until(run, 'it is cancelled', ({ state }) => state === 'cancelled');
      await cluster.passes(2);
      expect(await cluster.queues.jobs('worker')).toEqual([]);
      expect(await inHand(...crew)).toBe(0);
    }
    expect((await checkpoints()).length).toBeGreaterThan(0);
    const stored = (await cluster.names(lbarnNames.conditionals(run))).length;
    await cluster.command('FLUSHALL');
    await cluster.passes(2);
    expect(await cluster.names(lbarnNames.conditionals(run))).toHaveLength(stored);
    await expect(cluster.runs.life.select(run, { selection: 'common', refit: false })).rejects.toThrow(
      'Resume it first',
    );

    await cluster.runs.life.resume(run);
    await cluster.done(run);
    await cluster.expectSameBytes(run, dna);
  });

  test('deleted in mid-run, leaves nothing behind; submitted again, starts anew', { tags: 'nightly' }, async () => {
    const dna = await specimen('dna', words);
    const cluster = await clusterOfTest({ store: 'folder' });
    await cluster.crew(2);
    const run = await cluster.submit(dna);
    await cluster.until(run, 'it trains', ({ stages }) => (stages.train?.done ?? 0) > 3);
    await cluster.runs.life.remove(run);
    const removed = (): Promise<unknown> => cluster.runs.life.status(run).catch(({ code }: { code: string }) => code);
    await expect.poll(removed, { interval: 100 }).toBe('unknown-run');
    await cluster.passes(2);
    expect(await cluster.names(artefactNames.run(run))).toEqual([]);
    expect(await removed()).toBe('unknown-run');
    expect((await cluster.runs.life.list()).runs).toEqual([]);

    expect(await cluster.runs.life.submit(dna.specification, dna.choice)).toMatchObject({ id: run, created: true });
    await cluster.done(run);
    await cluster.expectSameBytes(run, dna);
  });

  test(
    'a worker that is told to end checkpoints, hands its jobs back and ends within its grace time',
    { tags: 'nightly' },
    async () => {
      const dna = await specimen('dna', words);
      const cluster = await clusterOfTest({ store: 'folder' });
      await cluster.crew(0);
      const run = await cluster.submit(dna);
      const checkpoints = (): Promise<readonly string[]> => cluster.names(artefactNames.checkpoints(run));
      // a worker that happens to be between two tasks has nothing to keep: then the next one is told to end
      for (let attempt = 0; attempt < 5 && (await checkpoints()).length === 0; attempt++) {
        const before = (await cluster.runs.life.status(run)).stages.train?.done ?? 0;
        const leaving = await cluster.add('worker');
        await cluster.until(run, 'this one trains', ({ stages }) => (stages.train?.done ?? 0) > before + 1);
        await expect.poll(() => inHand(leaving), { interval: 20 }).toBeGreaterThan(0);
        leaving.kill('SIGTERM');
        // beyond its grace time it would end with another code
        expect(await leaving.ended).toEqual({ code: 0, signal: null });
        expect((await cluster.queues.counts()).worker.active).toBe(0);
      }
      expect((await checkpoints()).length).toBeGreaterThan(0);
      await Promise.all([cluster.add('worker'), cluster.add('worker')]);
      await cluster.done(run, 240);
      await cluster.expectSameBytes(run, dna);
    },
  );

  test('another selection is made without training anew, and the run ends again', async () => {
    const caps = await specimen('caps', { preset: 'paper', leaves: 8, rounds: 30, refit: false });
    const cluster = await clusterOfTest({ store: 'folder' });
    await cluster.crew(2);
    const run = await cluster.submit(caps);
    await cluster.done(run);
    const trained: string[] = [];
    let refitted = 0;
    cluster.queues.onEvent((event) => {
      if (event.kind === 'active') trained.push(event.id);
      if (event.kind === 'completed' && event.id.startsWith('refit-'))
        refitted += event.result.batch?.stored.length ?? 1;
    });
    await cluster.runs.life.select(run, { selection: 'common', refit: true });
    const seen: string[] = [];
    for await (const status of cluster.runs.life.events(run)) seen.push(status.state);
    expect(seen.at(-1)).toBe('done');
    expect(trained.filter((id) => id.startsWith('train-'))).toEqual([]);
    expect(refitted).toBeGreaterThanOrEqual(40);
    expect((await cluster.runs.life.status(run)).networks).toEqual([caps.choice, { selection: 'common', refit: true }]);
    await expect(cluster.runs.life.cancel(run)).rejects.toMatchObject({ code: 'ended' });
  });
});
