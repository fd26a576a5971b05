import { folderOfTest, serverOfTest } from '@orchard/storage/testing';
import { readFile, stat } from 'node:fs/promises';
import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { join } from 'node:path';
import { BitMatrix } from '@orchard/dataset';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { CoordinatorClient } from './coordinator-client.js';
import { ServerError } from '../output/server-error.js';
import { Terminal } from '../output/terminal.js';
import { execAtEnd } from './exec-at-end.js';
import { describeNotifications, describeRun, describeTrouble, progressOf } from './run-display.js';
import { readEvents } from './server-events.js';
import type { RunStatus } from './documents.js';

const id = 'a'.repeat(64);
const counts = { total: 4, waiting: 1, active: 1, done: 2, quarantined: 0 };
const status: RunStatus = {
  id,
  state: 'training',
  submittedAt: '2026-01-01T00:00:00.000Z',
  choice: { selection: 'linearized', refit: true },
  reason: null,
  specification: { train: id, valid: id, test: null },
  networks: [],
  stages: { train: counts, select: null },
  treesPerSecond: 1234.5,
  secondsLeft: 75,
  secondsLeftRange: { least: 38, most: 150 },
  logLikelihood: -9.64,
  quarantined: [],
  notices: [],
};

type Answer = RequestListener;

/** A run that met rows which are not what was written. */
function failedBy(dataset: string): RunStatus {
  const reason = `Training was given up after 2 attempts: datasets/${dataset}: got bytes of SHA-256 1, expected SHA-256 2.`;
  return { ...status, state: 'failed', reason };
}

/** A server that answers requests in this order, the last one again and again. */
function serve(...answers: Answer[]): Promise<string> {
  let request = 0;
  return serverOfTest((incoming, response) => answers[Math.min(request++, answers.length - 1)]!(incoming, response));
}

