import { temporaryFolder } from '@orchard/storage/testing';
import { S3Store } from '@orchard/storage/s3';
import { createHmac } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startCluster, type Cluster } from '../../infra/cluster/index.mjs';
import { lacks } from '../servers/needed.js';
import { asking } from './asking.js';
import { orchard } from './command-line.js';

const secret = 'of-the-team-test-0123456789';
const rows = Array.from({ length: 60 }, (_, row) => `${row % 2},${row % 3 === 0 ? 1 : 0},${row % 5 === 0 ? 1 : 0}`);

describe.skipIf(lacks('redis', 's3'))('a cluster of a team, with a retention and a webhook', () => {
  const folder = temporaryFolder();
  const file = join(folder, 'rows.csv');
  let cluster: Cluster;
  let receiver: Server;
  let address: string;
  const received: { headers: IncomingHttpHeaders; body: string }[] = [];
  const { ask, json } = asking(() => cluster);
  const environment = (): Record<string, string> => ({ ORCHARD_SERVER: cluster.url, ORCHARD_TOKEN: cluster.token });
  const submit = async (seed: number, ...more: string[]): Promise<string> => {
    const args = ['submit', file, '--leaves', '2', '--rounds', '4', '--seed', String(seed), '--json', ...more];
    return (JSON.parse(await orchard(args, environment())) as { id: string }).id;
  };
  const isThere = async (id: string): Promise<boolean> => (await ask(`/v1/runs/${id}`)).status === 200;

  beforeAll(async () => {
    writeFileSync(file, `a,b,c\n${rows.join('\n')}\n`);
    receiver = createServer((request, response) => {
      let body = '';
      request.setEncoding('utf8').on('data', (text: string) => (body += text));
      request.on('end', () => {
        received.push({ headers: request.headers, body });
        response.writeHead(204).end();
      });
    });
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
    address = `http://127.0.0.1:${String((receiver.address() as AddressInfo).port)}/team/`;
    cluster = await startCluster({
      workers: 1,
      threads: 1,
      environment: {
        ORCHARD_KEEP_RUNS_PER_PERSON: '1',
        ORCHARD_HOUSEKEEPING_HOURS: '1',
        ORCHARD_WEBHOOK_URLS: address,
        ORCHARD_WEBHOOK_SECRET: secret,
      },
    });
  });
  afterAll(async () => {
    await cluster?.stop();
    receiver?.close();
  });

  test('the end of a run is sent to the address of its submission, signed, and a command runs where it is watched', async () => {
    await expect(submit(1, '--notify', 'http://127.0.0.1:1/team/')).rejects.toThrow('does not send to');
    const pinned = await submit(1, '--notify', `${address}a`);
    const said = join(folder, 'said');
    await orchard(
      ['watch', pinned, '--exec', `printf %s "$ORCHARD_RUN_NAME $ORCHARD_RUN_STATE" > ${said}`],
      environment(),
    );
    expect(readFileSync(said, 'utf8')).toBe('rows.csv done');
    await expect.poll(() => received.length).toBe(1);
    const [{ headers, body }] = received as [(typeof received)[0]];
    expect(JSON.parse(body)).toMatchObject({ event: 'run-ended', run: pinned, name: 'rows.csv', state: 'done' });
    const [, at] = /^t=(\d+),v1=/.exec(String(headers['orchard-signature']))!;
    const hash = createHmac('sha256', secret).update(`${at!}.${body}`).digest('hex');
    expect(headers['orchard-signature']).toBe(`t=${at!},v1=${hash}`);
    await expect
      .poll(async () => (await json(ask(`/v1/runs/${pinned}/notifications`)))['deliveries'])
      .toMatchObject([{ state: 'delivered', attempts: [{ status: 204 }] }]);
    expect(await orchard(['logs', pinned], environment())).toContain('was notified');
    await orchard(['pin', pinned], environment());
  });

  test('of the runs of a person the last and the pinned are kept, the others are deleted and written down', async () => {
    const [pinned] = (await json<{ runs: { id: string }[] }>(ask('/v1/runs'))).runs.map(({ id }) => id);
    const [older, newest] = [await submit(2, '--watch'), await submit(3, '--watch')];
    type Costs = { runs: { id: string; cost: { threadSeconds: number; isWhole: boolean; storedBytes: number } }[] };
    const costIn = ({ runs }: Costs): readonly boolean[] => {
      const { cost } = runs.find(({ id }) => id === newest)!;
      return [cost.isWhole, cost.threadSeconds > 0, cost.storedBytes > 0];
    };
    const costOfNewest = async () => costIn(await json<Costs>(ask('/v1/runs?cost=true')));
    // bytes are counted once in a minute
    await expect.poll(costOfNewest, { interval: 1000 }).toEqual([true, true, true]);
    expect(costIn(JSON.parse(await orchard(['runs', '--cost', '--json'], environment())) as Costs)).not.toContain(
      false,
    );
    const shown = await orchard(['status', newest], environment());
    expect(shown).toContain('of threads so far');
    // it is the last of its person, and goes by age alone
    expect(shown).not.toContain('deleted at');
    const metrics = await (await ask('/metrics')).text();
    expect(metrics).toMatch(/orchard_person_thread_seconds_total\{person="[^"]+",way="token"\} [0-9.]+/);
    // the schedule was faster than the two runs: as if the next period had begun
    const { bucket, url: endpoint, region, accessKeyId, secretAccessKey } = cluster.s3;
    const store = await S3Store.open({ bucket, endpoint, region, credentials: { accessKeyId, secretAccessKey } });
    for (const { name } of await store.list('housekeeping/')) await store.delete(name);
    store.close();
    if (await isThere(older)) {
      const { expired } = JSON.parse(await orchard(['retention', '--json'], environment())) as { expired: unknown };
      expect(expired).toEqual([{ run: older, why: 'its submitter has 1 newer runs' }]);
    }
    await expect.poll(() => isThere(older), { interval: 1000 }).toBe(false);
    expect(await Promise.all([pinned!, newest].map(isThere))).toEqual([true, true]);
    const { records } = await json<{ records: { who: object; what: object }[] }>(ask('/v1/audit'));
    expect(records.filter(({ who }) => 'way' in who && who.way === 'schedule')).toMatchObject([
      { who: { name: 'retention' }, what: { run: older } },
    ]);
  });
});
