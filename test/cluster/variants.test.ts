import type { RunWords } from '@orchard/contracts';
import { afterEach, describe, expect, test } from 'vitest';
import { lacks } from '../servers/needed.js';
import { Cluster } from './cluster.js';
import { specimen } from './specimens.js';

const all = { total: 112, done: 112 };

/** What is trained, and the stage that follows the choice. */
const cases: readonly (readonly [string, RunWords, object])[] = [
  [
    'logistic starts and gradients of first order, trained again on all rows',
    { leaves: 4, rounds: 20, start: 'logistic', startPenalty: 16, gradients: 'first', refit: 'again' },
    { refit: null, retrain: all },
  ],
  [
    'dropout of trees, exclusive columns, and some of the predictors',
    { leaves: 4, rounds: 30, dropout: 0.2, exclusive: 'found', maxPredictors: 40 },
    { refit: all },
  ],
  // The preset of single trees leaves the refit out.
  ['single trees', { preset: 'single-tree', leaves: 16 }, { refit: null }],
];

describe.skipIf(lacks('redis'))('a run on a cluster of', () => {
  let cluster: Cluster;
  afterEach(() => cluster.stop());

  test.each(cases)('%s, of which a worker is killed: the bytes that a laptop makes', async (_, words, after) => {
    const known = await specimen('mushrooms', words);
    cluster = await Cluster.start({ store: 'folder', environment: { ORCHARD_CHECKPOINT_SECONDS: '0.02' } });
    const [victim] = await cluster.crew(2);
    const run = await cluster.submit(known);
    await cluster.until(run, 'it trains', ({ stages }) => (stages.train?.done ?? 0) > 10);
    victim!.kill('SIGKILL');
    await victim!.ended;
    const status = await cluster.done(run);
    expect(status.stages).toMatchObject({ train: all, select: { done: 1 }, ...after });
    await cluster.expectSameBytes(run, known);
  });
});
