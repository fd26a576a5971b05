import { lbarnNames } from '@orchard/lbarn';
import { describe, expect, test } from 'vitest';
import { clusterOfTest } from '../cluster/cluster.js';
import { inHand, type Program } from '../cluster/programs.js';
import { specimen } from '../cluster/specimens.js';
import { lacks } from '../servers/needed.js';
import { Dice } from './dice.js';
import { clusterBehindProxy } from './s3-proxy.js';

const words = { preset: 'paper', leaves: 16, rounds: 250, refit: false } as const;

describe.skipIf(lacks('redis', 's3'))('workers that die', () => {
  test('killed at random with a task in hand, and replaced: the same bytes', { tags: 'nightly' }, async () => {
    const dna = await specimen('dna', words);
    const dice = new Dice(1);
    const cluster = await clusterOfTest({ environment: { ORCHARD_CHECKPOINT_SECONDS: '0.02' } });
    const crew = await cluster.crew(3);
    let lost = 0;
    cluster.queues.onEvent(({ kind }) => (lost += kind === 'stalled' ? 1 : 0));
    const run = await cluster.submit(dna);
    await cluster.until(run, 'it trains', ({ stages }) => (stages.train?.done ?? 0) > 3);
    let killed = 0;
    while (killed < 5) {
      const victim = dice.pick(crew);
      await expect.poll(() => inHand(victim)).toBeGreaterThan(0);
      victim.kill('SIGKILL');
      expect((await victim.ended).signal).toBe('SIGKILL');
      killed++;
      crew[crew.indexOf(victim)] = await cluster.add('worker');
    }
    await cluster.done(run);
    await cluster.expectSameBytes(run, dna);
    expect(lost).toBeGreaterThan(0);
  });

  test('killed between the put and the acknowledgement: the stored conditional stands, and is not trained again', async () => {
    const mushrooms = await specimen('mushrooms', { preset: 'paper', leaves: 8, rounds: 30 });
    const { cluster, proxy } = await clusterBehindProxy();
    const crew: Program[] = await cluster.crew(1);
    const lost = new Set<string>();
    const killedAfter: string[] = [];
    // only while there is a worker to kill: one that has just been started may store before it is known here
    proxy.fault = ({ method, name }) => {
      if (method !== 'PUT' || !name.includes('/conditionals/')) return null;
      if (crew.length === 0 || killedAfter.length >= 3 || killedAfter.includes(name)) return null;
      lost.add(name);
      return 'lost';
    };
    proxy.onAnswer = ({ name }, status) => {
      if (status !== 200 || !lost.delete(name) || killedAfter.length >= 3) return;
      const worker = crew.pop();
      if (worker === undefined) return;
      killedAfter.push(name);
      worker.kill('SIGKILL');
      void cluster.add('worker').then((next) => crew.push(next));
    };
    const again = new Map<string, number>();
    cluster.queues.onEvent((event) => {
      if (event.kind === 'completed') again.set(event.id, event.result.progress.trees);
    });
    const run = await cluster.submit(mushrooms);
    await cluster.done(run);
    expect(killedAfter.length).toBe(3);
    await cluster.expectSameBytes(run, mushrooms);
    for (const name of killedAfter) {
      const dimension = name.slice(lbarnNames.conditionals(run).length);
      expect(again.get(`train-${run}-${dimension}`)).toBe(0);
    }
  });

  test(
    'stopped past the expiry of its locks and woken again: what it writes late is what is there',
    { tags: 'nightly' },
    async () => {
      const dna = await specimen('dna', words);
      const cluster = await clusterOfTest();
      const [zombie] = await cluster.crew(2);
      const stalled: string[] = [];
      cluster.queues.onEvent((event) => {
        if (event.kind === 'stalled') stalled.push(event.id);
      });
      const run = await cluster.submit(dna);
      await cluster.until(run, 'it trains', ({ stages }) => (stages.train?.done ?? 0) > 5);
      zombie!.kill('SIGSTOP');
      await cluster.until(run, 'a job of the stopped worker was given away', () => stalled.length > 0);
      await cluster.until(run, 'another has done it', async () => {
        // of a batch, the first: `8=2` for 16 to 23
        const [size, block = 1] = stalled[0]!.split('-').at(-1)!.split('=').map(Number);
        const dimension = size! * block;
        return (await cluster.store.head(lbarnNames.conditional(run, dimension))) !== null;
      });
      zombie!.kill('SIGCONT');
      await cluster.done(run);
      await cluster.expectSameBytes(run, dna);
      expect(zombie!.log.filter(({ level }) => Number(level) >= 50)).toEqual([]);
    },
  );
});
