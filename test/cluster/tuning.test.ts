import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, test } from 'vitest';
import { lacks } from '../servers/needed.js';
import { Cluster } from './cluster.js';
import { specimen } from './specimens.js';

describe.skipIf(lacks('redis'))('a run that finds its own settings, on a cluster', () => {
  let cluster: Cluster;
  afterEach(() => cluster.stop());

  test('of which a worker is killed while it screens: the bytes that a laptop makes', async () => {
    const asked = await specimen('mushrooms', { leaves: 'auto', rounds: 30 });
    cluster = await Cluster.start({ store: 'folder' });
    const crew = await cluster.crew(2);
    const run = await cluster.submit(asked);
    await cluster.until(run, 'it screens', ({ stages }) => (stages['screen']?.done ?? 0) > 20);
    const victim = crew.shift()!;
    victim.kill('SIGKILL');
    await victim.ended;
    await sleep(100);
    await cluster.add('worker');
    const { stages } = await cluster.done(run);
    expect(stages).toMatchObject({ screen: { total: 4 * 32, done: 4 * 32 }, settle: { total: 2, done: 2 } });
    await cluster.expectSameBytes(run, asked);
  });
});
