import { PAGE_SEAL_BYTES, type RunStatus } from '@orchard/contracts';
import { BitMatrix } from '@orchard/dataset';
import { families } from '@orchard/registry';
import { artefactNames, registerDataset, runLocally } from '@orchard/pipeline';
import { RunSheets } from '@orchard/runs';
import { readFile } from 'node:fs/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startHarness, type Harness } from './harness.suite.js';

let harness: Harness;
let id: string;
const wanted = 'model';

beforeEach(async () => {
  const presign = (name: string): Promise<string> => Promise.resolve(`http://127.0.0.1:1/${name}`);
  harness = await startHarness({}, { presign });
  const { store, life } = harness;
  const facts = await registerDataset(store, BitMatrix.fromRows(['011', '101', '110', '111', '010']));
  const family = families.named('marginals');
  const { specification, choice, runId } = family.resolve({}, { train: facts, valid: facts, test: null });
  const { run } = await runLocally({ store, family, specification, choice });
  await store.put(artefactNames.report(runId, wanted), Buffer.from(await family.report(store, run, choice)));
  await life.submit(specification, choice);
  const done: Partial<RunStatus> = { family: family.name, state: 'done', networks: [choice] };
  await life.change(runId, done);
  id = runId;
});
afterEach(() => harness.stop());

/** Replaces what is stored. */
async function change(name: string, edit: (bytes: Buffer) => Uint8Array): Promise<void> {
  const bytes = edit(Buffer.from(await harness.store.get(name)));
  await harness.store.delete(name);
  await harness.store.put(name, bytes);
}

const flipped = (at: number) => (bytes: Buffer) => {
  bytes[at < 0 ? bytes.length + at : at]! ^= 1;
  return bytes;
};

const requests = ['', '?redirect=1'];

async function expectDamaged(what: string, where: string): Promise<void> {
  for (const query of requests) {
    const response = await harness.ask(`/v1/runs/${id}/${what}${query}`);
    expect([what + query, response.status]).toEqual([what + query, 500]);
    expect(await response.json()).toMatchObject({
      code: 'damaged',
      where,
      remedy: expect.stringContaining(`POST /v1/runs/${id}/repair (orchard repair)`) as string,
    });
  }
}

test('what is whole is sent, or its address is', async () => {
  for (const what of ['network', 'model', 'summary', 'report']) {
    const statuses = requests.map(async (query) => (await harness.ask(`/v1/runs/${id}/${what}${query}`)).status);
    expect([what, ...(await Promise.all(statuses))]).toEqual([what, 200, 302]);
  }
});

test('what is whole is sent in parts, and not to who has it', async () => {
  const path = `/v1/runs/${id}/model`;
  const ask = (headers: Readonly<Record<string, string>>, method = 'GET') => harness.ask(path, { headers, method });
  const response = await ask({});
  const whole = Buffer.from(await response.arrayBuffer());
  const tag = response.headers.get('etag')!;
  expect(response.headers.get('accept-ranges')).toBe('bytes');

  const parts: Readonly<Record<string, [number, number]>> = {
    'bytes=0-9': [0, 10],
    'bytes=10-': [10, whole.length],
    'bytes=-7': [whole.length - 7, whole.length],
    [`bytes=5-${whole.length + 100}`]: [5, whole.length],
  };
  for (const [range, [start, end]] of Object.entries(parts)) {
    const part = await ask({ Range: range });
    expect([range, part.status]).toEqual([range, 206]);
    expect(part.headers.get('content-range')).toBe(`bytes ${start}-${end - 1}/${whole.length}`);
    expect(Buffer.from(await part.arrayBuffer())).toEqual(whole.subarray(start, end));
  }
  expect((await ask({ Range: 'bytes=0-9', 'If-Range': tag })).status).toBe(206);
  for (const headers of [
    { Range: 'bytes=0-9', 'If-Range': '"another"' },
    { Range: 'bytes=0-1,4-5' },
    { Range: 'lines=0-1' },
    { Range: 'bytes=x' },
  ]) {
    const all = await ask(headers);
    expect([headers, all.status, Buffer.from(await all.arrayBuffer()).equals(whole)]).toEqual([headers, 200, true]);
  }
  const beyond = await ask({ Range: `bytes=${whole.length}-` });
  expect([beyond.status, beyond.headers.get('content-range')]).toEqual([416, `bytes */${whole.length}`]);
  expect(await beyond.json()).toMatchObject({ code: 'no-such-range', got: `Range: bytes=${whole.length}-` });

  for (const method of ['GET', 'HEAD']) {
    const known = await ask({ 'If-None-Match': tag }, method);
    expect([known.status, await known.text(), known.headers.get('etag')]).toEqual([304, '', tag]);
  }
  const size = await ask({ Range: 'bytes=0-9' }, 'HEAD');
  expect([size.status, size.headers.get('content-length')]).toEqual([200, String(whole.length)]);
  await change(artefactNames.network(id, wanted), flipped(-1));
  expect((await ask({ 'If-None-Match': tag })).status).toBe(500);
});

