import { afterEach, describe, expect, test } from 'vitest';
import { S3Proxy } from '../faults/s3-proxy.js';
import { lacks } from '../servers/needed.js';
import { Cluster } from './cluster.js';
import type { Program } from './programs.js';
import { mixedTableSpecimen, tableSpecimen } from './specimens.js';

describe.skipIf(lacks('redis') || lacks('s3'))('a table on a cluster', () => {
  let cluster: Cluster;
  let proxy: S3Proxy | null = null;
  afterEach(async () => {
    await cluster.stop();
    await proxy?.stop();
    proxy = null;
  });

  test.each([
    ['whose', tableSpecimen, 5],
    ['with three members, whose', mixedTableSpecimen, 15],
  ])('%s worker is killed as it stores a variable: the bytes that a laptop makes', async (_, made, tasks) => {
    const specimen = await made();
    cluster = await Cluster.start({ s3Endpoint: async ({ url }) => (proxy = await S3Proxy.start(url)).url });
    const crew: Program[] = await cluster.crew(1);
    let kills = 0;
    proxy!.fault = ({ method, name }) => {
      if (method !== 'PUT' || !name.includes('/variables/') || kills > 0) return null;
      kills++;
      crew.pop()!.kill('SIGKILL');
      void cluster.add('worker').then((next) => crew.push(next));
      return 'lost';
    };
    const run = await cluster.submit(specimen);
    const status = await cluster.done(run);
    expect([kills, status.family]).toEqual([1, 'tables']);
    expect(status.stages['train']).toMatchObject({ total: tasks, done: tasks, quarantined: 0 });
    await cluster.expectSameBytes(run, specimen);
  });
});