const json =
  (code: number, body: unknown): Answer =>
  (_request, response) => {
    response.writeHead(code, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
  };

describe('the client', () => {
  test('shows its token, and passes a refusal on with all its parts', async () => {
    let shown: string | undefined;
    const problem = {
      detail: 'got a, expected b.',
      code: 'conflict',
      status: 409,
      got: 'a',
      expected: 'b',
      remedy: 'c',
    };
    const server = await serve((request, response) => {
      shown = request.headers.authorization;
      json(409, problem)(request, response);
    });
    const error = await new CoordinatorClient({ server, token: 'secret' })
      .status(id)
      .catch((reason: unknown) => reason);
    expect(shown).toBe('Bearer secret');
    expect(error).toBeInstanceOf(ServerError);
    expect(error).toMatchObject({
      message: problem.detail,
      parts: { got: 'a', expected: 'b', remedy: 'c' },
      retryable: false,
    });
  });

  test('says of a submission with words that an older coordinator does not know that it is older', async () => {
    const parts = { got: 'unknown "name"', expected: 'only model', remedy: 'Remove "name", or correct the spelling.' };
    const server = await serve(json(400, { detail: 'got', code: 'invalid-contract', status: 400, ...parts }));
    const client = new CoordinatorClient({ server, token: null });
    await expect(client.submit({ train: id, valid: id })).rejects.toMatchObject({
      message:
        'The coordinator is of an older release than this program: to it "name" is unknown. Use the program and the coordinator of one release.',
      isBadInput: true,
    });
  });

  test('says of what an older coordinator has no path for, or no method, that it is older', async () => {
    const path = { got: 'POST "/v1/networks"', expected: 'a path of the API', remedy: 'GET /docs lists them.' };
    const method = { got: 'DELETE', expected: 'GET', where: '/v1/garbage', remedy: 'Use one of these methods.' };
    const run = { got: `run ${id}`, expected: 'a run that was not deleted', remedy: 'Submit it again.' };
    const server = await serve(
      json(404, { detail: 'got', code: 'not-found', status: 404, ...path }),
      json(405, { detail: 'got', code: 'method-not-allowed', status: 405, ...method }),
      json(404, { detail: 'of a run', code: 'not-found', status: 404, ...run }),
    );
    const client = new CoordinatorClient({ server, token: null });
    const older = (what: string): object => ({
      message: `The coordinator is of an older release than this program: to it ${what} is unknown. Use the program and the coordinator of one release.`,
      isBadInput: true,
    });
    const asked = { count: 1, seed: 1, rules: false };
    await expect(client.beginSampling(id, asked)).rejects.toMatchObject(older(`POST /v1/networks/${id}/samplings`));
    await expect(client.garbage(60, true)).rejects.toMatchObject(older('DELETE /v1/garbage'));
    await expect(client.status(id)).rejects.toMatchObject({ message: 'of a run' });
  });

  test('comes back when it was told to, having asked too often, and says so', async () => {
    const busy =
      (retryAfter: string | null): Answer =>
      (_request, response) => {
        if (retryAfter !== null) response.setHeader('Retry-After', retryAfter);
        json(429, { detail: 'Wait.', code: 'too-many-requests', status: 429 })(_request, response);
      };
    const bodies: string[] = [];
    const take: Answer = (request, response) => {
      request.setEncoding('utf8').on('data', (chunk: string) => bodies.push(chunk));
      request.on('end', () => json(200, status)(request, response));
    };
    const date = new Date(Date.now() + 1000).toUTCString();
    const server = await serve(busy('1'), busy('0'), busy(null), busy(date), take);
    const waits: number[] = [];
    const begun = performance.now();
    const request = { train: id, valid: id, test: null };
    await new CoordinatorClient(
      { server, token: null },
      (wait) => 'seconds' in wait && waits.push(wait.seconds),
    ).submit(request);
    expect(waits.slice(0, 3)).toEqual([1, 0.1, 1]);
    expect(waits).toHaveLength(4);
    expect(performance.now() - begun).toBeGreaterThan(2000);
    expect(JSON.parse(bodies.join(''))).toEqual(request);
  });

  test('asks again, once, where a connection ends before the answer', async () => {
    const brokenOff: Answer = (request) => request.socket.destroy();
    const server = await serve(brokenOff, json(200, status), brokenOff, brokenOff, json(200, status));
    const client = new CoordinatorClient({ server, token: null });
    expect((await client.status(id)).state).toBe('training');
    await expect(client.status(id)).rejects.toMatchObject({ message: expect.stringContaining('cannot be reached') });
  });

  test('waits for a coordinator that has answered and is being restarted, says so once, and for no other', async () => {
    const start = async (port: number): Promise<Server> => {
      const server = createServer(json(200, status));
      await once(server.listen(port, '127.0.0.1'), 'listening');
      return server;
    };
    const stop = async (server: Server): Promise<void> => {
      server.closeAllConnections();
      await once(server.close(), 'close');
    };
    const first = await start(0);
    const { port } = first.address() as AddressInfo;
    const login = { server: `http://127.0.0.1:${String(port)}`, token: null };
    const away: string[] = [];
    const client = new CoordinatorClient(login, (wait) => 'away' in wait && away.push(wait.away));
    await client.status(id);
    await stop(first);
    const answer = client.submit({ train: id, valid: id });
    await expect.poll(() => away.length).toBe(1);
    await expect(new CoordinatorClient(login).status(id)).rejects.toMatchObject({ code: 'unreachable' });
    // until it has asked a second time
    await sleep(1200);
    const second = await start(port);
    expect((await answer).state).toBe('training');
    await stop(second);
    expect(away).toEqual([expect.stringContaining('ECONNREFUSED')]);
  });

  test.each([
    ['http://127.0.0.1:6000', /bad port.*have the coordinator listen on another \(ORCHARD_PORT\)/],
    ['http://127.0.0.1:1', /Check the address \(--server, ORCHARD_SERVER\)|ORCHARD_PORT/],
  ])('says what to do about %s, which cannot be reached', async (server, message) => {
    const client = new CoordinatorClient({ server, token: null });
    await expect(client.status(id)).rejects.toMatchObject({ message: expect.stringMatching(message) });
  });

  test('gives up at once when it is told to come back after longer than anybody waits', async () => {
    const server = await serve((request, response) => {
      response.setHeader('Retry-After', '3600');
      json(429, { detail: 'Wait an hour.', code: 'too-many-requests', status: 429 })(request, response);
    });
    const client = new CoordinatorClient({ server, token: null });
    await expect(client.status(id)).rejects.toMatchObject({ code: 'too-many-requests', retryable: true });
  });

  test('says so when what answers is no coordinator', async () => {
    const client = new CoordinatorClient({ server: await serve((_, response) => response.end('<html>')), token: null });
    await expect(client.status(id)).rejects.toThrow();
    const gone = new CoordinatorClient({ server: 'http://127.0.0.1:9', token: null });
    await expect(gone.status(id)).rejects.toMatchObject({ code: 'unreachable' });
  });

  test('sends a matrix once, whole, and not when it is there, but where a run has found it damaged', async () => {
    const matrix = BitMatrix.fromRows(['01', '10'], { names: ['x', 'y'] });
    const facts = { id: matrix.contentHash(), rows: 2, dimensions: 2 };
    const bodies: Buffer[] = [];
    const missing = { detail: 'none', code: 'missing-artefact', status: 404 };
    const take: Answer = (request, response) => {
      const chunks: Buffer[] = [];
      request
        .on('data', (chunk: Buffer) => chunks.push(chunk))
        .on('end', () => {
          bodies.push(Buffer.concat(chunks));
          json(201, facts)(request, response);
        });
    };
    const client = new CoordinatorClient({
      server: await serve(
        ...[json(404, missing), take],
        ...[
          json(200, facts),
          json(200, { runs: [{ ...status, state: 'failed', reason: 'out of memory' }], next: null }),
        ],
        // of a release before
        ...[json(200, facts), json(400, { detail: 'unknown "dataset"', code: 'invalid-contract', status: 400 })],
        ...[json(200, facts), json(200, { runs: [failedBy(facts.id)], next: null }), take],
      ),
      token: null,
    });
    for (const sent of [1, 1, 1, 2]) {
      expect(await client.upload(matrix)).toEqual(facts);
      expect(bodies).toHaveLength(sent);
    }
    for (const body of bodies) expect(BitMatrix.from(new Uint8Array(body).buffer).equals(matrix)).toBe(true);
  });

  test('follows a run over connections that break', async () => {
    const event = (state: string): string => `event: status\ndata: ${JSON.stringify({ ...status, state })}\n\n`;
    const stream =
      (text: string, broken: boolean): Answer =>
      (_request, response) => {
        response.writeHead(200, { 'Content-Type': 'text/event-stream' });
        response.write(text, () => (broken ? response.destroy() : response.end()));
      };
    const unavailable = json(503, { detail: 'later', code: 'unavailable', status: 503 });
    const server = await serve(
      stream(event('training'), true),
      unavailable,
      stream(`: beat\n\n${event('refitting')}${event('done')}`, false),
    );
    const states: string[] = [];
    const client = new CoordinatorClient({ server, token: null });
    for await (const { state } of client.follow(id, (why) => states.push(why))) states.push(state);
    expect(states).toEqual(['training', 'later', 'refitting', 'done']);
  });

  test('finds a run by the first digits of its id, when they are of one run', async () => {
    const other = `aaaab${'0'.repeat(59)}`;
    const page = { runs: [status, { ...status, id: other }], next: null };
    const client = new CoordinatorClient({ server: await serve(json(200, page)), token: null });
    expect(await client.find('aaaab')).toBe(other);
    await expect(client.find('aaaa')).rejects.toThrow('2 runs begin so');
    await expect(client.find('ffff')).rejects.toThrow('orchard runs lists them');
    await expect(client.find('../x')).rejects.toThrow('expected the id of one run');
  });
});

test.each([
  ['LF', '\n'],
  ['CR LF, as proxies write them', '\r\n'],
  ['CR', '\r'],
])('events whose lines end with %s are read across the borders of chunks', async (_what, end) => {
  const text = 'id: 0\nevent: status\ndata: {"a":1}\n\n: beat\n\nevent: problem\ndata: x\ndata: é\n\n: the end\n';
  const bytes = new TextEncoder().encode(text.replaceAll('\n', end));
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const byte of bytes) controller.enqueue(Uint8Array.of(byte));
      controller.close();
    },
  });
  const events = [];
  for await (const event of readEvents(new Response(body))) events.push(event);
  expect(events).toEqual([
    { event: 'status', data: '{"a":1}' },
    { event: 'problem', data: 'x\né' },
  ]);
});

