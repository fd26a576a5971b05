import { Redis } from 'ioredis';
import { temporaryFolder } from '@orchard/storage/testing';
import { spawn, type ChildProcess } from 'node:child_process';
import { connect, createServer, type AddressInfo } from 'node:net';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import { isAlive } from '../servers/is-alive.js';
import { lacks } from '../servers/needed.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const main = join(root, 'infra/cluster/main.mjs');

interface Ready {
  readonly url: string;
  readonly token: string;
  readonly redis: string;
  readonly s3: string;
  readonly workers: readonly number[];
  readonly coordinator: number;
  readonly selector: number;
}

const direct = [process.execPath, main];
const byNpm = ['npm', 'run', '--silent', '--prefix', root, 'cluster', '--'];

async function start(
  [command, ...given]: readonly string[],
  ...args: string[]
): Promise<{ child: ChildProcess; ready: Ready; lines: string[] }> {
  const child = spawn(command!, [...given, '--json', '--threads', '1', ...args], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  // where a test fails before it ends it
  onTestFinished(() => void child.kill());
  const lines: string[] = [];
  const output = createInterface({ input: child.stdout! });
  const first = await new Promise<string>((resolve, reject) => {
    output.on('line', (line) => lines.push(line)).once('line', resolve);
    child.once('exit', (code) => reject(new Error(`ended with ${String(code)} before it was ready`)));
  });
  return { child, ready: JSON.parse(first) as Ready, lines };
}

const answers = (url: string): Promise<boolean> =>
  new Promise((resolve) => {
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname, () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });

/** Nothing of it runs, nothing of it listens. */
async function isGone({ workers, coordinator, selector, redis, s3, url }: Ready): Promise<boolean> {
  const alive = [...workers, coordinator, selector].some(isAlive);
  const listening = await Promise.all([redis, s3, url].map(answers));
  return !alive && !listening.includes(true);
}

/** What a cluster has of rows, and one more data set that it is given. */
async function storeOneMore({ url, token }: Ready, rows: number): Promise<{ before: string[]; stored: string }> {
  const ask = async <Answer>(more: RequestInit): Promise<Answer> => {
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'text/csv' };
    return (await (await fetch(`${url}/v1/datasets`, { ...more, headers })).json()) as Answer;
  };
  const { datasets } = await ask<{ datasets: { id: string }[] }>({});
  const { id } = await ask<{ id: string }>({ method: 'POST', body: `a,b\n${'0,1\n1,0\n'.repeat(rows)}` });
  return { before: datasets.map((one) => one.id).sort(), stored: id };
}

