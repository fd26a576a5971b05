import type { RunWords } from '@orchard/contracts';
import { afterEach, describe, expect, test } from 'vitest';
import { lacks } from '../servers/needed.js';
import { Cluster } from './cluster.js';
import { specimen } from './specimens.js';

const cases: readonly (readonly [string, RunWords])[] = [
  [
    'logistic starts and gradients of first order, trained again on all rows',
    { leaves: 4, rounds: 20, start: 'logistic', startPenalty: 16, gradients: 'first', refit: 'again' },
  ],
  ['dropout of trees', { leaves: 4, rounds: 30, dropout: 0.2 }],
  ['single trees', { preset: 'single-tree', leaves: 16 }],
];

describe.skipIf(lacks('redis'))('a run on a cluster of', () => {
  let cluster: Cluster;
  afterEach(() => cluster.stop());

  test.each(cases)('%s, of which a worker is killed: the bytes that a laptop makes', async (_, words) => {
    const known = await specimen('mushrooms', words);
    cluster = await Cluster.start({ store: 'folder', environment: { ORCHARD_CHECKPOINT_SECONDS: '0.02' } });
    const [victim] = await cluster.crew(2);
    const run = await cluster.submit(known);
    await cluster.until(run, 'it trains', ({ stages }) => (stages.train?.done ?? 0) > 10);
    victim!.kill('SIGKILL');
    await victim!.ended;
    const status = await cluster.done(run);
    const all = { total: 112, done: 112 };
    expect(status.stages).toMatchObject({
      train: all,
      select: { done: 1 },
      ...(words.refit === 'again' ? { refit: null, retrain: all } : { refit: all }),
    });
    await cluster.expectSameBytes(run, known);
  });
});
