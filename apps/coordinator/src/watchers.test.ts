import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { artefactNames } from '@orchard/pipeline';
import { afterEach, describe, expect, onTestFinished, test } from 'vitest';
import { fullToken, readToken, startHarness, StillLife, type Harness } from './harness.suite.js';
import type { Ports } from './ports.js';

let harness: Harness;
const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await harness.stop();
});

const id = 'a'.repeat(64);
const choice = { selection: 'individual', refit: false } as const;

/** A run whose status is another whenever it is asked for, and long. */
class RestlessLife extends StillLife {
  asked = 0;
  following = 0;
  override async *events(run: string, signal?: AbortSignal): ReturnType<StillLife['events']> {
    this.following += 1;
    try {
      const status = await this.status(run);
      while (signal?.aborted !== true) {
        await new Promise((resolve) => setTimeout(resolve, 2));
        yield { ...status, notices: [`number ${++this.asked}`, 'x'.repeat(200_000)] };
      }
    } finally {
      this.following -= 1;
    }
  }
}

async function restless(environment: Record<string, string> = {}): Promise<RestlessLife> {
  const life = new RestlessLife();
  harness = await startHarness(environment, { life } as Partial<Ports>);
  const data = { id, rows: 1, dimensions: 1, names: null, shape: null };
  await harness.store.put(artefactNames.datasetFacts(id), Buffer.from(JSON.stringify(data)));
  const specification = { train: id, valid: id, test: null } as never;
  life.runs.set(id, {
    ...{
      id,
      family: 'lbarn',
      state: 'training',
      submittedAt: '2026-01-01T00:00:00.000Z',
      choice,
      reason: null,
      specification,
    },
    ...{ choices: [choice], networks: [choice], treesPerSecond: 0, secondsLeft: null, logLikelihood: null },
    ...{ stages: { train: null, select: null, refit: null, assemble: null }, selections: null, quarantined: [] },
    notices: [],
  } as never);
  return life;
}

/** A watcher that reads when it is told to. */
function watch(token = fullToken): { socket: Socket; text: () => string } {
  let text = '';
  const socket = connect(Number(new URL(harness.url).port), '127.0.0.1');
  socket.on('data', (data) => (text += String(data)));
  socket.on('error', () => undefined);
  socket.write(`GET /v1/runs/${id}/events HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\n\r\n`);
  sockets.push(socket);
  return { socket, text: () => text };
}

const numbersOf = (text: string): number[] => [...text.matchAll(/"number (\d+)"/g)].map(([, number]) => Number(number));
const seconds = (count: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, count * 1000));
/** The names of Node's warnings from now on. */
function warningsSoFar(): () => string[] {
  const names: string[] = [];
  const onWarning = ({ name }: Error): number => names.push(name);
  process.on('warning', onWarning);
  onTestFinished(() => {
    process.off('warning', onWarning);
  });
  return () => names;
}
async function until(condition: () => boolean): Promise<void> {
  for (let tries = 0; !condition(); tries++) {
    expect(tries, 'nothing happened for 30 s').toBeLessThan(600);
    await seconds(0.05);
  }
}

