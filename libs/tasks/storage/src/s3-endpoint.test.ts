import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { S3Store } from './s3.js';
import { probe } from './s3-create-only.js';

/** A store at a server that answers like this. */
async function openAt(answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<S3Store> {
  const server = createServer((request, response) => {
    request.resume().once('end', () => {
      answer(request, response);
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  onTestFinished(() => void server.close().closeAllConnections());
  const { port } = server.address() as AddressInfo;
  const credentials = { accessKeyId: 'a', secretAccessKey: 'b' };
  return S3Store.open({
    bucket: 'orchard',
    endpoint: `http://127.0.0.1:${port}`,
    credentials,
    attempts: 3,
    backoff: 1,
  });
}

/** As S3: the second writer of a name is refused. */
function put(written: { puts: number }, response: ServerResponse): void {
  if (written.puts++ === 0) response.writeHead(200).end();
  else response.writeHead(412).end('<Error><Code>PreconditionFailed</Code></Error>');
}

const page = '<!doctype html><title>Sign in</title>';

test.each([
  ['with a length', { 'content-length': String(page.length) }],
  ['in chunks', {}],
])('an endpoint that answers everything with a page of HTML, %s, is not opened', async (_, headers) => {
  const opening = openAt((_request, response) => response.writeHead(200, headers).end(page));
  await expect(opening).rejects.toMatchObject({
    code: 'unsupported',
    remedy: expect.stringContaining('Correct the endpoint') as unknown,
  });
});

test('a proxy that compresses is named, and no good object is called damaged', async () => {
  const written = { puts: 0 };
  const compress = (bytes: Uint8Array, response: ServerResponse): void => {
    const body = gzipSync(bytes);
    response.writeHead(200, { 'content-encoding': 'gzip', 'content-length': body.length }).end(body);
  };
  const small = openAt(({ method }, response) =>
    method === 'PUT' ? put(written, response) : compress(probe.bytes, response),
  );
  await expect(small).rejects.toMatchObject({ code: 'unsupported', got: expect.stringContaining('gzip') as unknown });
  // most proxies leave small bodies alone
  written.puts = 0;
  const store = await openAt(({ method, url = '' }, response) => {
    if (method === 'PUT') put(written, response);
    else if (url.includes(probe.key))
      response.writeHead(200, { 'content-length': probe.bytes.length }).end(probe.bytes);
    else compress(new Uint8Array(2_000), response);
  });
  const reading = store.get('datasets/a');
  await expect(reading).rejects.toMatchObject({ code: 'unsupported', where: 'datasets/a' });
  await expect(reading).rejects.toThrow('Switch compression off in the proxy');
});

test('a bucket with versions that counts a deleted object as there is written to without the condition', async () => {
  const written = { puts: 0 };
  const conditions: (string | undefined)[] = [];
  const store = await openAt(({ method, url = '', headers }, response) => {
    if (url.includes(probe.key)) {
      if (method === 'PUT') put(written, response);
      else response.writeHead(200, { 'content-length': probe.bytes.length }).end(probe.bytes);
    } else if (method === 'PUT') {
      conditions.push(headers['if-none-match']);
      put({ puts: conditions.at(-1) === undefined ? 0 : 1 }, response);
    } else if (conditions.includes(undefined)) {
      const sha256 = createHash('sha256').update(new Uint8Array(3)).digest('hex');
      response.writeHead(200, { 'content-length': 3, 'x-amz-meta-sha256': sha256 }).end();
    } else response.writeHead(404).end();
  });
  expect(await store.put('runs/a/specification', new Uint8Array(3))).toBe('created');
  expect(conditions).toEqual(['*', '*', undefined]);
});

test('a key that may not read opens the store: the first task that needs to read says so', async () => {
  const written = { puts: 0 };
  const store = await openAt(({ method }, response) => {
    if (method === 'PUT') put(written, response);
    else response.writeHead(403).end('<Error><Code>AccessDenied</Code></Error>');
  });
  await expect(store.get('datasets/a')).rejects.toMatchObject({ code: 'denied' });
});
