import { execFile } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { artefactNames } from '@orchard/pipeline';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Cluster } from '../cluster/cluster.js';
import { specimen } from '../cluster/specimens.js';
import { lacks } from '../servers/needed.js';
import { Host, namespacesAllowed, Network } from './network.js';

// minutes, most of them waiting: `npm run faults` asks for them, `npm test` does not
const isAsked = process.env['ORCHARD_FAULT_MINUTES'] !== undefined;
if (!isAsked) {
  console.warn('Hosts of their own are tried by npm run faults alone.');
} else if (!namespacesAllowed) {
  console.warn(
    'Hosts of their own are not tried: network namespaces need root and iproute2 (apt-get install iproute2).',
  );
}

/** Seconds after a cable is back in which something more has to be done. */
const RESUMES_WITHIN = 30;
const secret = 'a-secret-of-this-test-alone';

describe.skipIf(!isAsked || lacks('redis', 's3') || !namespacesAllowed)('hosts joined by networks', () => {
  /** One for each server, so that a host can be cut off one of them. */
  let networks: { readonly store: Network; readonly redis: Network };
  let hosts: Host[];
  let cluster: Cluster;
  /** Sees what hosts send to the store. */
  let onRequest: (head: string) => void;

  beforeEach(async () => {
    onRequest = () => undefined;
    hosts = [];
    networks = { store: new Network(), redis: new Network() };
    const watch = (bytes: Buffer): void => onRequest(bytes.toString('latin1', 0, 300));
    cluster = await Cluster.start({
      s3Endpoint: async ({ url }) => `http://${await networks.store.serve(Number(new URL(url).port), watch)}`,
    });
    cluster.environment.ORCHARD_REDIS_URL = `redis://${await networks.redis.serve(Number(new URL(cluster.redis.url).port))}`;
  });
  afterEach(async () => {
    await cluster.stop();
    for (const host of hosts) host.close();
    await Promise.all([networks.store.close(), networks.redis.close()]);
  });

  /** A host on both networks. */
  function addHost(): { host: Host; address: string } {
    const host = new Host();
    hosts.push(host);
    networks.store.join(host);
    return { host, address: networks.redis.join(host) };
  }

  async function add(kind: 'worker' | 'selector'): Promise<Host> {
    const { host } = addHost();
    await cluster.add(kind, {}, host.name);
    return host;
  }

  async function addCoordinator(environment: Record<string, string> = {}): Promise<{ host: Host; url: string }> {
    const { host, address } = addHost();
    const own = { ORCHARD_HOST: address, ORCHARD_PORT: '0', ORCHARD_TOKENS: `test:full:${secret}`, ...environment };
    const { log } = await cluster.add('coordinator', own, host.name);
    return { host, url: String(log.find(({ msg }) => msg === 'listening')!.url) };
  }

  /** Pulls cables for some seconds from the moment that a request to the store is seen. @returns when they are back */
  function cutAt(host: Host, request: RegExp, cables: readonly Network[], seconds: number): Promise<number> {
    return new Promise((healed) => {
      onRequest = (head) => {
        if (!request.test(head)) return;
        onRequest = () => undefined;
        for (const network of cables) network.pull(host);
        setTimeout(() => {
          for (const network of cables) network.plugIn(host);
          healed(Date.now());
        }, seconds * 1000);
      };
    });
  }

  /** Waits until the run has got further than it was, as soon as it has to. */
  async function goesOn(run: string): Promise<void> {
    const before = JSON.stringify((await cluster.runs.life.status(run)).stages);
    await cluster.until(
      run,
      'something more is done',
      ({ state, stages }) => state === 'done' || JSON.stringify(stages) !== before,
      RESUMES_WITHIN,
    );
  }

  test.each([
    ['the worker, in the middle of a put', 'worker', /^PUT \S*\/conditionals\//],
    ['the worker, while it reads the rows', 'worker', /^GET \S*\/datasets\//],
    ['the selector, in the middle of the put of the network', 'selector', /^PUT \S*\/network/],
  ] as const)('%s, is cut off both servers for 15 s: the run goes on, to the same bytes', async (_, who, request) => {
    const mushrooms = await specimen('mushrooms', { preset: 'paper', leaves: 8, rounds: 5 });
    cluster.runs.reconciler.start();
    const [selector, worker] = await Promise.all([add('selector'), add('worker')]);
    const over = cutAt({ selector, worker }[who], request, [networks.store, networks.redis], 15);
    const run = await cluster.submit(mushrooms);
    await over;
    await goesOn(run);
    await cluster.done(run);
    await cluster.expectSameBytes(run, mushrooms);
  });

  test('one of two workers is cut off in the middle of its work: the other does it', async () => {
    const dna = await specimen('dna', { preset: 'paper', leaves: 16, rounds: 100, refit: false });
    cluster.runs.reconciler.start();
    const [, lost] = await Promise.all([add('selector'), add('worker'), add('worker')]);
    const run = await cluster.submit(dna);
    await cluster.until(run, 'it trains', ({ stages }) => (stages.train?.done ?? 0) > 3);
    networks.redis.pull(lost);
    networks.store.pull(lost);
    await goesOn(run);
    await cluster.done(run);
    await cluster.expectSameBytes(run, dna);
  });

  test('the coordinator is cut off the store for 40 s: the run goes on within 30 s', async () => {
    const dna = await specimen('dna', { preset: 'paper', leaves: 16, rounds: 100, refit: false });
    const { host, url } = await addCoordinator();
    await Promise.all([cluster.add('selector'), cluster.add('worker')]);
    const run = await cluster.submit(dna);
    await cluster.until(run, 'it trains', ({ stages }) => (stages.train?.done ?? 0) > 3);
    networks.store.pull(host);
    const waits = async (): Promise<unknown> => {
      const headers = { Authorization: `Bearer ${secret}` };
      const response = await fetch(`${url}/v1/runs/${run}`, { headers, signal: AbortSignal.timeout(30_000) });
      return ((await response.json()) as { waits?: unknown }).waits;
    };
    await expect.poll(waits, { interval: 500 }).toMatchObject([{ code: 'store-away' }]);
    await sleep(30_000);
    networks.store.plugIn(host);
    await goesOn(run);
    await cluster.done(run);
    await cluster.expectSameBytes(run, dna);
    await expect.poll(waits).toEqual([]);
  });

  test('a client is cut off in the middle of an upload: its place is free again, and half of it is not stored', async () => {
    const { url } = await addCoordinator({ ORCHARD_MAX_UPLOADS: '1', ORCHARD_MAX_SILENCE_SECONDS: '2' });
    const { host: client } = addHost();
    const headers = { Authorization: `Bearer ${secret}`, 'Content-Type': 'text/csv' };
    const upload = async (): Promise<number> =>
      (await fetch(`${url}/v1/datasets`, { method: 'POST', headers, body: '0,1\n1,0\n' })).status;
    const stuck = uploadWithoutEnd(client, url);
    await expect.poll(upload, { interval: 500 }).toBe(429);
    networks.redis.pull(client);
    await expect.poll(upload, { interval: 500 }).toBeLessThan(300);
    networks.redis.plugIn(client);
    expect(await stuck).toMatch(/^(408|ECONNRESET|EPIPE)$/);
    // the rows of the other, and what is known of them
    expect(await cluster.names(artefactNames.datasets)).toHaveLength(2);
  });
});

const endlessUpload = `
  const [url, secret] = process.argv.slice(1);
  const headers = { authorization: 'Bearer ' + secret, 'content-type': 'text/csv' };
  const end = (how) => (console.log(how), process.exit());
  const begin = () => {
    const request = require('http').request(url + '/v1/datasets', { method: 'POST', headers }, ({ statusCode }) => {
      clearInterval(writing);
      // the place was taken by another just then
      if (statusCode === 429) begin();
      else end(statusCode);
    });
    request.on('error', ({ code }) => end(code));
    const writing = setInterval(() => request.write('1,1\\n'.repeat(1000)), 100);
  };
  begin();`;

/**
 * A client on a host of its own that sends rows for as long as it is let.
 *
 * @returns how that ended: a status, or the connection's error
 */
async function uploadWithoutEnd(host: Host, url: string): Promise<string> {
  const command = ['netns', 'exec', host.name, process.execPath, '-e', endlessUpload, url, secret];
  return (await promisify(execFile)('ip', command, { timeout: 120_000 })).stdout.trim();
}