describe('watchers of a run', () => {
  test('who read nothing cost nothing: no status is computed for them, and none is kept', async () => {
    const life = await restless();
    const warnings = warningsSoFar();
    const deaf = Array.from({ length: 20 }, () => watch());
    await until(() => deaf.every(({ text }) => text().includes('number')));
    for (const { socket } of deaf) socket.pause();
    // until the buffers of their connections are full
    let before = -1;
    for (let tries = 0; life.asked !== before; tries++) {
      expect(tries, 'statuses go on for ever').toBeLessThan(20);
      before = life.asked;
      await seconds(1);
    }
    // one source for all of them, until the last has left
    expect(life.following).toBe(1);
    for (const { socket } of deaf) socket.destroy();
    await until(() => life.following === 0);
    expect(warnings()).toEqual([]);
  });

  test('who read slowly get the newest state, not those between', async () => {
    const life = await restless();
    const [fast, slow] = [watch(), watch()];
    await until(() => slow.text().includes('number'));
    slow.socket.pause();
    await until(() => numbersOf(fast.text()).length > 150);
    slow.socket.resume();
    const reached = life.asked;
    await until(() => numbersOf(slow.text()).some((number) => number > reached));
    const numbers = numbersOf(slow.text());
    const gaps = numbers.map((number, at) => number - (numbers[at - 1] ?? number - 1));
    expect(Math.max(...gaps)).toBeGreaterThan(20);
    expect(numbers).toEqual([...numbers].sort((a, b) => a - b));
  });

  test('are so many of a token and so many in all, and a place is free when one leaves', async () => {
    await restless({ ORCHARD_MAX_STREAMS_PER_TOKEN: '2', ORCHARD_MAX_STREAMS: '3' });
    const [first] = [watch(), watch(), watch(readToken)];
    await until(() => sockets.every((socket) => socket.bytesRead > 1000));
    const refused = await harness.ask(`/v1/runs/${id}/events`);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '10']);
    expect(await refused.json()).toMatchObject({ expected: 'at most 2' });
    const full = await harness.ask(`/v1/runs/${id}/events`, { headers: { Authorization: `Bearer ${readToken}` } });
    expect([full.status, await full.json()]).toEqual([503, expect.objectContaining({ expected: 'at most 3 at once' })]);
    first!.socket.destroy();
    await seconds(0.2);
    const again = watch();
    await until(() => again.text().includes('HTTP/1.1 200'));
    // a run that is not there takes no place
    for (let tries = 0; tries < 5; tries++) {
      expect((await harness.ask(`/v1/runs/${'b'.repeat(64)}/events`)).status).not.toBe(200);
    }
  });
});

test('a client that falls silent gives its place to another within seconds', async () => {
  harness = await startHarness({ ORCHARD_MAX_SILENCE_SECONDS: '1', ORCHARD_MAX_UPLOADS: '1' });
  const silent = connect(Number(new URL(harness.url).port), '127.0.0.1');
  sockets.push(silent);
  silent.write(
    `POST /v1/datasets HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${fullToken}\r\n` +
      'Content-Type: text/csv\r\nContent-Length: 1000\r\n\r\n0,1\n',
  );
  const answer = once(silent, 'data').then(([data]) => String(data));
  const upload = (): Promise<Response> => harness.send('/v1/datasets', '0,1\n1,1\n');
  await seconds(0.3);
  expect((await upload()).status).toBe(429);
  expect(await answer).toMatch(/^HTTP\/1\.1 408 /);
  expect((await upload()).status).toBe(201);
  const json = connect(Number(new URL(harness.url).port), '127.0.0.1');
  sockets.push(json);
  json.write(
    `POST /v1/runs HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${fullToken}\r\n` +
      'Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n{',
  );
  expect(String((await once(json, 'data'))[0])).toMatch(/^HTTP\/1\.1 408 /);
});

test('a slow download leaves no listeners, and arrives whole', async () => {
  const life = await restless();
  life.runs.set(id, { ...(await life.status(id)), state: 'done' });
  const size = 60 << 20;
  const file = Buffer.alloc(size, 7);
  // it ends in the hash of what stands before, as model files do
  createHash('sha256')
    .update(file.subarray(0, size - 32))
    .digest()
    .copy(file, size - 32);
  await harness.store.put(artefactNames.network(id, 'individual'), file);
  const warnings = warningsSoFar();
  const reading = await harness.ask(`/v1/runs/${id}/network`);
  let received = 0;
  for await (const chunk of reading.body as unknown as AsyncIterable<Uint8Array>) {
    received += chunk.length;
    if (received % 7 === 0) await seconds(0.01);
  }
  expect(received).toBe(size);
  expect(warnings()).toEqual([]);
});

test('health is asked of Redis and the store once in some seconds, however many ask', async () => {
  let listings = 0;
  const checks = [{ name: 'store', check: () => Promise.resolve((listings += 1)) }];
  harness = await startHarness({}, { checks });
  const begun = performance.now();
  const answers = await Promise.all(Array.from({ length: 100 }, () => fetch(`${harness.url}/health/ready`)));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  // a busy machine may take longer than an answer is good for
  expect(listings).toBeLessThanOrEqual(1 + Math.floor((performance.now() - begun) / 5_000));
});
