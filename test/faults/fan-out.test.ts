import { BitMatrix } from '@orchard/dataset';
import { lbarnNames, resolveRun } from '@orchard/lbarn';
import { randomBits } from '@orchard/numerics';
import { registerDataset } from '@orchard/pipeline';
import { describe, expect, test } from 'vitest';
import { clusterOfTest, type Cluster } from '../cluster/cluster.js';
import { lacks } from '../servers/needed.js';

/** 10,000 with ORCHARD_FAN_OUT=10000: minutes on two cores. */
const dimensions = Number(process.env.ORCHARD_FAN_OUT ?? 1_000);

function noise(rows: number, columns: number, seed: number): BitMatrix {
  const matrix = BitMatrix.create(rows, columns);
  for (let row = 0; row < rows; row++) {
    for (let dim = 0; dim < columns; dim++) matrix.set(row, dim, randomBits(seed, 77, row, dim) % 3 === 0 ? 1 : 0);
  }
  return matrix;
}

async function usedMemory(cluster: Cluster): Promise<number> {
  return Number(/used_memory:(\d+)/.exec(String(await cluster.command('INFO', 'memory')))![1]);
}

describe.skipIf(lacks('redis'))('a wide run', () => {
  test(
    `of ${dimensions} dimensions goes through the queue, whose memory stays bounded, and starves no small one`,
    { tags: 'nightly' },
    async () => {
      const cluster = await clusterOfTest({ store: 'folder' });
      const submit = async (columns: number): Promise<string> => {
        const [train, valid] = await Promise.all(
          [1, 2].map((seed) => registerDataset(cluster.store, noise(24, columns, seed))),
        );
        const words = { preset: 'paper', leaves: 2, rounds: 1, refit: false } as const;
        const { specification, choice } = resolveRun(words, { train: train!, valid: valid!, test: null });
        return (await cluster.runs.life.submit(specification, choice)).id;
      };
      await cluster.crew(2);
      const before = await usedMemory(cluster);
      const begun = performance.now();
      const wide = await submit(dimensions);
      await cluster.until(wide, 'it trains', ({ stages }) => (stages.train?.done ?? 0) > dimensions / 20);
      let mostMemory = 0;
      let mostJobs = 0;
      const watch = setInterval(() => {
        void Promise.all([usedMemory(cluster), cluster.queues.counts()]).then(([memory, { worker }]) => {
          mostMemory = Math.max(mostMemory, memory - before);
          mostJobs = Math.max(mostJobs, worker.waiting + worker.active + worker.delayed);
        });
      }, 100);
      const smallBegun = performance.now();
      const small = await submit(16);
      // its tasks wait in the same queue; what the selector does then may take longer than all of the wide one
      await cluster.until(small, 'the small run is trained', ({ stages }) => stages.train?.done === 16);
      const smallSeconds = (performance.now() - smallBegun) / 1000;
      const meanwhile = (await cluster.runs.life.status(wide)).stages.train!.done;
      await cluster.until(wide, 'all is trained', ({ stages }) => stages.train!.done === dimensions, 600);
      const seconds = (performance.now() - begun) / 1000;
      clearInterval(watch);
      expect(await cluster.names(lbarnNames.conditionals(wide))).toHaveLength(dimensions);
      const rate = dimensions / seconds;
      console.log(
        `fan-out: ${dimensions} dimensions in ${seconds.toFixed(1)} s, ${rate.toFixed(0)} jobs/s; at most ${mostJobs} jobs in Redis, ` +
          `${(mostMemory / 1024).toFixed(0)} KiB more than before; a run of 16 beside it was trained in ${smallSeconds.toFixed(1)} s ` +
          `(${meanwhile} of the wide one were done by then)`,
      );
      const assembling = performance.now();
      await cluster.until(small, 'the small run is done', ({ state }) => state === 'done');
      await cluster.until(wide, 'it is done', ({ state }) => state === 'done', 600);
      console.log(
        `fan-out: selected, assembled and reported in ${((performance.now() - assembling) / 1000).toFixed(1)} s`,
      );
      expect(mostJobs).toBeLessThanOrEqual(2 * 64);
      expect(mostMemory).toBeLessThan(8 * 2 ** 20);
      expect(meanwhile).toBeLessThan(dimensions);
    },
  );
});
