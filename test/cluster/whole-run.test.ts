import { describe, expect, test } from 'vitest';
import { lacks } from '../servers/needed.js';
import { clusterOfTest } from './cluster.js';
import { specimen } from './specimens.js';

describe.skipIf(lacks('redis'))('a cluster', () => {
  test('on a folder and one worker makes the bytes that a laptop makes', async () => {
    const mushrooms = await specimen('mushrooms', { preset: 'paper', leaves: 8, rounds: 30 });
    const cluster = await clusterOfTest({ store: 'folder' });
    await cluster.crew(1);
    const run = await cluster.submit(mushrooms);
    const status = await cluster.done(run);
    expect(status.stages.train).toEqual({ total: 112, waiting: 0, active: 0, done: 112, quarantined: 0 });
    expect(status.networks).toEqual([mushrooms.choice]);
    await cluster.expectSameBytes(run, mushrooms);
  });

  test.skipIf(lacks('s3'))('on S3 and three workers makes the same bytes', async () => {
    const caps = await specimen('caps', { preset: 'paper', leaves: 8, rounds: 30 });
    const cluster = await clusterOfTest();
    await cluster.crew(3);
    const run = await cluster.submit(caps);
    await cluster.done(run);
    await cluster.expectSameBytes(run, caps);
  });
});
