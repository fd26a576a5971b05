import { afterEach, describe, expect, test } from 'vitest';
import { lacks } from '../servers/needed.js';
import { Cluster } from './cluster.js';
import { cutsetSpecimen } from './specimens.js';

describe.skipIf(lacks('redis'))('cutset networks on a cluster', () => {
  let cluster: Cluster;
  afterEach(() => cluster.stop());

  test('a mixture, one of whose workers is killed on the way: the bytes that a laptop makes', async () => {
    const dna = await cutsetSpecimen('dna');
    cluster = await Cluster.start({ store: 'folder' });
    const learned: string[] = [];
    const crew = await cluster.crew(2);
    cluster.queues.onEvent((event) => {
      if (event.kind !== 'completed') return;
      learned.push(event.id);
      if (learned.length === 2) crew.shift()!.kill('SIGKILL');
    });
    const run = await cluster.submit(dna);
    await cluster.until(run, 'two components are there', () => learned.length >= 2);
    await cluster.add('worker');
    const status = await cluster.done(run);
    expect(crew).toHaveLength(1);
    expect(status.stages).toMatchObject({ component: { total: 12, done: 12 }, mix: { total: 1, done: 1 } });
    await cluster.expectSameBytes(run, dna);
  });
});