test('a file is read through once by all who ask for parts of it, and by none who has it or asks for its size', async () => {
  const name = artefactNames.network(id, wanted);
  const { size } = (await harness.store.head(name))!;
  let bytes = 0;
  const { store } = harness;
  const get = store.get.bind(store);
  store.get = async (asked, range) => {
    const got = await get(asked, range);
    if (asked === name) bytes += got.length;
    return got;
  };
  const read = async (headers: Readonly<Record<string, string>>, method = 'GET'): Promise<[number, number]> => {
    bytes = 0;
    const response = await harness.ask(`/v1/runs/${id}/model`, { headers, method });
    await response.arrayBuffer();
    return [response.status, bytes];
  };
  expect(await read({}, 'HEAD')).toEqual([200, 0]);
  expect(await read({ Range: 'bytes=0-9' })).toEqual([206, size + 10]);
  expect(await read({ Range: 'bytes=10-19' })).toEqual([206, 10]);
  expect(await read({})).toEqual([200, size]);
  const tag = (await harness.ask(`/v1/runs/${id}/model`, { method: 'HEAD' })).headers.get('etag')!;
  expect(await read({ 'If-None-Match': tag })).toEqual([304, 0]);
  // what is stored anew is read through anew
  await change(name, flipped(-1));
  expect((await read({ Range: 'bytes=0-9' }))[0]).toBe(500);
});

test.each([40, 100, -40, -1])(
  'a network with a flipped byte (%d) is not sent, and its address is not told',
  async (at) => {
    const name = artefactNames.network(id, wanted);
    await change(name, flipped(at));
    await expectDamaged('network', name);
  },
);

test('a network of which the end is lost is not sent', async () => {
  const name = artefactNames.network(id, wanted);
  await change(name, (bytes) => bytes.subarray(0, 20));
  await expectDamaged('network', name);
});

test.each([
  ['its first byte', (text: string) => `|${text.slice(1)}`],
  [
    'a digit of its run',
    (text: string) => text.replace(/("runId":")(.)/, (_all, key, digit) => `${key}${digit === '0' ? '1' : '0'}`),
  ],
  [
    'a digit of its model',
    (text: string) =>
      text.replace(/("network":.*"sha256":")(.)/, (_all, key, digit) => `${key}${digit === '0' ? '1' : '0'}`),
  ],
  ['the name of a field', (text: string) => text.replace('runId', 'runIe')],
])('a summary with %s changed is not sent, and the network still is', async (_what, edit) => {
  const name = artefactNames.summary(id, wanted);
  const before = Buffer.from(await harness.store.get(name)).toString();
  expect(edit(before)).not.toBe(before);
  await change(name, (bytes) => Buffer.from(edit(bytes.toString())));
  await expectDamaged('summary', name);
  expect((await harness.ask(`/v1/runs/${id}/network`)).status).toBe(200);
});

test('a network of version 1, which has no checksum, is held against its summary', async () => {
  const [model, summary] = [artefactNames.network(id, wanted), artefactNames.summary(id, wanted)];
  const old = await readFile(new URL('../../../libs/core/model/src/file/network-v1.msgpack', import.meta.url));
  const { createHash } = await import('node:crypto');
  const sha256 = createHash('sha256').update(old).digest('hex');
  await change(model, () => old);
  await change(summary, (bytes) =>
    Buffer.from(bytes.toString().replace(/("network":.*"sha256":")[0-9a-f]{64}/, `$1${sha256}`)),
  );
  expect((await harness.ask(`/v1/runs/${id}/network`)).status).toBe(200);
  expect((await harness.ask(`/v1/runs/${id}/summary`)).status).toBe(200);
  await change(model, flipped(300));
  await expectDamaged('network', model);
});

test.each([0, 3000, -100, -30, -1])(
  'a report with a flipped byte (%d) is not sent, nor its address told',
  async (at) => {
    const name = artefactNames.report(id, wanted);
    await change(name, flipped(at));
    await expectDamaged('report', name);
    expect((await harness.ask(`/v1/runs/${id}/network`)).status).toBe(200);
  },
);

test('a report that an earlier release wrote, without a checksum, is sent', async () => {
  const bytesOf = async (): Promise<Buffer> =>
    Buffer.from(await (await harness.ask(`/v1/runs/${id}/report`)).arrayBuffer());
  const sealed = await bytesOf();
  const unsealed = sealed.subarray(0, -PAGE_SEAL_BYTES);
  await change(artefactNames.report(id, wanted), () => unsealed);
  expect((await bytesOf()).toString()).toBe(unsealed.toString());
});

test('a report of a run that has a name is sent with it, and not by the address of one without', async () => {
  const sheet = {
    submitter: { name: 'ann', way: 'token' },
    name: 'May & June.csv',
    labels: {},
    priority: 'normal',
  } as const;
  await new RunSheets(harness.store).write(id, sheet);
  for (const query of requests) {
    const response = await harness.ask(`/v1/runs/${id}/report${query}`);
    expect([query, response.status]).toEqual([query, 200]);
    expect(await response.text()).toContain('<title>May &amp; June.csv · Orchard</title>');
  }
  expect((await harness.ask(`/v1/runs/${id}/network?redirect=1`)).status).toBe(302);
});
