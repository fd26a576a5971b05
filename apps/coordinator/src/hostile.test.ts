import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { BitMatrix } from '@orchard/dataset';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';

/** Mebibytes of heap; what is sent here took gigabytes. */
const HEAP = 128;
const run = 'a'.repeat(64);
let child: ChildProcess;
let port = 0;

beforeAll(async () => {
  const script = fileURLToPath(new URL('small-coordinator.suite.mjs', import.meta.url));
  child = spawn(process.execPath, [`--max-old-space-size=${HEAP}`, script], { stdio: ['pipe', 'pipe', 'inherit'] });
  const [line] = (await once(child.stdout!, 'data')) as [Buffer];
  port = Number(String(line));
}, 60_000);
afterAll(() => child.stdin?.end());
afterEach(async () => {
  // still there, and not much larger than it was
  expect((await fetch(`http://127.0.0.1:${port}/health/live`)).status).toBe(200);
  expect(child.exitCode).toBeNull();
});

const peak = /^VmHWM:\s+(\d+) kB$/m;
const procfs = `/proc/${process.pid}/status`;

function peakBytes(): number {
  return Number(peak.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]) * 1024;
}

async function post(path: string, body: BodyInit, headers: Record<string, string>): Promise<[number, string]> {
  const init = { method: 'POST', body, headers, duplex: 'half' } as RequestInit;
  const response = await fetch(`http://127.0.0.1:${port}${path}`, init);
  return [response.status, await response.text()];
}

const score = (body: string, id = run): Promise<[number, string]> =>
  post(`/v1/networks/${id}/score`, body, { 'Content-Type': 'application/json' });
const upload = (body: BodyInit, headers: Record<string, string> = {}, query = ''): Promise<[number, string]> =>
  post(`/v1/datasets${query}`, body, { 'Content-Type': 'text/csv', ...headers });

/** A request whose body never comes, and what is answered to it. */
function half(path: string, headers: string, start = ''): { socket: Socket; answer: Promise<string> } {
  const socket = connect(port, '127.0.0.1');
  socket.write(`POST ${path} HTTP/1.1\r\nHost: localhost\r\n${headers}\r\n\r\n${start}`);
  return { socket, answer: once(socket, 'data').then(([data]) => String(data)) };
}

describe('a score request', () => {
  test('is scored', async () => {
    const [status, text] = await score(JSON.stringify({ rows: [Array.from({ length: 4000 }, () => 1)] }));
    expect([status, text.slice(0, 16)]).toEqual([200, '{"logLikelihood"']);
  });

  test('for a run that does not exist is a 404 before its body has come', async () => {
    const headers = 'Content-Type: application/json\r\nContent-Length: 7800000';
    const { socket, answer } = half(`/v1/networks/${'b'.repeat(64)}/score`, headers, '{"rows":[[2,');
    expect(await answer).toMatch(/^HTTP\/1\.1 404 /);
    socket.destroy();
  });

  test('of megabytes of wrong values ends at the first', async () => {
    const values = `[${'2,'.repeat(600_000)}2]`;
    const [status, text] = await score(`{"rows":[${values}]}`);
    expect([status, text]).toEqual([400, expect.stringContaining('rows.0.0')]);
    expect((await score(`{"rows":[${'7,'.repeat(600_000)}7]}`))[0]).toBe(400);
  });

  test('that could take more memory than there is gets no room, alone or beside others', async () => {
    const [status, text] = await score(`{"rows":[${'[],'.repeat(2_600_000)}[]]}`);
    expect([status, text]).toEqual([413, expect.stringContaining('bytes of memory')]);
    const many = await Promise.all(Array.from({ length: 48 }, () => score(`{"rows":[${'{},'.repeat(350_000)}{}]}`)));
    for (const [each] of many) expect([400, 503]).toContain(each);
    expect(many.some(([each]) => each === 503)).toBe(true);
  });

  test.each([
    ['lists', `{"rows":${'['.repeat(200_000)}${']'.repeat(200_000)}}`],
    ['objects', `${'{"a":'.repeat(200_000)}1${'}'.repeat(200_000)}`],
    ['lists behind a quote in a string', `{"a":"\\"","rows":${'['.repeat(100_000)}`],
  ])('of %s 200,000 deep is a 400', async (_what, body) => {
    const [status, text] = await score(body);
    expect([status, text]).toEqual([400, expect.stringContaining('within each other')]);
  });

  test('may have brackets in its strings', async () => {
    const [status, text] = await score(JSON.stringify({ rows: [[0]], ['['.repeat(1000)]: 1 }));
    expect([status, text]).toEqual([400, expect.stringContaining('unknown')]);
  });
});

describe('an upload', () => {
  test('is stored', async () => {
    expect((await upload('0,1\n1,1\n'))[0]).toBe(201);
    expect((await upload(new Uint8Array(BitMatrix.fromRows(['01']).buffer) as BodyInit, matrix))[0]).toBe(201);
  });

  const matrix = { 'Content-Type': 'application/vnd.orchard.matrix' };

  test('of a little gzip that unfolds to rows of one column stops where memory would', async () => {
    // not at one go: a connection that the server closes meanwhile has to be seen
    const bomb = await promisify(gzip)('0\n'.repeat(64 << 20));
    expect(bomb.length).toBeLessThan(200_000);
    const [status, text] = await upload(bomb as BodyInit, { 'Content-Type': 'application/gzip' }, '?format=csv');
    expect([status, text]).toEqual([413, expect.stringContaining('ORCHARD_MAX_MEMORY_BYTES')]);
  });

  test('of a matrix is refused by its first bytes', async () => {
    const size = 'Content-Length: 2500000000\r\nContent-Type: application/vnd.orchard.matrix';
    const other = half('/v1/datasets', size, 'x'.repeat(64));
    expect(await other.answer).toMatch(/^HTTP\/1\.1 422 /);
    other.socket.destroy();
    // two thousand million bits are announced, none comes
    const head = new Uint8Array(BitMatrix.create(1, 64).buffer).slice(0, 64);
    new DataView(head.buffer).setUint32(16, 2 ** 25, true);
    const { socket, answer } = half('/v1/datasets', size, '');
    socket.write(head);
    expect(await answer).toMatch(/^HTTP\/1\.1 413 /);
    socket.destroy();
  });

  test('of one header line with all its columns categorical takes no memory for each', async () => {
    const columns = 20_000;
    const body = `${Array.from({ length: columns }, (_, i) => `c${i}`).join(',')}\n${'x,'.repeat(columns - 1)}y\n`;
    expect((await upload(body, {}, `?one-hot=1-${columns}&header=yes`))[0]).toBe(413);
  });

  test('of a column more than there may be is refused', async () => {
    const [status, text] = await upload(`${'0,'.repeat(262_144)}1\n`);
    expect([status, text]).toEqual([413, expect.stringContaining('at most 262144')]);
  });
});

test.runIf(existsSync(procfs))('all of this took no more than three times what it may', () => {
  expect(peakBytes()).toBeLessThan(3 * (HEAP + 192) * 2 ** 20);
});
