import { collectGarbage } from '@orchard/runs';
import { FilesystemStore, listAll, StorageError, type ObjectStore } from '@orchard/storage';
import { temporaryFolder, watchedStore } from '@orchard/storage/testing';
import express from 'express';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { AuditPage } from './audit/audit-documents.js';
import { fullToken, readToken, startHarness, type Harness } from './harness.suite.js';

/** What is asked of the store, and what it refuses to take. */
const asked: string[] = [];
let refused: RegExp | null = null;
const folder = temporaryFolder();
let store: ObjectStore;
let harness: Harness;
const boardWasAsked: string[] = [];

beforeAll(async () => {
  const files = await FilesystemStore.open(folder);
  store = watchedStore(files, (method, [name]) => {
    asked.push(`${method} ${String(name)}`);
    if (method === 'put' && refused?.test(String(name)) === true)
      throw new StorageError('full', { got: 'no room', expected: 'some', remedy: 'Free some.' });
  });
  const board = express();
  board.use((request, response) => {
    boardWasAsked.push(`${request.method} ${request.path}`);
    response.json({});
  });
  harness = await startHarness({}, { store, board });
});
afterAll(() => harness.stop());
afterEach(() => {
  refused = null;
});

const today = (): string => new Date().toISOString().slice(0, 10);
const page = async (query = ''): Promise<AuditPage> =>
  (await (await harness.ask(`/v1/audit${query}`)).json()) as AuditPage;
/** What was written down since, without what differs each time. */
async function recordsOf(work: () => Promise<unknown>): Promise<AuditPage['records']> {
  const { records: before } = await page('?limit=1000');
  await work();
  return (await page('?limit=1000')).records.slice(before.length);
}
const upload = (body: string): Promise<Response> => harness.send('/v1/datasets', body);
const idOf = async (response: Promise<Response>): Promise<string> =>
  ((await (await response).json()) as { id: string }).id;
const submit = (data: string): Promise<Response> =>
  harness.post(
    '/v1/runs',
    { train: data, valid: data, preset: 'paper' },
    { 'X-Request-Id': 'the-request-of-the-test' },
  );

test('whatever changes something leaves one record: when, who, what, and what came of it', async () => {
  const [uploaded] = await recordsOf(() => upload('0,1\n1,1\n'));
  const data = uploaded!.what['dataset'] as string;
  expect(data).toMatch(/^[0-9a-f]{64}$/);
  const [submitted] = await recordsOf(() => submit(data));
  const run = submitted!.what['run'] as string;
  expect(submitted).toEqual({
    id: expect.stringMatching(/^\d{9}-/) as string,
    at: expect.stringContaining(today()) as string,
    requestId: 'the-request-of-the-test',
    who: { name: 'tester', way: 'token', role: 'admin' },
    method: 'POST',
    route: 'POST /v1/runs',
    path: '/v1/runs',
    what: { run },
    outcome: { status: 202, code: null },
  });
  expect(harness.life.runs.has(run)).toBe(true);
  const table = ['a,b', ...Array.from({ length: 30 }, (_, row) => `${row % 3},x${row % 2}`)].join('\n');
  const csv = { 'Content-Type': 'text/csv' };
  const changes: [string, string, RequestInit, object, number][] = [
    ['POST', '/v1/datasets?valid-fraction=0.1', { body: table, headers: csv }, { datasets: expect.any(Array) }, 200],
    ['POST', `/v1/runs/${run}/cancel`, {}, { run }, 202],
    ['POST', `/v1/runs/${run}/resume`, {}, { run }, 202],
    [
      'POST',
      `/v1/runs/${run}/select`,
      { body: '{"selection":"common","refit":false}', headers: { 'Content-Type': 'application/json' } },
      { run },
      202,
    ],
    ['POST', `/v1/runs/${run}/repair`, {}, { run, dropped: [] }, 202],
    ['DELETE', `/v1/runs/${run}`, {}, { run }, 204],
    ['DELETE', '/v1/garbage', {}, { objectsOfRuns: 0, runs: [], uploads: [], datasets: [] }, 200],
  ];
  for (const [method, path, init, what, status] of changes) {
    const records = await recordsOf(() => harness.ask(path, { method, ...init }));
    expect(records).toMatchObject([{ method, path: path.split('?')[0], what, outcome: { status, code: null } }]);
  }
});

test('what fails and what is refused is written down too; what only looks is not', async () => {
  const id = 'e'.repeat(64);
  const asReader = { Authorization: `Bearer ${readToken}` };
  const records = await recordsOf(async () => {
    await harness.ask(`/v1/datasets/${id}`, { method: 'DELETE' });
    await upload('0,7\n');
    await harness.ask(`/v1/runs/${id}/cancel`, { method: 'POST', headers: asReader });
    await harness.ask('/v1/audit', { headers: asReader });
    await harness.ask('/v1/runs', { method: 'POST', headers: { 'Sec-Fetch-Site': 'cross-site' } });
    // and these are not
    await harness.ask('/v1/runs', { headers: asReader });
    await harness.ask('/v1/datasets?describe=true', { method: 'POST', body: 'a,b\n0,x\n1,y\n' });
    await harness.ask(`/v1/networks/${id}/score`, { method: 'POST', headers: asReader });
    await harness.ask(`/v1/runs/${id}/cancel`, { method: 'POST', headers: { Authorization: 'Bearer nobody' } });
  });
  expect(records.map(({ who, route, what, outcome }) => [who.name, route, what, outcome.status, outcome.code])).toEqual(
    [
      ['tester', 'DELETE /v1/datasets/{id}', { dataset: id }, 409, 'dataset-in-use'],
      ['tester', 'POST /v1/datasets', {}, 422, 'value'],
      ['reader', 'POST /v1/runs/{id}/cancel', { run: id }, 403, 'forbidden'],
      ['reader', 'GET /v1/audit', {}, 403, 'forbidden'],
      ['tester', 'POST /v1/runs', {}, 403, 'forbidden'],
    ],
  );
});

