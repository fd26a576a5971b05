import type { RequestListener } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { servedStore } from './served-store.suite.js';

test('a whole object may take as long to come as its size allows, not as long as an empty one', async () => {
  const pieces = 8;
  const answer: RequestListener = (request, response) => {
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
  };
  const store = await servedStore(answer, { timeout: 500 });
  expect(await store.get('large')).toHaveLength(100_000);
});
