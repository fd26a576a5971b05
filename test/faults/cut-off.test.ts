import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Cluster } from '../cluster/cluster.js';
import type { Program } from '../cluster/programs.js';
import { specimen } from '../cluster/specimens.js';
import { lacks } from '../servers/needed.js';
import { Relay } from '../servers/relay.js';

/** Seconds that the network is away: long enough for a wait that nobody ends, or for an answer that is in time. */
const CUTS = [{ cut: 12 }, { cut: 40, tags: 'nightly' }];
/** Seconds after it is back in which something more has to be done. */
const RESUMES_WITHIN = 30;
/**
 * Milliseconds: an answer is due after 5 s, and a busy machine takes its time. Without deadlines these took 32 to 69 s.
 */
const ANSWERED_WITHIN = 15_000;

interface Answer {
  readonly status: number;
  readonly body: { readonly code?: string; readonly waits?: readonly { code: string; message: string }[] };
  readonly milliseconds: number;
}

describe.skipIf(lacks('redis', 's3'))('a coordinator that is cut off', () => {
  let cluster: Cluster;
  let store: Relay;
  let redis: Relay;
  let coordinator: Program;
  let url: string;

  beforeEach(async () => {
    cluster = await Cluster.start();
    store = await Relay.start(Number(new URL(cluster.s3!.url).port));
    redis = await Relay.start(Number(new URL(cluster.redis.url).port));
    // it alone is cut off: what workers and selector have in hand they go on with
    coordinator = await cluster.add('coordinator', {
      ORCHARD_S3_ENDPOINT: `http://${store.address}`,
      ORCHARD_REDIS_URL: `redis://${redis.address}`,
      ORCHARD_PORT: '0',
    });
    url = String(coordinator.log.find(({ msg }) => msg === 'listening')!.url);
  });
  afterEach(async () => {
    await cluster.stop();
    await Promise.all([store.stop(), redis.stop()]);
  });

  async function ask(path: string, init: RequestInit = {}): Promise<Answer> {
    const begun = performance.now();
    const response = await fetch(url + path, { ...init, signal: AbortSignal.timeout(120_000) });
    const body = (await response.json()) as Answer['body'];
    return { status: response.status, body, milliseconds: performance.now() - begun };
  }

  const goesOn = async (cut: number): Promise<void> => {
    const dna = await specimen('dna', { preset: 'paper', leaves: 16, rounds: 100, refit: false });
    const run = await cluster.submit(dna);
    await Promise.all([cluster.add('selector'), cluster.add('worker')]);
    await cluster.until(run, 'it trains', ({ stages }) => (stages.train?.done ?? 0) > 3);
    await expect.poll(async () => (await ask(`/v1/runs/${run}`)).body).toMatchObject({ waits: [] });

    store.swallow();
    const back = performance.now() + cut * 1000;
    const words = { train: dna.specification.train, valid: dna.specification.valid };
    const submission = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(words) };
    const upload = { method: 'POST', headers: { 'Content-Type': 'text/csv' }, body: '0,1\n1,0\n' };
    const requests = [
      ['/v1/runs'],
      ['/v1/datasets'],
      [`/v1/datasets/${dna.specification.train}`],
      ['/v1/runs', submission],
      [`/v1/runs/${run}/cancel`, { method: 'POST' }],
      ['/v1/datasets', upload],
    ] as const;
    // at once, before it is known that the store is away, and afterwards
    for (let round = 0; round < 2; round++) {
      const answers = await Promise.all(requests.map(([path, init]) => ask(path, init)));
      for (const [index, { status, milliseconds }] of answers.entries()) {
        expect([requests[index], status]).toEqual([requests[index], 503]);
        expect(milliseconds, requests[index]![0]).toBeLessThan(ANSWERED_WITHIN);
      }
    }
    const { status, body } = await ask(`/v1/runs/${run}`);
    expect(status).toBe(200);
    expect(body.waits).toMatchObject([
      { code: 'store-away', message: expect.stringContaining('The coordinator cannot reach object storage') as string },
    ]);
    expect(await ask('/health/ready')).toMatchObject({ status: 503, body: { checks: { store: 'down', redis: 'up' } } });

    await sleep(back - performance.now());
    // what was in the queue is done by now, and no coordinator adds the next stage
    const before = await cluster.runs.life.status(run);
    expect(before.state).not.toBe('done');
    store.pass();
    await cluster.until(
      run,
      'something more is done',
      ({ state, stages }) => state === 'done' || JSON.stringify(stages) !== JSON.stringify(before.stages),
      RESUMES_WITHIN,
    );
    await cluster.done(run);
    await cluster.expectSameBytes(run, dna);
    expect((await ask(`/v1/runs/${run}`)).body.waits).toEqual([]);
  };

  for (const { cut, tags = [] } of CUTS)
    test(
      `off the store for ${String(cut)} s says so, refuses in time what it cannot do, and goes on when the store is back`,
      { tags },
      () => goesOn(cut),
    );

  test('off Redis says so, and answers in time', { tags: 'nightly' }, async () => {
    const dna = await specimen('dna', { preset: 'paper', leaves: 16, rounds: 100, refit: false });
    const run = await cluster.submit(dna);
    await Promise.all([cluster.add('selector'), cluster.add('worker')]);
    await cluster.until(run, 'it trains', ({ stages }) => (stages.train?.done ?? 0) > 3);
    redis.swallow();
    const { milliseconds } = await ask('/v1/cluster');
    expect(milliseconds).toBeLessThan(ANSWERED_WITHIN);
    const said = async (): Promise<unknown> => (await ask(`/v1/runs/${run}`)).body.waits;
    await expect
      .poll(said)
      .toMatchObject([
        { code: 'redis-away', message: expect.stringContaining('The coordinator cannot reach Redis') as string },
      ]);
    const before = (await cluster.runs.life.status(run)).stages.train!.done;
    redis.pass();
    await cluster.until(
      run,
      'something more is done',
      ({ state, stages }) => state === 'done' || stages.train!.done > before,
      RESUMES_WITHIN,
    );
    await cluster.done(run);
    await cluster.expectSameBytes(run, dna);
  });
});
