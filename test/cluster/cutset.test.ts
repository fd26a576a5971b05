import { afterEach, describe, expect, test } from 'vitest';
import { lacks } from '../servers/needed.js';
import { Cluster } from './cluster.js';
import {
  boostedSpecimen,
  compositionalSpecimen,
  cutsetSpecimen,
  mixtureSpecimen,
  partitionSpecimen,
  sparnMixtureSpecimen,
  sparnSequenceSpecimen,
  sparnSpecimen,
} from './specimens.js';

describe.skipIf(lacks('redis'))('families of many tasks and one that ends them, on a cluster', () => {
  let cluster: Cluster;
  afterEach(() => cluster.stop());

  test.each([
    ['cutset', () => cutsetSpecimen('dna'), { component: { total: 12, done: 12 }, mix: { total: 1, done: 1 } }],
    ['sparn', () => sparnSpecimen('dna'), { path: { total: 180, done: 180 }, choose: { total: 1, done: 1 } }],
    [
      'sparn of two components',
      () => sparnMixtureSpecimen('dna'),
      { share: { total: 2, done: 2 }, part: { total: 180, done: 180 } },
    ],
    [
      'sparn of two intervals',
      () => sparnSequenceSpecimen('dna'),
      { share: { total: 4, done: 4 }, part: { total: 180, done: 180 } },
    ],
    ['mixture', () => mixtureSpecimen('dna'), { em: { total: 12, done: 12 }, choose: { total: 1, done: 1 } }],
    ['compositional', () => compositionalSpecimen('dna'), { em: { total: 8, done: 8 }, choose: { total: 1, done: 1 } }],
    ['boosted', () => boostedSpecimen('dna'), { round: { total: 8, done: 8 }, mix: { total: 1, done: 1 } }],
    ['partition', () => partitionSpecimen('dna'), { step: { total: 9, done: 9 }, choose: { total: 1, done: 1 } }],
  ] as const)(
    '%s, one of whose workers is killed on the way: the bytes that a laptop makes',
    async (_, make, stages) => {
      const dna = await make();
      cluster = await Cluster.start({ store: 'folder' });
      const learned: string[] = [];
      const crew = await cluster.crew(2);
      cluster.queues.onEvent((event) => {
        if (event.kind !== 'completed') return;
        learned.push(event.id);
        if (learned.length === 2) crew.shift()!.kill('SIGKILL');
      });
      const run = await cluster.submit(dna);
      await cluster.until(run, 'two tasks are done', () => learned.length >= 2);
      await cluster.add('worker');
      const status = await cluster.done(run);
      expect(crew).toHaveLength(1);
      expect(status.stages).toMatchObject(stages);
      await cluster.expectSameBytes(run, dna);
    },
  );
});
