import type { S3Store } from '@orchard/storage/s3';
import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { startFaultProxy } from '../servers/fault-proxy.js';
import { lacks } from '../servers/needed.js';
import { S3UnderTest } from './s3-under-test.suite.js';

const s3 = new S3UnderTest();

describe.skipIf(lacks('s3'))('a presigned URL', () => {
  const bytes = new TextEncoder().encode('a network of some bytes, '.repeat(1000));
  let store: S3Store;
  beforeAll(async () => {
    store = await s3.open();
    await Promise.all([store.put('networks/mine.msgpack', bytes), store.put('networks/other.msgpack', bytes)]);
  });

  test('reads the object without any credentials', async () => {
    const response = await fetch(await store.presign('networks/mine.msgpack', 60));
    expect(response.status).toBe(200);
    expect(Buffer.compare(new Uint8Array(await response.arrayBuffer()), bytes)).toBe(0);
  });

  test('names the public endpoint, another name of the same server, and is signed for that', async () => {
    const proxy = await startFaultProxy(s3.server.url, () => null);
    onTestFinished(() => proxy.stop());
    const publicEndpoint = proxy.url.replace('127.0.0.1', 'localhost');
    const outside = await s3.open({ publicEndpoint });
    await outside.put('networks/mine.msgpack', bytes);
    const url = new URL(await outside.presign('networks/mine.msgpack', 60));
    expect(url.origin).toBe(publicEndpoint);
    const response = await fetch(url);
    expect(response.status).toBe(200);
    expect(Buffer.compare(new Uint8Array(await response.arrayBuffer()), bytes)).toBe(0);
    // the name is part of what is signed
    expect((await fetch(new URL(url.pathname + url.search, proxy.url))).status).toBe(403);
  });

  test.each([
    ['behind', -1],
    ['ahead', 1],
  ])('is good by the clock of the server, where that of the signer is an hour %s', async (_, hours) => {
    const now = Date.now() + hours * 3_600_000;
    vi.useFakeTimers({ toFake: ['Date'], now });
    onTestFinished(() => void vi.useRealTimers());
    const other = await s3.open();
    await other.put('networks/mine.msgpack', bytes);
    const url = new URL(await other.presign('networks/mine.msgpack', 60));
    vi.useRealTimers();
    const signed = url.searchParams.get('X-Amz-Date')!.replace(/^(....)(..)(..T..)(..)(..Z)$/, '$1-$2-$3:$4:$5');
    expect(Math.abs(Date.parse(signed) - Date.now())).toBeLessThan(60_000);
    expect((await fetch(url)).status).toBe(200);
  });

  test('is refused by the server once it has expired', async () => {
    const url = await store.presign('networks/mine.msgpack', 1);
    expect((await fetch(url)).status).toBe(200);
    await expect.poll(async () => (await fetch(url)).status, { interval: 500 }).toBe(403);
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
