import { afterEach, describe, expect, test } from 'vitest';
import { S3Proxy } from '../faults/s3-proxy.js';
import { lacks } from '../servers/needed.js';
import { Cluster } from './cluster.js';
import type { Program } from './programs.js';
import { forestOfTableSpecimen, forestSpecimen, marginalsOfTableSpecimen, marginalsSpecimen } from './specimens.js';

describe.skipIf(lacks('redis'))('families of one task on a cluster', () => {
  let cluster: Cluster;
  let proxy: S3Proxy | null = null;
  afterEach(async () => {
    await cluster.stop();
    await proxy?.stop();
    proxy = null;
  });

  test('makes the bytes that a laptop makes, with its own states and one task', async () => {
    const mushrooms = await marginalsSpecimen('mushrooms');
    cluster = await Cluster.start({ store: 'folder' });
    const run = await cluster.submit(mushrooms);
    expect(await cluster.runs.life.status(run)).toMatchObject({ family: 'marginals', state: 'counting' });
    await cluster.crew(1);
    const status = await cluster.done(run);
    expect(status.stages).toEqual({ count: { total: 1, waiting: 0, active: 0, done: 1, quarantined: 0 } });
    expect(status.networks).toEqual([{}]);
    await cluster.expectSameBytes(run, mushrooms);
  });

  test.skipIf(lacks('s3')).each([
    ['marginals', () => marginalsSpecimen('mushrooms')],
    ['chow-liu', () => forestSpecimen('mushrooms')],
    ['marginals of a table', marginalsOfTableSpecimen],
    ['chow-liu of a table', forestOfTableSpecimen],
  ] as const)(
    '%s, whose worker is killed with the task in hand, and again when it is stored: the same bytes',
    async (_, make) => {
      const specimen = await make();
      cluster = await Cluster.start({ s3Endpoint: async ({ url }) => (proxy = await S3Proxy.start(url)).url });
      const crew: Program[] = await cluster.crew(1);
      const killedAt: string[] = [];
      const replace = (moment: string): void => {
        killedAt.push(moment);
        crew.pop()!.kill('SIGKILL');
        void cluster.add('worker').then((next) => crew.push(next));
      };
      proxy!.fault = ({ method, name }) => {
        if (method === 'GET' && name.startsWith('datasets/') && !name.endsWith('.facts') && killedAt.length === 0) {
          replace('reading');
          return 'silent';
        }
        return method === 'PUT' && name.includes('/networks/') && killedAt.length === 1 && crew.length > 0
          ? 'lost'
          : null;
      };
      proxy!.onAnswer = ({ method, name }, status) => {
        if (method === 'PUT' && name.includes('/networks/') && status === 200 && killedAt.length === 1)
          replace('storing');
      };
      const run = await cluster.submit(specimen);
      await cluster.done(run);
      expect(killedAt).toEqual(['reading', 'storing']);
      await cluster.expectSameBytes(run, specimen);
    },
  );
});
