import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fullToken, problemOf, readToken, startHarness, type Harness } from './harness.suite.js';

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness();
});
afterAll(() => harness.stop());

test('a path that is no address is refused as any other without a token', async () => {
  const { port } = new URL(harness.url);
  const socket = connect(Number(port), '127.0.0.1', () => {
    socket.write('GET // HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n');
  });
  let answer = '';
  for await (const chunk of socket) answer += String(chunk);
  expect(answer).toMatch(/^HTTP\/1\.1 401 /);
});

describe('who may ask', () => {
  const get = (path: string, headers: Record<string, string>): Promise<Response> =>
    fetch(harness.url + path, { headers });
  const protectedPaths = [
    '/v1/runs',
    '/v1/datasets',
    '/metrics',
    '/docs',
    '/docs/json',
    '/queues',
    '/v1/load',
    '/nowhere',
  ];

  test.each(protectedPaths)('%s needs a token', async (path) => {
    for (const headers of [
      {},
      { Authorization: 'Bearer nonsense' },
      { Authorization: `Token ${fullToken}` },
      { Authorization: `Bearer ${fullToken}x` },
    ]) {
      const response = await get(path, headers as Record<string, string>);
      expect(response.status).toBe(401);
      expect(response.headers.get('www-authenticate')).toContain('Bearer');
      await problemOf(response);
    }
  });

  test('health is open', async () => {
    expect(await (await get('/health/live', {})).json()).toEqual({ status: 'live', checks: {} });
    expect(await (await get('/health/ready', {})).json()).toEqual({ status: 'ready', checks: { store: 'up' } });
  });

  test('a browser shows a token as a password', async () => {
    const password = Buffer.from(`me:${readToken}`).toString('base64');
    expect((await get('/v1/runs', { Authorization: `Basic ${password}` })).status).toBe(200);
    const wrong = Buffer.from(`${readToken}:me`).toString('base64');
    expect((await get('/v1/runs', { Authorization: `Basic ${wrong}` })).status).toBe(401);
    const challenge = await new Promise<string>((resolve) => {
      const socket = connect(Number(new URL(harness.url).port), '127.0.0.1', () => {
        socket.write('GET /docs HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');
      });
      socket.once('data', (data) => resolve(String(data)));
    });
    // a header of its own, or no browser asks for the password
    expect(challenge).toMatch(/^WWW-Authenticate: Basic realm="orchard"\r$/m);
  });

  test.each([
    // what a form of another site sends from a page that came by http, with the password that the browser keeps
    [{ Origin: 'http://elsewhere.example' }, 403],
    [{ Origin: 'null' }, 403],
    [{ Origin: 'http://elsewhere.example', 'Sec-Fetch-Site': 'same-origin' }, 404],
    [{ 'Sec-Fetch-Site': 'same-site' }, 403],
    [{ Origin: 'http://127.0.0.1' }, 404],
    [{ Origin: 'https://orchard.example', 'X-Forwarded-Host': 'orchard.example, inner' }, 404],
    [{}, 404],
  ])('a change that a page asks for with %j is answered with %d', async (headers, status) => {
    const password = Buffer.from(`me:${fullToken}`).toString('base64');
    const path = `${harness.url}/v1/runs/${'0'.repeat(64)}/cancel`;
    const given = { Authorization: `Basic ${password}`, ...headers } as Record<string, string>;
    const response = await fetch(path, { method: 'POST', headers: given });
    expect((await problemOf(response)).status).toBe(status);
    expect((await get('/v1/runs', given)).status).toBe(200);
  });

  test('no secret is in the log', async () => {
    await harness.ask('/v1/runs', { method: 'POST' });
    const log = harness.log.join('');
    expect(log).toContain('"caller":"tester"');
    for (const token of [fullToken, readToken]) expect(log).not.toContain(token);
  });
});

describe('a path', () => {
  /** As it stands: fetch would tidy it first. */
  const raw = (path: string): Promise<string> =>
    new Promise((resolve, reject) => {
      const socket = connect(Number(new URL(harness.url).port), '127.0.0.1', () => {
        socket.write(
          `GET ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${fullToken}\r\nConnection: close\r\n\r\n`,
        );
      });
      let text = '';
      socket
        .on('data', (data) => (text += String(data)))
        .once('end', () => resolve(text))
        .once('error', reject);
    });

  test.each([
    '/v1/runs/../../../etc/passwd',
    '/v1/runs/..%2f..%2fetc%2fpasswd/network',
    '/v1/runs/%2e%2e/network',
    '/v1/datasets/..%5c..%5csecret',
    '/v1/datasets/%00',
    `/v1/datasets/${'a'.repeat(64)}%2f..`,
    `/v1/datasets/${'A'.repeat(64)}`,
    '/v1/runs/%zz',
    '/v1/networks/../score',
    '/docs/..%2f..%2fpackage.json',
    '/docs/../../package.json',
    '//etc/passwd',
  ])('%s leads nowhere', async (path) => {
    const answer = await raw(path);
    expect(answer).toMatch(/^HTTP\/1\.1 (400|404|405) /);
    expect(answer).not.toContain('root:');
    expect(answer).not.toContain('"dependencies"');
  });

  test('with another method says which it has', async () => {
    const response = await harness.ask('/v1/datasets', { method: 'PUT' });
    expect(response.status).toBe(405);
    expect(response.headers.get('allow')).toBe('POST, GET, HEAD');
  });

  test('unknown is a problem too', async () => {
    expect(await problemOf(await harness.ask('/v2/runs'))).toMatchObject({ status: 404, code: 'not-found' });
  });
});