describe.skipIf(lacks('redis', 's3'))('npm run cluster', () => {
  const data = join(temporaryFolder(), 'kept');
  const stored: string[] = [];

  const leavesNothing = async (signal: NodeJS.Signals, code: number | null): Promise<void> => {
    const { child, ready, lines } = await start(direct, '--workers', '2', '--data', data);
    expect(ready.workers).toHaveLength(2);
    // what the clusters before it stored, of which one was killed
    const { before, stored: one } = await storeOneMore(ready, stored.length + 8);
    expect(before).toEqual([...stored].sort());
    stored.push(one);
    const second = spawn(process.execPath, [main, '--data', data], { stdio: 'ignore' });
    onTestFinished(() => void second.kill());
    expect(await new Promise((resolve) => second.once('exit', resolve))).toBe(2);
    const ended = new Promise((resolve) => child.once('exit', (status) => resolve(status)));
    process.kill(ready.workers[0]!, 'SIGSTOP');
    child.kill(signal);
    expect(await ended).toBe(code);
    await expect.poll(() => isGone(ready), { interval: 100 }).toBe(true);
    expect(lines).toHaveLength(1);
    const left = code === 0 ? [] : ['in-use.json'];
    expect((await readdir(data)).sort()).toEqual(['cluster.json', ...left, 'store']);
  };
  const title = 'leaves nothing behind after %s but what is in --data, even of a worker that hangs';
  test.each([
    ['SIGTERM', 0],
    ['SIGKILL', null],
  ] as const)(title, leavesNothing);
  test.each([['SIGINT', 0]] as const)(title, { tags: 'nightly' }, leavesNothing);

  // a supervisor ends npm: a shell between npm and the cluster would pass nothing on
  const endsWithNpm = async (signal: NodeJS.Signals): Promise<void> => {
    const { child, ready, lines } = await start(byNpm, '--workers', '1');
    const ended = new Promise((resolve) => child.once('exit', (status) => resolve(status)));
    child.kill(signal);
    expect(await ended).toBe(signal === 'SIGTERM' ? 0 : null);
    // on SIGTERM npm waits for the cluster's end; by the others it dies at once
    if (signal === 'SIGTERM') expect(await isGone(ready)).toBe(true);
    await expect.poll(() => isGone(ready), { interval: 100 }).toBe(true);
    expect(lines).toHaveLength(1);
  };
  test('leaves nothing behind when npm gets SIGKILL', () => endsWithNpm('SIGKILL'));
  test.each(['SIGTERM', 'SIGHUP'] as const)('leaves nothing behind when npm gets %s', { tags: 'nightly' }, endsWithNpm);

  test('open to other machines it prints what starts another worker, and the address at the end', async () => {
    const child = spawn(process.execPath, [main, '--workers', '1', '--threads', '1', '--host', 'localhost'], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    onTestFinished(() => void child.kill());
    let said = '';
    child.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()));
    await expect.poll(() => said).toMatch(/The cluster is ready: http:\/\/localhost:\d+\n+$/);
    const url = /ready: (\S+)/.exec(said)![1]!;
    const token = /Token: (\S+)/.exec(said)![1]!;
    expect(said).toMatch(/Store: s3:\/\/orchard at http:\/\/localhost:\d+, access key orchard, secret \w{32}/);
    const line = /^ {2}(ORCHARD_REDIS_URL=\S+ .*) node (apps\/worker\S+)$/m.exec(said)!;
    const variables = Object.fromEntries(
      line[1]!.split(' ').map((one) => [one.slice(0, one.indexOf('=')), one.slice(one.indexOf('=') + 1)]),
    );
    const worker = spawn(process.execPath, [join(root, line[2]!)], {
      env: { PATH: process.env.PATH, ...variables, ORCHARD_WORKER_NAME: 'guest' },
      stdio: 'ignore',
    });
    onTestFinished(() => void worker.kill('SIGKILL'));
    const names = async (): Promise<string[]> => {
      const answer = await fetch(`${url}/v1/cluster`, { headers: { Authorization: `Bearer ${token}` } });
      return ((await answer.json()) as { workers: { name: string }[] }).workers.map(({ name }) => name);
    };
    await expect.poll(names).toContain('guest');
    // without the password nobody comes in
    const redis = new Redis({ host: '127.0.0.1', port: Number(new URL(variables.ORCHARD_REDIS_URL!).port) });
    redis.on('error', () => undefined);
    await expect(redis.ping()).rejects.toThrow('NOAUTH');
    redis.disconnect();
    const ended = new Promise((resolve) => child.once('exit', (status) => resolve(status)));
    child.kill('SIGTERM');
    expect(await ended).toBe(0);
  });

  test('goes on without a worker, and ends when the coordinator does', async () => {
    const { child, ready } = await start(direct, '--workers', '2');
    const ended = new Promise((resolve) => child.once('exit', (status) => resolve(status)));
    process.kill(ready.workers[0]!, 'SIGKILL');
    await expect.poll(() => isAlive(ready.workers[0]!)).toBe(false);
    expect((await fetch(`${ready.url}/health/ready`)).status).toBe(200);
    process.kill(ready.coordinator, 'SIGKILL');
    expect(await ended).toBe(1);
    await expect.poll(() => isGone(ready), { interval: 100 }).toBe(true);
  });
});

test.each([
  ['--workers', 'many'],
  ['--data', main],
])('a command line that cannot be followed is refused: %s %s', async (...args) => {
  const child = spawn(process.execPath, [main, ...args], { stdio: 'ignore' });
  expect(await new Promise((resolve) => child.once('exit', resolve))).toBe(2);
});

test.each([
  ['another program listens on it', null, /^cluster: got --port \d+, where another program listens, .*Give another/],
  ['it is none', 65_536, /^cluster: got --port 65536, which no machine has, .*Give another/],
] as const)('a port that cannot be had is refused before anything starts: %s', async (_, given, words) => {
  const taken = createServer();
  onTestFinished(() => void taken.close());
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
  const port = given ?? (taken.address() as AddressInfo).port;
  const child = spawn(process.execPath, [main, '--port', String(port)], { stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
  expect(await new Promise((resolve) => child.once('close', resolve))).toBe(2);
  expect(said).toMatch(words);
});
