import { createHash, Hash } from 'node:crypto';
import type { IncomingMessage, RequestListener } from 'node:http';
import { expect, test, vi } from 'vitest';
import { servedStore } from './served-store.suite.js';

const partSize = 16 * 2 ** 20;

test('a large object is summed as a whole and in parts, and of it 4 MiB at most in one turn of the event loop', async () => {
  // before there is a connection, which servers close where it is not used for seconds
  const bytes = new Uint8Array(3 * partSize + 12_345).map((_, at) => at % 251);
  const parts = new Map<string, { readonly signed: unknown; readonly body: Buffer }>();
  const answer: RequestListener = (request, response) => {
    void (async () => {
      const { pathname, searchParams } = new URL(request.url!, 'http://localhost');
      const isProbe = pathname.includes('create-only');
      const number = searchParams.get('partNumber');
      const body = await bodyOf(request);
      if (request.method === 'HEAD') response.writeHead(404);
      else if (searchParams.has('uploads')) response.write('<R><UploadId>one</UploadId></R>');
      else if (number !== null) {
        response.setHeader('ETag', '"one"');
        if (!isProbe) parts.set(number, { signed: request.headers['x-amz-content-sha256'], body });
      } else if (isProbe) response.writeHead(412);
      else response.write('<R><ETag>"one"</ETag></R>');
      response.end();
    })();
  };
  const store = await servedStore(answer, { partSize });
  const sums = await sumsByTurn(async () => expect(await store.put('large', bytes)).toBe('created'));
  // beside the signatures of requests
  expect(Math.max(...sums) - 4 * 2 ** 20).toBeLessThan(100_000);
  expect(sums.reduce((all, one) => all + one, 0) - 2 * bytes.length).toBeLessThan(100_000);
  const hashOf = (part: Uint8Array): string => createHash('sha256').update(part).digest('hex');
  const sent = [...parts].sort(([one], [other]) => Number(one) - Number(other)).map(([, part]) => part);
  expect(Buffer.concat(sent.map(({ body }) => body)).equals(bytes)).toBe(true);
  expect(sent.map(({ signed }) => signed)).toEqual(sent.map(({ body }) => hashOf(body)));
});

/** The bytes that anybody in this process hashes between two turns of the event loop. */
async function sumsByTurn(work: () => Promise<void>): Promise<readonly number[]> {
  const sums = [0];
  let isOver = false;
  const count = (): void => {
    sums.push(0);
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  const update = Hash.prototype.update;
  const spy = vi.spyOn(Hash.prototype, 'update').mockImplementation(function (this: Hash, ...given) {
    const [data]: readonly unknown[] = given;
    if (data instanceof Uint8Array) sums[sums.length - 1]! += data.length;
    return update.apply(this, given);
  });
  try {
    await work();
  } finally {
    isOver = true;
    spy.mockRestore();
  }
  return sums;
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks);
}
