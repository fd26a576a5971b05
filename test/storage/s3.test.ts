import { once } from 'node:events';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { connect, createServer, type AddressInfo } from 'node:net';
import { Sha256 } from '@aws-sdk/checksums/sha';
import { SignatureV4 } from '@smithy/signature-v4';
import { StorageError } from '@orchard/storage';
import { describeObjectStore } from '@orchard/storage/conformance';
import { S3Store, type S3Attempt, type S3Configuration } from '@orchard/storage/s3';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { startFaultProxy, type Fault, type FaultProxy } from '../servers/fault-proxy.js';
import { startS3, type S3Server } from '../servers/index.mjs';
import { lacks } from '../servers/needed.js';

let server: S3Server;
const stores: S3Store[] = [];
const smallestPart = 5 * 2 ** 20;

beforeAll(async () => {
  if (!lacks('s3')) server = await startS3();
});
afterAll(async () => {
  for (const store of stores) store.close();
  await server?.stop();
});

/** Each test has a prefix of its own, so that a server of the environment may hold other things. */
const run = `orchard-test-${process.pid}-${Date.now()}`;
let prefixes = 0;
function configuration(overrides: Partial<S3Configuration> = {}): S3Configuration {
  const { url: endpoint, bucket, region, accessKeyId, secretAccessKey } = server;
  const prefix = `${run}/${prefixes++}`;
  const access = { endpoint, region, credentials: { accessKeyId, secretAccessKey } };
  return { bucket, prefix, partSize: smallestPart, backoff: 10, ...access, ...overrides };
}
async function open(overrides: Partial<S3Configuration> = {}): Promise<S3Store> {
  const store = await S3Store.open(configuration(overrides));
  stores.push(store);
  return store;
}

