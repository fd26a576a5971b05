import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { openWebFile } from './web-file.js';

const silence = 200;

async function served(answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/rows.csv`;
}

async function textAt(url: string): Promise<string> {
  const { bytes } = await openWebFile({ kind: 'web', url, isSecure: false, sha256: null }, silence);
  let text = '';
  for await (const piece of bytes) text += Buffer.from(piece).toString();
  return text;
}

test('a file whose size is not said is read to its end', async () => {
  const url = await served((_, response) => {
    response.write('a,b\n1,2\n');
    setTimeout(() => response.end('3,4\n'), silence / 4);
  });
  expect(await textAt(url)).toBe('a,b\n1,2\n3,4\n');
});

test('one that falls silent is not taken for a whole file, though its size is not said', async () => {
  const url = await served((_, response) => {
    response.write('a,b\n1,2\n');
  });
  await expect(textAt(url)).rejects.toThrow(
    'got a connection that broke after 8 bytes (no byte within 0.2 s), of a server that does not give the rest of a file, expected the whole file',
  );
});

test('one that falls silent is asked for its rest, where the server gives it', async () => {
  const whole = 'a,b\n1,2\n3,4\n';
  const ranges: (string | undefined)[] = [];
  const url = await served((request, response) => {
    const { range } = request.headers;
    ranges.push(range);
    const from = Number(/\d+/.exec(range ?? '0')![0]);
    response.setHeader('Accept-Ranges', 'bytes').setHeader('ETag', '"1"');
    response.setHeader('Content-Length', String(whole.length - from));
    response.statusCode = range === undefined ? 200 : 206;
    if (range === undefined) response.write(whole.slice(0, 8));
    else response.end(whole.slice(from));
  });
  expect(await textAt(url)).toBe(whole);
  expect(ranges).toEqual([undefined, 'bytes=8-']);
});
