import { memberKey } from '@orchard/contracts';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { lacks } from '../servers/needed.js';
import { clusterOfTest } from './cluster.js';
import { specimen } from './specimens.js';

const words = {
  leaves: 4,
  rounds: 10,
  orderings: ['greedy', 'reversed', 'random'],
  folds: 3,
} as const;

describe.skipIf(lacks('redis'))('a run with members on a cluster', () => {
  test(
    'of which workers are killed, and then asked for more members: the bytes that a laptop makes',
    { tags: 'nightly' },
    async () => {
      const [eight, nine] = [
        await specimen('mushrooms', { ...words, orderings: [...words.orderings], members: 8 }),
        await specimen('mushrooms', { ...words, orderings: [...words.orderings], members: 9 }),
      ];
      const cluster = await clusterOfTest({ store: 'folder', environment: { ORCHARD_CHECKPOINT_SECONDS: '0.02' } });
      const trained: string[] = [];
      cluster.queues.onEvent((event) => {
        if (event.kind !== 'completed' || event.result.progress.trees === 0) return;
        // short tasks are one job
        trained.push(...Array.from(event.result.batch?.stored ?? [null], () => event.id));
      });
      const crew = await cluster.crew(2);
      const run = await cluster.submit(eight);
      for (let killed = 0; killed < 2; killed++) {
        await cluster.until(run, 'it trains', ({ stages }) => (stages.train?.done ?? 0) > 40 * (killed + 1));
        const victim = crew.shift()!;
        victim.kill('SIGKILL');
        await victim.ended;
        crew.push(await cluster.add('worker'));
        await sleep(100);
      }
      const status = await cluster.done(run);
      expect(status.stages).toMatchObject({ order: { done: 1 }, train: { total: 896, done: 896 }, mix: { done: 1 } });
      expect(status.networks).toEqual([eight.choice]);
      await cluster.expectSameBytes(run, eight);

      const one = { selection: 'common', refit: true };
      await expect(cluster.runs.life.select(run, one)).rejects.toMatchObject({ code: 'bad-request' });
      trained.length = 0;
      await cluster.runs.life.select(run, nine.choice);
      await cluster.done(run);
      await cluster.expectSameBytes(run, nine);
      const own = memberKey({ member: 8, network: null }, '');
      const isOfThis = (kind: string): boolean =>
        trained.filter((id) => id.startsWith(`${kind}-${run}-${own}`)).length === 112;
      expect([isOfThis('train'), trained.every((id) => id.includes(`-${own}`))]).toEqual([true, true]);
    },
  );
});