describe.skipIf(lacks('s3'))('S3', () => {
  describeObjectStore('the S3 store', {
    largeObject: 2 * smallestPart + 12_345,
    open: async () => {
      const shared = configuration();
      return { store: await open(shared), another: await open(shared) };
    },
  });

  describe('the S3 store', () => {
    const bytes = new TextEncoder().encode('a conditional of some bytes, '.repeat(100));

    test('finds that the server honours create-only puts, the second time with a single request', async () => {
      const attempts: S3Attempt[] = [];
      const shared = configuration({ onAttempt: (attempt) => attempts.push(attempt) });
      expect((await open(shared)).isCreateOnly).toBe(true);
      expect(attempts.map(({ outcome }) => outcome)).toEqual(['ok', 'PreconditionFailed']);
      attempts.length = 0;
      const again = await open(shared);
      expect(again.isCreateOnly).toBe(true);
      expect(attempts).toEqual([
        { operation: 'put', attempt: 1, seconds: expect.any(Number) as number, outcome: 'PreconditionFailed' },
      ]);
      expect(await again.list('')).toEqual([]);
    });

    test('compares objects that others wrote, without a recorded hash, by their bytes', async () => {
      const { GetObjectCommand, PutObjectCommand, S3Client } = await import('@aws-sdk/client-s3');
      const shared = configuration();
      const { endpoint, region, credentials } = shared as Required<S3Configuration>;
      const client = new S3Client({ endpoint, region, credentials, forcePathStyle: true });
      const object = { Bucket: shared.bucket, Key: `${shared.prefix}/foreign` };
      await client.send(new PutObjectCommand({ ...object, Body: bytes }));
      expect((await client.send(new GetObjectCommand(object))).Metadata).toEqual({});
      client.destroy();
      const store = await open(shared);
      expect(await store.put('foreign', bytes)).toBe('exists');
      await expect(store.put('foreign', bytes.toReversed())).rejects.toMatchObject({ code: 'conflict' });
    });

    test('leaves no parts behind when the name of a large object is taken', async () => {
      const { ListMultipartUploadsCommand, S3Client } = await import('@aws-sdk/client-s3');
      const shared = configuration();
      const [store, another] = [await open(shared), await open(shared)];
      const large = new Uint8Array(2 * smallestPart);
      await Promise.all([store.put('large', large), another.put('large', large), another.put('large', large)]);
      const { endpoint, region, credentials } = shared as Required<S3Configuration>;
      const client = new S3Client({ endpoint, region, credentials, forcePathStyle: true });
      const command = new ListMultipartUploadsCommand({ Bucket: shared.bucket, Prefix: `${shared.prefix}/large` });
      expect((await client.send(command)).Uploads ?? []).toEqual([]);
      client.destroy();
    });

    test.each<[string, Partial<S3Configuration>, string]>([
      ['a bucket that is not there', { bucket: 'no-such-bucket' }, 'invalid-configuration'],
      ['an unknown key', { credentials: { accessKeyId: 'nobody', secretAccessKey: 'nothing' } }, 'denied'],
      ['an address where nobody listens', { endpoint: 'http://127.0.0.1:1', attempts: 2 }, 'unavailable'],
    ])('says what is wrong with %s', async (_, overrides, code) => {
      const opened = S3Store.open(configuration(overrides));
      await expect(opened).rejects.toMatchObject({
        constructor: StorageError,
        code,
        retryable: code === 'unavailable',
      });
    });

    test('makes one request after another over one connection, large puts among them', async () => {
      const { hostname, port } = new URL(server.url);
      let connections = 0;
      const relay = createServer((socket) => {
        connections += 1;
        const upstream = connect(Number(port), hostname);
        socket.pipe(upstream).pipe(socket);
        for (const [one, other] of [
          [socket, upstream],
          [upstream, socket],
        ] as const) {
          one.on('error', () => other.destroy()).on('close', () => other.destroy());
        }
      });
      await once(relay.listen(0, '127.0.0.1'), 'listening');
      onTestFinished(() => void relay.close());
      const address = relay.address() as AddressInfo;
      const store = await open({ endpoint: `http://127.0.0.1:${address.port}` });
      for (let object = 0; object < 4; object += 1) {
        // more than 2 MiB, of which the SDK by itself would first ask whether it may send them
        expect(await store.put(`large/${object}`, new Uint8Array(3 * 2 ** 20).fill(object))).toBe('created');
        expect(await store.head(`large/${object}`)).not.toBeNull();
      }
      // one is given up after the refusal of the probe, which some servers answer before they have read its body
      expect(connections).toBeLessThanOrEqual(2);
    });

    test('says that a wrong secret is denied, and repeats neither secret', async () => {
      const secretAccessKey = 'a-wrong-secret';
      const access = { credentials: { accessKeyId: server.accessKeyId, secretAccessKey } };
      const error = await S3Store.open(configuration(access)).catch((error: unknown) => error);
      expect(error).toMatchObject({ code: 'denied', retryable: false });
      expect(String(error) + String((error as Error).cause)).not.toContain(secretAccessKey);
    });
  });

  describe('a presigned URL', () => {
    const bytes = new TextEncoder().encode('a network of some bytes, '.repeat(1000));
    let store: S3Store;
    beforeAll(async () => {
      store = await open();
      await Promise.all([store.put('networks/mine.msgpack', bytes), store.put('networks/other.msgpack', bytes)]);
    });

    test('reads the object without any credentials', async () => {
      const response = await fetch(await store.presign('networks/mine.msgpack', 60));
      expect(response.status).toBe(200);
      expect(Buffer.compare(new Uint8Array(await response.arrayBuffer()), bytes)).toBe(0);
    });

    test('names the public endpoint, another name of the same server, and is signed for that', async () => {
      const proxy = await startFaultProxy(server.url, () => null);
      onTestFinished(() => proxy.stop());
      const publicEndpoint = proxy.url.replace('127.0.0.1', 'localhost');
      const outside = await open({ publicEndpoint });
      await outside.put('networks/mine.msgpack', bytes);
      const url = new URL(await outside.presign('networks/mine.msgpack', 60));
      expect(url.origin).toBe(publicEndpoint);
      const response = await fetch(url);
      expect(response.status).toBe(200);
      expect(Buffer.compare(new Uint8Array(await response.arrayBuffer()), bytes)).toBe(0);
      // the name is part of what is signed
      expect((await fetch(new URL(url.pathname + url.search, proxy.url))).status).toBe(403);
    });

    test('is refused by the server once it has expired', async () => {
      const url = await store.presign('networks/mine.msgpack', 1);
      expect((await fetch(url)).status).toBe(200);
      await expect.poll(async () => (await fetch(url)).status, { timeout: 10_000, interval: 500 }).toBe(403);
    });

    test.each<[string, (url: URL) => void]>([
      ['names another object', (url) => (url.pathname = url.pathname.replace('mine', 'other'))],
      ['says that it lasts longer', (url) => url.searchParams.set('X-Amz-Expires', '86400')],
      ['has no signature', (url) => url.searchParams.delete('X-Amz-Signature')],
      ['has another signature', (url) => url.searchParams.set('X-Amz-Signature', '0'.repeat(64))],
    ])('that %s is refused by the server', async (_, alter) => {
      const url = new URL(await store.presign('networks/mine.msgpack', 60));
      alter(url);
      const response = await fetch(url);
      expect(response.ok).toBe(false);
      expect(response.status).toBeGreaterThanOrEqual(400);
      expect(response.status).toBeLessThan(500);
    });

    test.each(['PUT', 'DELETE'])('cannot be used to %s', async (method) => {
      const url = await store.presign('networks/mine.msgpack', 60);
      expect((await fetch(url, { method, ...(method === 'PUT' && { body: 'x' }) })).status).toBe(403);
      expect(await store.get('networks/mine.msgpack')).toEqual(bytes);
    });

    test.each([0, 1.5, 604_801, NaN])('of %d seconds is none', async (seconds) => {
      await expect(store.presign('networks/mine.msgpack', seconds)).rejects.toMatchObject({ code: 'invalid-range' });
    });

    test('leaves no prefix', async () => {
      await expect(store.presign('../other', 60)).rejects.toMatchObject({ code: 'invalid-name' });
    });
  });

  describe('behind a network that fails', () => {
    const bytes = new TextEncoder().encode('a conditional of some bytes, '.repeat(1000));
    let proxy: FaultProxy;
    let plan: (method: string, url: string) => Fault | null = () => null;
    let plain: S3Store;
    let troubled: S3Store;
    const outcomes: string[] = [];
    beforeAll(async () => {
      proxy = await startFaultProxy(server.url, (method, url) => plan(method, url));
      const shared = configuration({ timeout: 300, onAttempt: ({ outcome }) => outcomes.push(outcome) });
      plain = await open({ ...shared, timeout: 20_000 });
      troubled = await open({ ...shared, endpoint: proxy.url });
    });
    afterAll(() => proxy.stop());

    /** The next requests of a method meet these faults, one each. */
    function faults(wanted: string, ...list: readonly Fault[]): void {
      const left = [...list];
      plan = (method) => (method === wanted ? (left.shift() ?? null) : null);
      outcomes.length = 0;
    }
    const firedSince = async (name: string, act: () => Promise<unknown>): Promise<number> => {
      const before = proxy.fired.get(name) ?? 0;
      await act();
      return (proxy.fired.get(name) ?? 0) - before;
    };

    test.each<[string, Fault]>([
      ['503', { status: 503, code: 'SlowDown' }],
      ['500', { status: 500, code: 'InternalError' }],
      ['409', { status: 409, code: 'ConditionalRequestConflict' }],
      ['409', { status: 409, code: 'ExistingObjectIsDirectory' }],
      ['429', { status: 429, code: 'TooManyRequests' }],
      ['400', { status: 400, code: 'RequestTimeout' }],
      ['stall', 'stall'],
    ])('a put that met %s twice is made a third time: %j', async (name, fault) => {
      const object = `put/${typeof fault === 'string' ? fault : fault.code}`;
      faults('PUT', fault, fault);
      const fired = await firedSince(name, async () => {
        expect(await troubled.put(object, bytes)).toBe('created');
      });
      expect(fired).toBe(2);
      expect(outcomes).toHaveLength(3);
      expect(await plain.get(object)).toEqual(bytes);
    });

    test('a put whose answer was lost finds its own object, and is a success', async () => {
      faults('PUT', 'lose-answer');
      const fired = await firedSince('lose-answer', async () => {
        expect(await troubled.put('put/lost', bytes)).toBe('exists');
      });
      expect(fired).toBe(1);
      expect(await plain.get('put/lost')).toEqual(bytes);
    });

    test('a put that is told the name is taken, of which there is nothing, is made again', async () => {
      faults('PUT', { status: 412, code: 'PreconditionFailed' });
      expect(await firedSince('412', () => troubled.put('put/ghost', bytes))).toBe(1);
      expect(await plain.get('put/ghost')).toEqual(bytes);
    });

    test('a large put survives failures of its parts and the loss of the last answer', async () => {
      const large = new Uint8Array(3 * smallestPart).fill(3);
      let parts = 0;
      let completions = 0;
      plan = (method, url) => {
        if (url.includes('partNumber=') && parts++ % 2 === 0) return { status: 503, code: 'SlowDown' };
        const completes = method === 'POST' && url.includes('uploadId=') && url.includes('put/large');
        return completes && completions++ === 0 ? 'lose-answer' : null;
      };
      const fired = await firedSince('lose-answer', async () => {
        // a server may know the upload again, or only that the name is taken
        expect(await troubled.put('put/large', large)).toMatch(/^(created|exists)$/);
      });
      expect(fired).toBe(1);
      expect(parts).toBeGreaterThan(3);
      plan = () => null;
      expect(Buffer.compare(await plain.get('put/large'), large)).toBe(0);
    });

    test.each<Fault & string>(['cut-body', 'flip-bit', 'stall', 'lose-answer'])(
      'a get that met %s is made again, and never answers with other bytes',
      async (fault) => {
        plan = () => null;
        await plain.put('get/object', bytes);
        faults('GET', fault, fault);
        const fired = await firedSince(fault, async () => {
          expect(await troubled.get('get/object')).toEqual(bytes);
        });
        expect(fired).toBe(2);
        faults('GET', 'cut-body');
        expect(await troubled.get('get/object', { start: 10, end: 20_000 })).toEqual(bytes.slice(10, 20_000));
      },
    );

    test('an object that is damaged in the store is never handed out', async () => {
      await plain.put('get/damaged', bytes);
      faults('GET', ...Array.from({ length: 6 }, () => 'flip-bit' as const));
      await expect(troubled.get('get/damaged')).rejects.toMatchObject({
        code: expect.stringMatching(/damaged|unavailable/) as string,
      });
      expect(outcomes).toHaveLength(6);
    });

    test('a list and a delete are made again too', async () => {
      plan = () => null;
      await plain.put('list/one', bytes);
      faults('GET', { status: 503, code: 'SlowDown' }, 'lose-answer');
      expect(await troubled.list('list/')).toHaveLength(1);
      faults('DELETE', 'lose-answer', { status: 500, code: 'InternalError' });
      await troubled.delete('list/one');
      expect(await plain.head('list/one')).toBeNull();
    });

    test('what fails every time is reported as worth another try, with what was seen', async () => {
      plan = () => ({ status: 503, code: 'SlowDown' });
      const error = await troubled.put('put/never', bytes).catch((error: unknown) => error);
      plan = () => null;
      expect(error).toMatchObject({ code: 'unavailable', retryable: true, where: 'put/never' });
      expect(String(error)).toContain('SlowDown (503), 6 times in a row');
    });

    test('what is refused for good is not tried twice', async () => {
      faults('PUT', { status: 403, code: 'AccessDenied' });
      await expect(troubled.put('put/denied', bytes)).rejects.toMatchObject({ code: 'denied', retryable: false });
      expect(outcomes).toEqual(['AccessDenied']);
    });
  });

  describe('on a server that knows no create-only puts', () => {
    let forgetful: S3Store;
    let proxy: FaultProxy;
    beforeAll(async () => {
      proxy = await startFaultProxy(server.url, () => null, withoutCondition);
      forgetful = await open({ endpoint: proxy.url });
    });
    afterAll(() => proxy.stop());
    const large = new Uint8Array(smallestPart + 1);

    test('the store says so', () => {
      expect(forgetful.isCreateOnly).toBe(false);
    });

    test.each([
      ['small', new Uint8Array(10).fill(1)],
      ['large', large],
    ])('a %s object is compared before it would be written over', async (name, bytes) => {
      expect(await forgetful.put(name, bytes)).toBe('created');
      expect(await forgetful.put(name, bytes)).toBe('exists');
      await expect(
        forgetful.put(
          name,
          bytes.map((byte) => byte ^ 1),
        ),
      ).rejects.toMatchObject({ code: 'conflict' });
      expect(Buffer.compare(await forgetful.get(name), bytes)).toBe(0);
    });
  });
});

