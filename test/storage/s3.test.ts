import { StorageError } from '@orchard/storage';
import { describeObjectStore } from '@orchard/storage/conformance';
import { S3Store, type S3Attempt, type S3Configuration } from '@orchard/storage/s3';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { lacks } from '../servers/needed.js';
import { smallestPart, S3UnderTest } from './s3-under-test.suite.js';

const s3 = new S3UnderTest();

describe.skipIf(lacks('s3'))('S3', () => {
  describeObjectStore('the S3 store', {
    largeObject: 2 * smallestPart + 12_345,
    open: async () => {
      const shared = s3.configuration();
      return { store: await s3.open(shared), another: await s3.open(shared) };
    },
  });

  describe('the S3 store', () => {
    const bytes = new TextEncoder().encode('a conditional of some bytes, '.repeat(100));

    test('finds that the server honours create-only puts, the second time with a single put, which is read back', async () => {
      const attempts: S3Attempt[] = [];
      const shared = s3.configuration({ onAttempt: (attempt) => attempts.push(attempt) });
      expect((await s3.open(shared)).isCreateOnly).toBe(true);
      expect(attempts.map(({ outcome }) => outcome)).toEqual(['ok', 'PreconditionFailed', 'ok']);
      attempts.length = 0;
      const again = await s3.open(shared);
      expect(again.isCreateOnly).toBe(true);
      expect(attempts).toEqual([
        { operation: 'put', attempt: 1, seconds: expect.any(Number) as number, outcome: 'PreconditionFailed' },
        { operation: 'get', attempt: 1, seconds: expect.any(Number) as number, outcome: 'ok' },
      ]);
      expect(await again.list('')).toEqual([]);
    });

    test('compares objects that others wrote, without a recorded hash, by their bytes', async () => {
      const { GetObjectCommand, PutObjectCommand, S3Client } = await import('@aws-sdk/client-s3');
      const shared = s3.configuration();
      const { endpoint, region, credentials } = shared as Required<S3Configuration>;
      const client = new S3Client({ endpoint, region, credentials, forcePathStyle: true });
      const object = { Bucket: shared.bucket, Key: `${shared.prefix}/foreign` };
      await client.send(new PutObjectCommand({ ...object, Body: bytes }));
      expect((await client.send(new GetObjectCommand(object))).Metadata).toEqual({});
      client.destroy();
      const store = await s3.open(shared);
      expect(await store.put('foreign', bytes)).toBe('exists');
      await expect(store.put('foreign', bytes.toReversed())).rejects.toMatchObject({ code: 'conflict' });
    });

    test('leaves no parts behind when the name of a large object is taken', async () => {
      const { ListMultipartUploadsCommand, S3Client } = await import('@aws-sdk/client-s3');
      const shared = s3.configuration();
      const [store, another] = [await s3.open(shared), await s3.open(shared)];
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
      const opened = S3Store.open(s3.configuration(overrides));
      await expect(opened).rejects.toMatchObject({
        constructor: StorageError,
        code,
        retryable: code === 'unavailable',
      });
    });

    test('makes one request after another over one connection, large puts among them', async () => {
      const { hostname, port } = new URL(s3.server.url);
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
      const store = await s3.open({ endpoint: `http://127.0.0.1:${address.port}` });
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
      const access = { credentials: { accessKeyId: s3.server.accessKeyId, secretAccessKey } };
      const error = await S3Store.open(s3.configuration(access)).catch((error: unknown) => error);
      expect(error).toMatchObject({ code: 'denied', retryable: false });
      expect(String(error) + String((error as Error).cause)).not.toContain(secretAccessKey);
    });
  });
});

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
