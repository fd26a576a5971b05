import type { RunSheet } from '@orchard/contracts';
import type { RunEnding } from '@orchard/runs';
import type { ObjectStore } from '@orchard/storage';
import { serverOfTest, temporaryStore } from '@orchard/storage/testing';
import type { IncomingHttpHeaders } from 'node:http';
import { pino } from 'pino';
import { beforeEach, expect, test } from 'vitest';
import { signatureOf } from './send-webhook.js';
import { isAllowed } from './webhook-settings.js';
import { Webhooks } from './webhooks.js';

const run = 'a'.repeat(64);
const secret = 's'.repeat(24);
const seconds = 1000;
const ending: RunEnding = {
  end: 2,
  family: 'tables',
  state: 'failed',
  reason: 'because',
  submittedAt: '2026-01-01T00:00:00.000Z',
  endedAt: '2026-01-01T01:00:00.000Z',
};

let store: ObjectStore;
let now: number;
let ended: RunEnding | 'open' | null;
let answers: number[];
let received: { headers: IncomingHttpHeaders; body: string }[];
let url: string;
beforeEach(async () => {
  store = temporaryStore();
  now = Date.now();
  ended = ending;
  answers = [];
  received = [];
  url = await serverOfTest((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => (body += text));
    request.on('end', () => {
      received.push({ headers: request.headers, body });
      response.writeHead(answers.shift() ?? 204, { Location: `${url}/elsewhere` }).end();
    });
  });
});

function webhooks(allowed = url): Webhooks {
  const sheet: RunSheet = {
    submitter: { name: 'ann', way: 'token' },
    name: 'rentals.csv',
    labels: { project: 'bikes' },
    priority: 'normal',
    notify: `${url}/hook?key=of-ann`,
  };
  const ports = {
    store,
    sheets: { of: () => Promise.resolve(sheet) },
    endOf: () => Promise.resolve(ended),
    log: pino({ level: 'silent' }),
  };
  return new Webhooks(ports, { allowed: [new URL(allowed)], secret });
}

const left = async (): Promise<number> => (await store.list('notify/')).length;

test('the end of a run is told once, signed, however many coordinators look', async () => {
  const coordinators = [webhooks(), webhooks(), webhooks()];
  await coordinators[0]!.expect(run);
  ended = 'open';
  await Promise.all(coordinators.map((one) => one.deliver(now)));
  expect(received).toEqual([]);
  ended = ending;
  await Promise.all(coordinators.map((one) => one.deliver(now)));
  expect(received).toHaveLength(1);
  const [{ headers, body }] = received as [(typeof received)[0]];
  const { end, ...facts } = ending;
  expect(JSON.parse(body)).toEqual({
    event: 'run-ended',
    run,
    name: 'rentals.csv',
    labels: { project: 'bikes' },
    submittedBy: 'ann',
    ...facts,
  });
  const signature = String(headers['orchard-signature']);
  const at = Number(/^t=(\d+),/.exec(signature)?.[1]);
  expect(signature).toBe(signatureOf(secret, body, at));
  expect(Math.abs(at * seconds - Date.now())).toBeLessThan(60 * seconds);
  expect(headers).toMatchObject({ 'orchard-delivery': `${run}/${String(end)}`, 'orchard-attempt': '1' });
  await coordinators[1]!.deliver(now);
  expect([received.length, await left()]).toEqual([1, 0]);
  expect(await coordinators[2]!.of(run)).toMatchObject([{ end: 2, state: 'delivered', dueAt: null }]);
});

