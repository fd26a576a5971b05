import { runIdOf } from '@orchard/contracts';
import { lbarnNames } from '@orchard/lbarn';
import { artefactNames } from '@orchard/pipeline';
import { describe, expect, test } from 'vitest';
import { clusterOfTest } from '../cluster/cluster.js';
import { specimen } from '../cluster/specimens.js';
import { lacks } from '../servers/needed.js';

describe.skipIf(lacks('redis'))('a poisoned dimension', () => {
  test(
    'is given up with its reason, the rest finishes, the run says so, and resume tries it alone',
    { tags: 'nightly' },
    async () => {
      const mushrooms = await specimen('mushrooms', { preset: 'paper', leaves: 8, rounds: 30 });
      const cluster = await clusterOfTest({ store: 'folder' });
      await cluster.crew(2);
      const run = runIdOf(mushrooms.specification);
      // a checkpoint that can be read, but is of another dimension: training refuses to go on from it, every time
      const poison = lbarnNames.checkpoint(run, 40, 10);
      await cluster.store.put(poison, await mushrooms.store.get(lbarnNames.conditional(run, 41)));
      await cluster.submit(mushrooms);
      const failed = await cluster.until(run, 'it has failed', ({ state }) => state === 'failed');
      expect(failed.quarantined).toHaveLength(1);
      expect(failed.quarantined[0]).toMatchObject({
        stage: 'train',
        dimension: 40,
        attempts: 3,
        code: 'training-failed',
      });
      expect(failed.quarantined[0]!.reason).toContain('position 41');
      expect(failed.quarantined[0]!.stack).toContain('libs/learning/logitboost/');
      expect(failed.reason).toContain('Dimension 40');
      expect(failed.stages.train).toMatchObject({ done: 111, quarantined: 1, waiting: 0 });
      expect(await cluster.names(lbarnNames.conditionals(run))).toHaveLength(111);

      // neither is it forgotten, nor does it start again by itself
      await cluster.command('FLUSHALL');
      await cluster.runs.reconciler.reconcileOnce();
      expect(await cluster.runs.life.status(run)).toMatchObject({ state: 'failed', quarantined: [{ dimension: 40 }] });

      const trained: string[] = [];
      cluster.queues.onEvent((event) => {
        if (event.kind === 'completed' && event.id.startsWith('train-')) trained.push(event.id);
      });
      await cluster.store.delete(poison);
      await cluster.runs.life.resume(run);
      await cluster.done(run);
      expect(trained).toEqual([`train-${run}-40`]);
      await cluster.expectSameBytes(run, mushrooms);
    },
  );

  test('whose artefact is there with other bytes stops the run: the work is not deterministic', async () => {
    const caps = await specimen('caps', { preset: 'paper', leaves: 8, rounds: 30 });
    const cluster = await clusterOfTest({ store: 'folder' });
    const run = runIdOf(caps.specification);
    const wrong = artefactNames.network(run, caps.wanted);
    await cluster.store.put(wrong, Buffer.from('another network'));
    await cluster.crew(1);
    await cluster.submit(caps);
    const failed = await cluster.until(run, 'it has failed', ({ state }) => state === 'failed');
    expect(failed.quarantined).toMatchObject([{ stage: 'assemble', dimension: null, attempts: 1, code: 'conflict' }]);
    expect(failed.reason).toContain('differ');
  });
});
