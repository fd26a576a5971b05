import { artefactNames } from '@orchard/pipeline';
import { tables } from '@orchard/tables';
import { describe, expect, test } from 'vitest';
import { clusterOfTest } from '../cluster/cluster.js';
import { longDecisionSpecimen, tableSpecimen } from '../cluster/specimens.js';
import { lacks } from '../servers/needed.js';

/** Of the large table. */
const ROWS = Number(process.env.ORCHARD_PREEMPTED_ROWS ?? 300_000);
/** Between two checkpoints. */
const SECONDS = Number(process.env.ORCHARD_PREEMPTED_SECONDS ?? 1);
/** Of a decision at most. */
const ROUNDS = Number(process.env.ORCHARD_PREEMPTED_ROUNDS ?? 1500);

describe.skipIf(lacks('redis'))('on machines that are taken away at any moment', () => {
  test('a table whose worker is killed twice within a variable ends in its bytes, from its checkpoints', async () => {
    const table = await tableSpecimen(tables, { rounds: 300, leaves: 8, members: 1 }, { variables: 5 }, 2000);
    const cluster = await clusterOfTest({ store: 'folder', environment: { ORCHARD_CHECKPOINT_SECONDS: '0.05' } });
    let [worker] = await cluster.crew(1);
    const run = await cluster.submit(table);
    const checkpoints = async (): Promise<string> => (await cluster.names(artefactNames.checkpoints(run))).join();
    let kept = '';
    for (let kill = 0; kill < 2; kill++) {
      // more is kept than what the worker before it left behind
      await cluster.until(run, 'a checkpoint is stored', async () => ![kept, ''].includes(await checkpoints()));
      worker!.kill('SIGKILL');
      await worker!.ended;
      kept = await checkpoints();
      worker = await cluster.add('worker');
    }
    await cluster.done(run);
    await cluster.expectSameBytes(run, table);
  });

  test(
    `a table of ${String(ROWS)} rows, whose worker is killed at each checkpoint, ends in its bytes, though one decision alone takes many lives`,
    { tags: 'nightly', timeout: 7_200_000 },
    async () => {
      // leaves are looked for too, and what is found of them does not fit between two kills either
      const words = { rounds: ROUNDS, shrinkage: 0.01, leaves: 'auto', start: 'base-rate', patience: 200, members: 1 };
      const table = await longDecisionSpecimen(tables, words, { variables: 4 }, ROWS);
      const environment = { ORCHARD_CHECKPOINT_SECONDS: String(SECONDS) };
      const cluster = await clusterOfTest({ store: 'folder', environment });
      let [worker] = await cluster.crew(1);
      const run = await cluster.submit(table);
      const seen = new Set<string>();
      /** Whether more is kept than ever before: a life that kept nothing is not told from a machine that is slow. */
      const keepsMore = async (): Promise<boolean> => {
        const names = await cluster.names(artefactNames.checkpoints(run));
        const before = seen.size;
        for (const name of names) seen.add(name);
        return seen.size > before;
      };
      let kills = 0;
      const isOver = ({ state }: { readonly state: string }): boolean => ['done', 'failed'].includes(state);
      for (;;) {
        const status = await cluster.until(
          run,
          'a checkpoint is stored, or the run has ended',
          async (now) => isOver(now) || (await keepsMore()),
          600,
        );
        if (isOver(status)) break;
        worker!.kill('SIGKILL');
        await worker!.ended;
        kills++;
        worker = await cluster.add('worker');
      }
      /** Of the last column, whose one decision is long, with a kill behind each. */
      const places = [...seen].filter((name) => name.startsWith(`${artefactNames.checkpoints(run)}3/`)).length;
      console.log(`preempted: ${String(ROWS)} rows, ${String(kills)} workers killed, ${String(places)} in the last`);
      // three lives at least within the work on one decision
      expect(places).toBeGreaterThan(2);
      const status = await cluster.done(run);
      expect(status.state).toBe('done');
      await cluster.expectSameBytes(run, table);
    },
  );
});
