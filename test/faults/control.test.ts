import { families } from '@orchard/registry';
import { JobQueues } from '@orchard/queue';
import { openRuns } from '@orchard/runs';
import { describe, expect, test } from 'vitest';
import { clusterOfTest } from '../cluster/cluster.js';
import type { Program } from '../cluster/programs.js';
import { specimen } from '../cluster/specimens.js';
import { lacks } from '../servers/needed.js';

const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined };

describe.skipIf(lacks('redis'))('those who steer', () => {
  test('coordinator and selector killed whenever a stage begins: the same bytes', { tags: 'nightly' }, async () => {
    const mushrooms = await specimen('mushrooms', { preset: 'paper', leaves: 8, rounds: 30 });
    const cluster = await clusterOfTest({ store: 'folder', environment: { ORCHARD_PORT: '0' } });
    let steering: Program[] = await Promise.all([cluster.add('coordinator'), cluster.add('selector')]);
    await cluster.add('worker');
    // the reconciler within the test rests: the run is submitted to the store, and the coordinator finds it there
    const run = await cluster.submit(mushrooms);
    const killedIn: string[] = [];
    for (;;) {
      const { state } = await cluster.until(run, 'another stage', ({ state }) => !killedIn.includes(state));
      killedIn.push(state);
      if (state === 'done') break;
      for (const program of steering) program.kill('SIGKILL');
      for (const program of steering) expect((await program.ended).signal).toBe('SIGKILL');
      steering = await Promise.all([cluster.add('coordinator'), cluster.add('selector')]);
    }
    expect(killedIn).toContain('training');
    expect(killedIn).toContain('refitting');
    expect(killedIn.length).toBeGreaterThanOrEqual(3);
    await cluster.expectSameBytes(run, mushrooms);
  });

  test('two coordinators and two selectors at once do each other no harm; the same submission twice is one run', async () => {
    const caps = await specimen('caps', { preset: 'paper', leaves: 8, rounds: 30 });
    const cluster = await clusterOfTest({ store: 'folder' });
    const { url } = cluster.redis;
    const queues = await JobQueues.connect({ url, prefix: cluster.environment.ORCHARD_REDIS_PREFIX });
    const other = openRuns({ store: cluster.store, queues, families, log: quiet }, { passSeconds: 1 });
    try {
      await Promise.all([cluster.crew(1), cluster.add('selector')]);
      other.reconciler.start();
      await caps.register(cluster.store);
      const { specification, choice } = caps;
      const answers = await Promise.all(
        Array.from({ length: 10 }, (_, index) => (index % 2 ? other : cluster.runs).life.submit(specification, choice)),
      );
      expect(new Set(answers.map(({ id }) => id)).size).toBe(1);
      expect(answers.filter(({ created }) => created)).toHaveLength(1);
      const run = answers[0]!.id;
      await cluster.done(run);
      await cluster.expectSameBytes(run, caps);
      expect((await other.life.list()).runs).toMatchObject([{ id: run, state: 'done' }]);
      expect(await cluster.runs.life.submit(specification, choice)).toMatchObject({ id: run, created: false });
    } finally {
      await other.reconciler.stop();
      await queues.close();
    }
  });
});