describe('a run is shown', () => {
  test('with what is under way', () => {
    expect(progressOf(status)).toMatchObject({
      stage: 'train',
      tasks: { done: 2, total: 4, called: 'dimensions' },
      secondsLeft: 75,
      secondsLeftRange: { least: 38, most: 150 },
    });
    const stages = { train: { ...counts, done: 4 }, refit: { ...counts, done: 0 } };
    expect(progressOf({ ...status, stages, secondsLeft: 0 })).toMatchObject({
      stage: 'refit',
      state: 'refitting',
      tasks: { done: 0, total: 4, called: 'dimensions' },
      secondsLeft: null,
      secondsLeftRange: null,
    });
    expect(progressOf({ ...status, state: 'cancelled' })).toBeNull();
    const text = describeRun(status);
    expect(text).toContain('train    2 of 4 done, 1 active, 1 waiting');
    expect(text).toContain('38 s to 3 min left of this stage');
  });

  test('with what it has cost, and when it is deleted and what keeps it', () => {
    const cost = { threadSeconds: 75, isWhole: false, storedBytes: 2e6 };
    const deletion = { at: '2027-02-25T12:00:00.000Z', why: 'runs are kept for 90 days after their end' };
    const text = describeRun({ ...status, state: 'done', cost, deletion });
    expect(text).toMatch(/^over .* of threads so far, .* stored$/m);
    expect(text).toContain(
      `deleted at 2027-02-25 12:00:00 UTC: runs are kept for 90 days after their end; orchard pin ${status.id.slice(0, 12)} keeps it`,
    );
  });

  test('with what it waits for and since when, and with what is tried again', () => {
    const waits = [{ code: 'paused', message: 'The queue is paused.', since: '2026-01-02T03:04:05.678Z' }];
    const failed = { task: 'train/3', stage: 'train', attempts: 1, code: 'full', reason: 'No room.', stack: null };
    const retrying = Array.from({ length: 7 }, (_, dimension) => ({ ...failed, dimension }));
    const lines = describeRun({ ...status, notices: ['The queue is paused. (since 2026)'], waits, retrying }).split(
      '\n',
    );
    expect(lines.slice(-7)).toEqual([
      'waits since 2026-01-02 03:04:05 UTC: The queue is paused.',
      ...[0, 1, 2, 3, 4].map((dim) => `train dimension ${dim} is tried again, having failed 1 time (full): No room.`),
      '2 more tasks tried again: orchard logs aaaaaaaaaaaa has them all',
    ]);
    const ofMember = describeRun({ ...status, retrying: [{ ...failed, task: 'train/m2.3', dimension: 3 }] });
    expect(ofMember).toContain('train/m2.3 is tried again');
  });

  test('with what was given up, its reason and its stack', () => {
    const work = {
      stage: 'train',
      dimension: 3,
      attempts: 5,
      code: 'training-failed',
      reason: 'poison',
      stack: 'at x',
    };
    expect(describeTrouble({ ...status, quarantined: [work] })).toBe(
      'train dimension 3: given up after 5 attempts (training-failed): poison\nat x\n' +
        'To see train/3 fail here, where ORCHARD_STORE names the store: orchard replay aaaaaaaaaaaa train/3',
    );
    const refit = { ...work, task: 'refit/0123456789abcdef.3', stage: 'refit' };
    expect(describeTrouble({ ...status, quarantined: [refit] })).toContain(
      'replay aaaaaaaaaaaa refit/0123456789abcdef.3',
    );
    expect(describeTrouble(status)).toContain('nothing went wrong');
  });
});

