import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { S3Store } from './s3.js';

test('a whole object may take as long to come as its size allows, not as long as an empty one', async () => {
  const pieces = 8;
  const server = createServer((request, response) => {
    if (request.method === 'PUT') {
      request.resume().on('end', () => response.writeHead(412).end());
      return;
    }
    // it takes 1.6 s: an empty object has 1 s, and this one at 50 bytes a millisecond 2 s more
    response.writeHead(200, { 'Content-Length': String(100_000) });
    void (async () => {
      for (let at = 0; at < pieces; at++) {
        response.write(new Uint8Array(100_000 / pieces));
        await sleep(200);
      }
      response.end();
    })();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void server.close());
  const store = await S3Store.open({
    bucket: 'orchard',
    endpoint: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    credentials: { accessKeyId: 'nobody', secretAccessKey: 'nothing' },
    timeout: 500,
    attempts: 1,
  });
  onTestFinished(() => store.close());
  expect(await store.get('large')).toHaveLength(100_000);
});