/** The request without its condition, signed anew, as a server takes it that does not know the condition. */
async function withoutCondition({ method = '', url = '', headers }: IncomingMessage): Promise<IncomingHttpHeaders> {
  const kept = Object.entries(headers).filter(
    ([name]) => !['if-none-match', 'authorization', 'connection'].includes(name),
  );
  const { accessKeyId, secretAccessKey, region } = server;
  const signer = new SignatureV4({
    credentials: { accessKeyId, secretAccessKey },
    region,
    service: 's3',
    sha256: Sha256,
    uriEscapePath: false,
  });
  const { pathname, searchParams, hostname } = new URL(url, server.url);
  const signed = await signer.sign({
    method,
    protocol: 'http:',
    hostname,
    path: pathname,
    query: Object.fromEntries(searchParams),
    headers: Object.fromEntries(kept) as Record<string, string>,
  });
  return signed.headers;
}

describe('the configuration of S3', () => {
  test.each<[string, S3Configuration]>([
    ['a bucket in capitals', { bucket: 'Orchard' }],
    ['a prefix with a slash at its end', { bucket: 'orchard', prefix: 'runs/' }],
    ['a prefix that climbs', { bucket: 'orchard', prefix: '../other' }],
    ['an endpoint that is no URL', { bucket: 'orchard', endpoint: 'localhost:9000' }],
    ['an endpoint of another kind', { bucket: 'orchard', endpoint: 'ftp://localhost' }],
    ['parts that S3 refuses', { bucket: 'orchard', partSize: 1000 }],
    ['no attempts', { bucket: 'orchard', attempts: 0 }],
  ])('with %s is refused before anything is sent', async (_, configuration) => {
    await expect(S3Store.open(configuration)).rejects.toMatchObject({
      code: 'invalid-configuration',
      retryable: false,
    });
  });
});