describe('a login', () => {
  let folder: string;
  beforeEach(() => {
    folder = folderOfTest();
    vi.stubEnv('XDG_CONFIG_HOME', folder);
    vi.stubEnv('ORCHARD_SERVER', undefined);
    vi.stubEnv('ORCHARD_TOKEN', undefined);
    vi.resetModules();
  });
  afterEach(() => {
    vi.unstubAllEnvs();
  });

  test.runIf(process.platform === 'linux')(
    'that cannot be kept is refused, where folders answer strangely too',
    async () => {
      vi.stubEnv('XDG_CONFIG_HOME', '/proc/nope');
      const { saveLogin } = await import('./config.js');
      await expect(saveLogin({ server: 'http://127.0.0.1:1', token: null })).rejects.toMatchObject({ code: 'ENOENT' });
    },
  );

  test('is readable by its owner alone, and its token is sent to no other server', async () => {
    const { findLogin, saveLogin } = await import('./config.js');
    await expect(findLogin(undefined)).rejects.toThrow('got no server');
    const path = await saveLogin({ server: 'http://one.example', token: 'secret' });
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(await readFile(path, 'utf8')).toContain('secret');
    expect(await findLogin(undefined)).toEqual({ server: 'http://one.example', token: 'secret' });
    expect(await findLogin('http://one.example/')).toEqual({ server: 'http://one.example', token: 'secret' });
    expect(await findLogin('http://two.example')).toEqual({ server: 'http://two.example', token: null });
  });

  test.each(['one.example', 'ftp://one.example', 'http://me:secret@one.example', ''])(
    'to %j is refused',
    async (server) => {
      const { findLogin } = await import('./config.js');
      await expect(findLogin(server)).rejects.toThrow(/no server|expected the URL/);
    },
  );
});

