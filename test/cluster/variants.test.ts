import type { RunWords } from '@orchard/contracts';
import { describe, expect, test } from 'vitest';
import { lacks } from '../servers/needed.js';
import { clusterOfTest } from './cluster.js';
import { specimen } from './specimens.js';

const all = { total: 112, done: 112 };

/** What is trained, the stage in which a worker is killed, and what the stages are in the end. */
type Case = readonly [what: string, words: RunWords, stage: string, stages: object];

const nightly: readonly Case[] = [
  [
    'logistic starts and gradients of first order, trained again on all rows',
    { leaves: 4, rounds: 20, start: 'logistic', startPenalty: 16, gradients: 'first', refit: 'again' },
    'train',
    { train: all, select: { done: 1 }, refit: null, retrain: all },
  ],
];

const cases: readonly Case[] = [
  [
    'leaves that the run finds',
    { leaves: 'auto', rounds: 30 },
    'screen',
    { screen: { total: 4 * 32, done: 4 * 32 }, settle: { total: 2, done: 2 }, train: all },
  ],
];

describe.skipIf(lacks('redis'))('a run on a cluster of', () => {
  const endsInTheSameBytes = async (...[, words, stage, after]: Case): Promise<void> => {
    const known = await specimen('mushrooms', words);
    const cluster = await clusterOfTest({ store: 'folder', environment: { ORCHARD_CHECKPOINT_SECONDS: '0.02' } });
    const [victim] = await cluster.crew(2);
    const run = await cluster.submit(known);
    await cluster.until(run, `it is at ${stage}`, ({ stages }) => (stages[stage]?.done ?? 0) > 10);
    victim!.kill('SIGKILL');
    await victim!.ended;
    await cluster.add('worker');
    expect((await cluster.done(run)).stages).toMatchObject(after);
    await cluster.expectSameBytes(run, known);
  };
  const title = '%s, of which a worker is killed: the bytes that a laptop makes';
  test.each(cases)(title, endsInTheSameBytes);
  test.each(nightly)(title, { tags: 'nightly' }, endsInTheSameBytes);
});
