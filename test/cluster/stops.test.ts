import { temporaryFolder } from '@orchard/storage/testing';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { main, orchard, root } from '../cli/orchard.js';
import { lacks } from '../servers/needed.js';
import { Cluster } from './cluster.js';

const token = 'token-of-the-tests-0123456789abcdef';
/** Of a request that is under way when its program is to end. */
const GRACE_SECONDS = 3;
const SOON = 10_000;

/** What a client has begun and leaves: nothing at all, part of a request, an answered one, part of a body. */
const unfinished = (body: string): readonly string[] => [
  '',
  'GET / HTTP/1.1\r\nHost: ',
  'GET /health/live HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n',
  `POST ${body} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{"a":`,
];

/** Connections that each leave something unfinished, and stay open until the test is over. */
async function leave(url: string, texts: readonly string[]): Promise<void> {
  const { hostname, port } = new URL(url);
  for (const text of texts) {
    const socket = connect(Number(port), hostname);
    onTestFinished(() => void socket.destroy());
    // the server may end it as it likes
    socket.on('error', () => undefined).resume();
    await once(socket, 'connect');
    if (text !== '') await new Promise<void>((resolve) => socket.write(text, () => resolve()));
  }
}

async function eventsOf(url: string, path: string): Promise<void> {
  const events = await fetch(`${url}${path}`, { headers: { Authorization: `Bearer ${token}` } });
  expect(events.status).toBe(200);
  await events.body!.getReader().read();
}

/** @returns how the process ends, or that it does not soon */
async function end(ended: Promise<unknown>, kill: () => unknown): Promise<unknown> {
  const late = new Promise((resolve) => setTimeout(resolve, SOON, 'still there').unref());
  kill();
  return Promise.race([ended, late]);
}

describe.skipIf(lacks('redis'))('clients that leave something unfinished do not keep a program from its end', () => {
  let cluster: Cluster;
  beforeAll(async () => {
    const environment = { ORCHARD_GRACE_SECONDS: String(GRACE_SECONDS), ORCHARD_TOKENS: `tester:full:${token}` };
    cluster = await Cluster.start({ store: 'folder', environment: { ...environment, ORCHARD_PORT: '0' } });
  });
  afterAll(() => cluster.stop());

  test.each(['worker', 'selector'] as const)('of a cluster: the %s', async (kind) => {
    const program = await cluster.add(kind);
    await leave(program.health!, unfinished('/metrics'));
    expect(await end(program.ended, () => program.kill('SIGTERM'))).toEqual({ code: 0, signal: null });
  });

  test('of a cluster: the coordinator, with events', async () => {
    const program = await cluster.add('coordinator');
    const url = String(program.log.find(({ msg }) => msg === 'listening')!.url);
    await leave(url, unfinished('/v1/runs').slice(0, 3));
    await eventsOf(url, '/v1/events');
    expect(await end(program.ended, () => program.kill('SIGTERM'))).toEqual({ code: 0, signal: null });
  });

  test.each(['/v1/runs', '/v1/datasets?describe=true'])(
    'of a cluster: the coordinator, with half a body for %s, ends within its grace time',
    async (path) => {
      const program = await cluster.add('coordinator');
      const url = String(program.log.find(({ msg }) => msg === 'listening')!.url);
      await leave(url, [
        unfinished(path)
          .at(-1)!
          .replace('application/json', path === '/v1/runs' ? '$&' : 'text/csv'),
      ]);
      expect(await end(program.ended, () => program.kill('SIGTERM'))).toMatchObject({ signal: null });
    },
  );
});

describe('clients that leave something unfinished do not keep the command line from its end', () => {
  const folder = temporaryFolder();
  beforeAll(async () => {
    await writeFile(join(folder, 'bits.csv'), `a,b\n${'0,1\n1,0\n1,1\n'.repeat(20)}`);
    const words = ['--out', join(folder, 'runs/one'), '--rounds', '3', '--threads', '1', '--quiet'];
    expect(await orchard('train', join(folder, 'bits.csv'), ...words)).toMatchObject({ code: 0 });
  });

  test.each([
    ['serve', ['serve', 'runs', '--port', '0'], '/v1/networks/a/score', '/v1/events'],
    ['mcp --http', ['mcp', '--http', '--port', '0', '--quiet'], '/mcp', null],
  ])('orchard %s', async (_name, words, body, events) => {
    const child = spawn(process.execPath, [main, ...words], { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] });
    onTestFinished(() => void child.kill('SIGKILL'));
    const [url] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
    await leave(url, unfinished(body));
    if (events !== null) await eventsOf(url.replace(/\/$/, ''), events);
    const ended = once(child, 'exit').then(([code, signal]: unknown[]) => ({ code, signal }));
    expect(await end(ended, () => child.kill('SIGTERM'))).toEqual({ code: 0, signal: null });
  });

  test.skipIf(lacks('redis', 's3'))('npm run cluster', async () => {
    const child = spawn(process.execPath, [join(root, 'infra/cluster/main.mjs'), '--json', '--threads', '1'], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
    const { url } = JSON.parse(line) as { url: string };
    await leave(url, unfinished('/v1/runs'));
    const ended = once(child, 'exit').then(([code, signal]: unknown[]) => ({ code, signal }));
    expect(await end(ended, () => child.kill('SIGTERM'))).toEqual({ code: 0, signal: null });
  });
});
