import { Sha256 } from '@aws-sdk/checksums/sha';
import type { S3Store } from '@orchard/storage/s3';
import { SignatureV4 } from '@smithy/signature-v4';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startFaultProxy, type FaultProxy } from '../servers/fault-proxy.js';
import { lacks } from '../servers/needed.js';
import { smallestPart, S3UnderTest } from './s3-under-test.suite.js';

const s3 = new S3UnderTest();

describe.skipIf(lacks('s3'))('the S3 store on a server that knows no create-only puts', () => {
  let forgetful: S3Store;
  let proxy: FaultProxy;
  beforeAll(async () => {
    proxy = await startFaultProxy(s3.server.url, () => null, withoutCondition);
    forgetful = await s3.open({ endpoint: proxy.url });
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

/** The request without its condition, signed anew, as a server takes it that does not know the condition. */
async function withoutCondition({ method = '', url = '', headers }: IncomingMessage): Promise<IncomingHttpHeaders> {
  const kept = Object.entries(headers).filter(
    ([name]) => !['if-none-match', 'authorization', 'connection'].includes(name),
  );
  const { accessKeyId, secretAccessKey, region } = s3.server;
  const signer = new SignatureV4({
    credentials: { accessKeyId, secretAccessKey },
    region,
    service: 's3',
    sha256: Sha256,
    uriEscapePath: false,
  });
  const { pathname, searchParams, hostname } = new URL(url, s3.server.url);
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