test('it is one more request to the store, of every change', async () => {
  const data = await idOf(upload('0,1\n1,0\n1,1\n'));
  asked.length = 0;
  expect((await submit(data)).status).toBe(202);
  // what is known of the splits, and the record; the rest of a submission is counted in
  // test/queue/requests.test.ts
  expect(asked.map((one) => one.replace(/[0-9a-f]{64}|\d{9}-.*$/g, '…'))).toEqual([
    'get datasets/….facts',
    'get datasets/….facts',
    `put audit/${today().replaceAll('-', '/')}/…`,
  ]);
});

test('nothing is said to be done whose record is not stored: the log has it, and asking again does no harm', async () => {
  const data = await idOf(upload('1,1\n1,0\n'));
  refused = /^audit\//;
  const response = await submit(data);
  expect([response.status, response.headers.get('retry-after')]).toEqual([503, '5']);
  expect(await response.json()).toMatchObject({
    code: 'unavailable',
    got: 'a store that has not taken the audit record of this request',
    remedy: expect.stringMatching(/^Free some space in the bucket.*then ask again/) as string,
  });
  expect(harness.log.join('')).toMatch(/"record":\{.*"requestId":"the-request-of-the-test".*audit record not stored/);
  // what is refused is refused all the same
  expect((await harness.ask('/v1/audit', { headers: { Authorization: `Bearer ${readToken}` } })).status).toBe(403);
  refused = null;
  expect((await submit(data)).status).toBe(202);
});

test('a button of the pages of the queues is written down before it does anything', async () => {
  const clean = (): Promise<Response> => harness.ask('/queues/api/queues/x/clean', { method: 'PUT' });
  const [record] = await recordsOf(clean);
  expect(record).toMatchObject({ route: null, path: '/queues/api/queues/x/clean', outcome: { status: null } });
  boardWasAsked.length = 0;
  refused = /^audit\//;
  expect((await clean()).status).toBe(503);
  expect(boardWasAsked).toEqual([]);
  await harness.ask('/queues');
  expect(boardWasAsked).toEqual(['GET /']);
});

test('records are listed by day, page after page, and what is damaged is named', async () => {
  const { records: all } = await page('?limit=1000');
  const ids: string[] = [];
  let after: string | null = null;
  do {
    const query: string = after === null ? '?limit=4' : `?limit=4&after=${after}`;
    const { records, next } = await page(query);
    ids.push(...records.map(({ id }) => id));
    after = next;
  } while (after !== null);
  expect(ids).toEqual(all.map(({ id }) => id));
  expect([...ids].sort()).toEqual(ids);
  expect(await page('?day=2001-02-03')).toEqual({ day: '2001-02-03', records: [], unreadable: [], next: null });
  const damaged = 'audit/2001/02/03/000000001-00000000-0000-0000-0000-000000000000';
  await store.put(damaged, Buffer.from('{"at":'));
  expect(await page('?day=2001-02-03')).toMatchObject({ records: [], unreadable: [damaged] });
  // one that the store itself calls damaged, or that a rule of the bucket took away since it was listed
  const get = store.get.bind(store);
  for (const code of ['damaged', 'missing', 'unavailable'] as const) {
    const parts = { got: 'other bytes', expected: 'what was written', remedy: 'Look at the disk.' };
    store.get = (name, range) => (name === damaged ? Promise.reject(new StorageError(code, parts)) : get(name, range));
    const { status } = await harness.ask('/v1/audit?day=2001-02-03');
    expect([code, status]).toEqual([code, code === 'unavailable' ? 503 : 200]);
  }
  store.get = get;
  for (const query of ['?day=yesterday', '?day=2026-02-30', '?after=../x', '?limit=0'])
    expect([query, (await harness.ask(`/v1/audit${query}`)).status]).toEqual([query, 400]);
});

test('garbage collection and the deletion of runs leave every record, byte for byte', async () => {
  const read = async (): Promise<string[]> => {
    const texts: string[] = [];
    for await (const { name } of listAll(store, 'audit/')) texts.push(name + String(await store.get(name)));
    return texts;
  };
  const before = await read();
  expect(before.length).toBeGreaterThan(10);
  const found = await collectGarbage(store, { remove: true, datasets: true, olderThanSeconds: 0 });
  expect(found.length).toBeGreaterThan(0);
  expect(await read()).toEqual(before);
});

test('no record and no line of the log holds a token', async () => {
  const text = `${JSON.stringify(await page('?limit=1000'))}${harness.log.join('')}`;
  expect(text).toContain('"caller":"tester"');
  for (const token of [fullToken, readToken]) expect(text).not.toContain(token);
});