describe('orchard watch --exec', () => {
  const terminal = new Terminal({ json: true, quiet: true }, { write: () => true }, { write: () => true });
  const failed: RunStatus = { ...status, state: 'failed', name: '$(touch pwned) "rentals".csv', reason: 'because' };

  test('runs a command that its environment tells of the end, and nothing of a name becomes part of it', async () => {
    const folder = folderOfTest();
    const said = '"$ORCHARD_RUN|$ORCHARD_RUN_STATE|$ORCHARD_RUN_NAME|$ORCHARD_RUN_REASON"';
    await execAtEnd(`cd '${folder}' && printf %s ${said} > told`, failed, terminal);
    expect(await readFile(join(folder, 'told'), 'utf8')).toBe(`${id}|failed|$(touch pwned) "rentals".csv|because`);
    await expect(stat(join(folder, 'pwned'))).rejects.toThrow('ENOENT');
  });

  test('a command that fails is an error that says how it ended', async () => {
    await expect(execAtEnd('exit 7', failed, terminal)).rejects.toThrow('it ended with 7');
    await expect(execAtEnd('kill -9 $$', failed, terminal)).rejects.toThrow('it ended with SIGKILL');
  });
});

test('what an address of --notify took is said an attempt a line', () => {
  const [at, next] = ['2026-01-01T00:00:00.000Z', '2026-01-01T00:00:10.000Z'];
  const refused = { at, status: 500, reason: 'it answered 500' };
  const taken = { at: next, status: 204, reason: null };
  const told = (state: string, attempts: object[], due: string | null): string[] =>
    describeNotifications({ to: 'https://a', deliveries: [{ end: 2, state, next: due, attempts: attempts as never }] });
  expect(describeNotifications(null)).toEqual([]);
  expect(describeNotifications({ to: 'https://a', deliveries: [] })).toEqual([
    'https://a is notified when the run ends',
  ]);
  expect(told('pending', [refused], next)).toEqual([
    '2026-01-01 00:00:00 UTC: https://a was not notified: it answered 500',
    'https://a is notified again at 2026-01-01 00:00:10 UTC',
  ]);
  expect(told('delivered', [refused, taken], null)[1]).toBe('2026-01-01 00:00:10 UTC: https://a was notified');
  expect(told('given-up', [refused], null)[1]).toContain('is not notified any more');
});
