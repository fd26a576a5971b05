import { connect } from 'node:net';
import { BitMatrix } from '@orchard/dataset';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fullToken, readToken, startHarness, type Harness } from './harness.suite.js';

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness();
});
afterAll(() => harness.stop());

async function submitted(): Promise<string> {
  const body = new Uint8Array(BitMatrix.fromRows(['011', '100', '110']).buffer) as BodyInit;
  const headers = { 'Content-Type': 'application/vnd.orchard.matrix' };
  const { id } = (await (await harness.ask('/v1/datasets', { method: 'POST', body, headers })).json()) as {
    id: string;
  };
  const request = JSON.stringify({ train: id, valid: id, preset: 'paper' });
  const json = { 'Content-Type': 'application/json' };
  const run = await harness.ask('/v1/runs', { method: 'POST', body: request, headers: json });
  return ((await run.json()) as { id: string }).id;
}

async function problemOf(response: Response): Promise<Record<string, unknown>> {
  expect(response.headers.get('content-type')).toContain('application/problem+json');
  return (await response.json()) as Record<string, unknown>;
}

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
  const get = (path: string, headers: Record<string, string>, method = 'GET'): Promise<Response> =>
    fetch(harness.url + path, { method, headers });
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

  test('a read-only token reads and changes nothing', async () => {
    const id = await submitted();
    const headers = { Authorization: `Bearer ${readToken}` };
    expect((await get(`/v1/runs/${id}`, headers)).status).toBe(200);
    const changes: [string, string][] = [
      ['POST', '/v1/runs'],
      ['POST', '/v1/datasets'],
      ['POST', `/v1/runs/${id}/cancel`],
      ['POST', `/v1/runs/${id}/resume`],
      ['POST', `/v1/runs/${id}/select`],
      ['DELETE', `/v1/runs/${id}`],
      ['PUT', '/queues/api/queues/x/clean'],
    ];
    for (const [method, path] of changes) {
      const response = await get(path, headers, method);
      expect([method, path, response.status]).toEqual([method, path, 403]);
    }
    expect(harness.life.runs.get(id)?.state).toBe('training');
    // it may ask a network, which here is not there yet
    expect((await get(`/v1/networks/${id}/score`, headers, 'POST')).status).not.toBe(403);
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

  test('a page of another site changes nothing', async () => {
    const id = await submitted();
    const headers = { Authorization: `Bearer ${fullToken}`, 'Sec-Fetch-Site': 'cross-site' };
    expect((await get(`/v1/runs/${id}/cancel`, headers, 'POST')).status).toBe(403);
  });

  test('no secret is in the log', () => {
    const log = harness.log.join('');
    expect(log).toContain('"caller":"tester"');
    expect(log).not.toContain(fullToken);
    expect(log).not.toContain(readToken);
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
