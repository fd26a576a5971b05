import { artefactNames } from '@orchard/pipeline';
import { describe, expect, test } from 'vitest';
import { clusterOfTest } from '../cluster/cluster.js';
import { inHand, type Program } from '../cluster/programs.js';
import { specimen } from '../cluster/specimens.js';
import { strangePrograms } from '../cluster/strange-programs.js';
import { lacks } from '../servers/needed.js';

describe.skipIf(lacks('redis'))('a worker that is killed again and again', () => {
  test(
    'takes no task with it: another does them, the run says who dies, and ends in its bytes',
    { tags: 'nightly' },
    async () => {
      const dna = await specimen('dna', { preset: 'paper', leaves: 16, rounds: 60 });
      // two losses of a task are one too many, were they not of one worker
      const cluster = await clusterOfTest({ store: 'folder', reconciler: { limits: { failed: 3, lost: 2 } } });
      cluster.runs.reconciler.start();
      await cluster.add('selector');
      const run = await cluster.submit(dna);
      const attempts = `${artefactNames.run(run)}attempts/0/`;
      const lossesByTask = async (): Promise<Map<string, number>> => {
        const byTask = new Map<string, number>();
        for (const name of await cluster.names(attempts)) {
          const [task] = name.slice(attempts.length).split('/lost-');
          byTask.set(task!, (byTask.get(task!) ?? 0) + 1);
        }
        return byTask;
      };
      const live = (): Promise<Program> =>
        cluster.add('worker', { ...strangePrograms.slowResults, ORCHARD_WORKER_NAME: 'sick', ORCHARD_THREADS: '2' });
      const kill = async (sick: Program): Promise<void> => {
        sick.kill('SIGKILL');
        expect((await sick.ended).signal).toBe('SIGKILL');
      };
      const said = (pattern: RegExp): Promise<unknown> =>
        cluster.until(run, `it says ${String(pattern)}`, ({ state, waits }) => {
          expect(state).not.toBe('done');
          return waits.some(({ code, message }) => code === 'worker-slowed' && pattern.test(message));
        });

      const first = await live();
      await expect.poll(() => inHand(first)).toBeGreaterThan(0);
      await kill(first);
      const second = await live();
      await cluster.until(run, 'it has again what it had lost', async () => {
        const lost = new Set(await lossesByTask().then((byTask) => byTask.keys()));
        return (await cluster.runs.tasks.grid(run)).active.some(({ task }) => lost.has(task));
      });
      expect(await inHand(second)).toBe(1);
      await kill(second);

      // until it waits the sick one is alone: with another, a fast machine would have ended the run before it was told
      const third = await live();
      await said(/^Worker sick died 2 times within 10 minutes/);
      expect(third.log.some(({ level, msg }) => level === 40 && /^Worker sick died/.test(String(msg)))).toBe(true);
      await kill(third);
      await live();
      await said(/^Worker sick died \d times .* waits \d+ s before it takes tasks/);

      await cluster.add('worker');
      const status = await cluster.done(run);
      expect(status.quarantined).toEqual([]);
      expect(Math.max(...(await lossesByTask()).values())).toBeGreaterThanOrEqual(2);
      await cluster.expectSameBytes(run, dna);
    },
  );
});