test('what is not taken is tried again after longer and longer, listed, and given up after eight attempts', async () => {
  const hooks = webhooks();
  answers = [500, 302, 404, 500, 500, 500, 500, 500];
  await hooks.expect(run);
  const waits: number[] = [];
  for (let attempt = 0; attempt < 8; attempt++) {
    await hooks.deliver(now);
    const [delivery] = await hooks.of(run);
    if (delivery!.dueAt === null) break;
    await hooks.deliver(delivery!.dueAt - 1);
    waits.push(Math.round((delivery!.dueAt - Date.now()) / seconds));
    now = delivery!.dueAt;
  }
  expect(received).toHaveLength(8);
  expect(waits.every((wait, at) => at === 0 || wait > waits[at - 1]!)).toBe(true);
  const [delivery] = await hooks.of(run);
  expect(delivery!.state).toBe('given-up');
  expect(delivery!.attempts.slice(0, 2).map(({ outcome }) => outcome?.reason)).toEqual([
    'it answered 500',
    'it answered 302; redirects are not followed',
  ]);
  await hooks.deliver(now);
  expect([received.length, await left()]).toEqual([8, 0]);
});

test('a receiver that does not answer keeps those of other runs from nothing', async () => {
  const held: (() => void)[] = [];
  url = await serverOfTest((request, response) => {
    request.resume().on('end', () => {
      held.push(() => response.writeHead(204).end());
      // the first is answered when another has come
      if (held.length === 2) for (const answer of held) answer();
    });
  });
  const hooks = webhooks();
  await hooks.expect(run);
  await hooks.expect('b'.repeat(64));
  await hooks.deliver(now);
  expect(held).toHaveLength(2);
  expect((await hooks.of(run))[0]!.attempts.map(({ outcome }) => outcome?.status)).toEqual([204]);
});

test('an attempt that was lost with its coordinator is made again by another', async () => {
  await webhooks().expect(run);
  await store.put(`runs/${run}/webhooks/000002/0.began`, Buffer.from(JSON.stringify({ at: now, by: 'gone' })));
  await webhooks().deliver(now + 60 * seconds);
  expect(received).toEqual([]);
  await webhooks().deliver(now + 121 * seconds);
  expect(received).toHaveLength(1);
});

test('a run that is resumed ends again, and that is told too; of one that is deleted nothing is', async () => {
  const hooks = webhooks();
  await hooks.expect(run);
  await hooks.deliver(now);
  ended = { ...ending, end: 5, state: 'done', reason: null };
  await hooks.expect(run);
  await hooks.deliver(now);
  expect(received.map(({ headers }) => headers['orchard-delivery'])).toEqual([`${run}/2`, `${run}/5`]);
  expect((await hooks.of(run)).map(({ end }) => end)).toEqual([5, 2]);
  ended = null;
  await hooks.expect(run);
  await hooks.deliver(now);
  expect([received.length, await left()]).toEqual([2, 0]);
});

test('an address that is not allowed any more is not asked, and the attempt says so', async () => {
  const hooks = webhooks('https://hooks.example.com/');
  await hooks.expect(run);
  await hooks.deliver(now);
  expect(received).toEqual([]);
  expect((await hooks.of(run))[0]!.attempts[0]!.outcome?.reason).toContain('does not send there');
});

test.each([
  ['https://hooks.example.com/team/a', true],
  ['https://hooks.example.com/team', true],
  ['https://hooks.example.com:443/team/', true],
  ['https://hooks.example.com/teams', false],
  ['https://hooks.example.com/team/../admin', false],
  ['https://hooks.example.com/team/%2e%2e/admin', false],
  ['https://hooks.example.com/team/..%2fadmin', false],
  ['https://hooks.example.com/team/%5c..%5cadmin', false],
  ['http://hooks.example.com/team/a', false],
  ['https://hooks.example.com:8443/team/a', false],
  ['https://hooks.example.com.evil.example/team/a', false],
  ['https://hooks.example.com@evil.example/team/a', false],
  ['https://user:secret@hooks.example.com/team/a', false],
  ['http://169.254.169.254/latest/meta-data', false],
  ['file:///etc/passwd', false],
  ['not an address', false],
])('of addresses below https://hooks.example.com/team %s is one: %s', (address, expected) => {
  expect(isAllowed(address, [new URL('https://hooks.example.com/team')])).toBe(expected);
});
