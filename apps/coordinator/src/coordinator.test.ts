import { BitMatrix } from '@orchard/dataset';
import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { problemOf, startHarness, type Harness } from './harness.suite.js';

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness({
    ORCHARD_MAX_UPLOAD_BYTES: '100000',
    ORCHARD_MAX_CELLS: '5000',
    ORCHARD_MAX_JSON_BYTES: '10000',
    ORCHARD_MAX_ROUNDS: '2000',
  });
});
afterAll(() => harness.stop());

const rows = 'a,b,c\n0,1,1\n1,0,0\n1,1,0\n';
const upload = (body: string | Uint8Array, query = '', headers?: Record<string, string>): Promise<Response> =>
  harness.send(`/v1/datasets${query}`, body, headers);

async function submitted(): Promise<string> {
  const { id } = (await (await upload(rows)).json()) as { id: string };
  const response = await harness.post('/v1/runs', { train: id, valid: id, preset: 'paper' });
  expect(response.status).toBe(202);
  return ((await response.json()) as { id: string }).id;
}

describe('a data set', () => {
  test('is stored under the hash of its content: 201, then 200 for the same rows in another format', async () => {
    const first = await upload('x,y\n0,1\n1,1\n');
    expect(first.status).toBe(201);
    const facts = (await first.json()) as { id: string };
    expect(facts).toMatchObject({ rows: 2, dimensions: 2, names: ['x', 'y'], shape: null });
    const again = await upload(gzipSync('x\ty\n0\t1\n1\t1\n'), '?format=tsv', { 'Content-Type': 'application/gzip' });
    expect(again.status).toBe(200);
    expect(await again.json()).toEqual(facts);
    const read = await harness.ask(`/v1/datasets/${facts.id}`);
    expect(await read.json()).toEqual(facts);
  });

  test('takes the options of the command line', async () => {
    const response = await upload('p,kind\n0.9,dog\n0.2,cat\n', '?threshold=0.5&one-hot=kind');
    expect(await response.json()).toMatchObject({ names: ['p', 'kind=cat', 'kind=dog'] });
  });

  test('is refused with the place of the value that is no bit', async () => {
    const response = await upload('a,b\n0,1\n0,7\n');
    expect(response.status).toBe(422);
    expect(await problemOf(response)).toMatchObject({
      code: 'value',
      got: expect.stringContaining('7'),
      where: expect.stringContaining('line 3'),
    });
  });

  test.each([
    ['a,b\n0,0.5\n', '', 'a threshold (?threshold=), or binarize at random with a seed (?binarize=bernoulli, ?seed=).'],
    ['a,b\n0,red\n', '', 'read as one-hot columns (?one-hot=), or left out by choosing columns (?columns=).'],
    ['1,2,3\n4,5,6\n', '?threshold=2', 'Say whether line 1 is a header (?header=yes or ?header=no).'],
    ['a,b\n0,?\n', '', 'Missing values are welcome in completion only.'],
    ['smoker,age\n0,1\n', '?columns=smokr', 'Did you mean "smoker"?'],
  ])('of %j with the query %j is refused with the parameter to give', async (body, query, remedy) => {
    const problem = await problemOf(await upload(body, query));
    expect(problem['status']).toBe(422);
    // behind it stands the way of tables, where the rows may be of one
    const [own] = String(problem['remedy']).split(' A table of ');
    expect(own!.endsWith(remedy)).toBe(true);
  });

  test.each([
    ['an empty body', '', 422, {}],
    ['more bytes than allowed', '0,1\n'.repeat(50_000), 413, {}],
    ['more rows x dimensions than allowed', '0,1\n'.repeat(5000), 413, {}],
    ['a gzip bomb', gzipSync('0,1\n'.repeat(1_000_000)), 413, {}],
    ['a truncated gzip', gzipSync(rows).subarray(0, 20), 422, {}],
    ['a form', 'x', 415, { 'Content-Type': 'multipart/form-data; boundary=x' }],
    ['an encoding that is not read', rows, 415, { 'Content-Encoding': 'br' }],
  ])('of %s is refused', async (_what, body, status, headers) => {
    const response = await upload(body, '', headers);
    expect(response.status).toBe(status);
    await problemOf(response);
  });

  test('of more bytes than allowed is sent to a bucket', async () => {
    const { remedy } = await problemOf(await upload('0,1\n'.repeat(50_000)));
    expect(remedy).toContain('POST /v1/readings');
  });

  test('without announced length is cut at the limit', async () => {
    // far beyond the limit, and yet with an end: the client goes on filling its memory when the connection has been cut
    let left = 2000;
    const body = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        if (left-- > 0) controller.enqueue(Buffer.from('0,1,1\n1,0,0\n'.repeat(500)));
        else controller.close();
      },
    });
    const answer = harness.ask('/v1/datasets', {
      method: 'POST',
      body,
      duplex: 'half',
      headers: { 'Content-Type': 'text/csv' },
    } as RequestInit);
    // either the refusal arrives, or the connection is cut under the rest of the body; nothing is stored
    const status = await answer.then(
      ({ status: code }) => code,
      () => 413,
    );
    expect(status).toBe(413);
  });

  test.each([
    ['?format=xls', 'csv'],
    ['?header=true', 'auto, yes or no'],
    ['?threshold=a', 'a number'],
    ['?threshold=', 'a number'],
    ['?threshold=0x1', 'a number'],
    ['?seed=-1', 'a whole number from 0'],
    ['?surprise=1', 'format'],
    ['?shape=28', '28x28'],
  ])('with the query %s is refused, and what it could be is said', async (query, expected) => {
    const response = await upload(rows, query);
    expect(response.status).toBe(400);
    const where = expect.stringContaining('query') as string;
    expect(await problemOf(response)).toMatchObject({ where, expected: expect.stringContaining(expected) as string });
  });

  test('that a run needs is not removed', async () => {
    const { id } = (await (await upload(rows)).json()) as { id: string };
    const response = await harness.ask(`/v1/datasets/${id}`, { method: 'DELETE' });
    expect(response.status).toBe(409);
    expect(await problemOf(response)).toMatchObject({ code: 'dataset-in-use' });
  });
});

describe('a run', () => {
  test('submitted twice is one run', async () => {
    expect(await submitted()).toBe(await submitted());
  });

  test('of leaves alone says what share of the predictors each tree splits on; of both it has nothing to say', async () => {
    const { id } = (await (await upload(rows)).json()) as { id: string };
    const noticesOf = async (words: object): Promise<unknown> =>
      (
        (await (await harness.post('/v1/runs', { train: id, valid: id, rounds: 3, ...words })).json()) as {
          notices: unknown;
        }
      ).notices;
    expect(await noticesOf({ leaves: 4 })).toEqual([
      'with leaves alone each tree splits on 0.5 of the predictors, and may miss what two columns show together; featureFraction 1 takes all',
    ]);
    expect(await noticesOf({ leaves: 4, featureFraction: 0.5 })).toEqual([]);
  });

  test('is followed by events: its state first, then its changes, then the end', async () => {
    const id = await submitted();
    await harness.life.change(id, { state: 'training' });
    const response = await harness.ask(`/v1/runs/${id}/events`);
    expect(response.headers.get('content-type')).toContain('text/event-stream');
    const events = (await response.text()).trim().split('\n\n');
    const states = events.map((event) => (JSON.parse(/^data: (.*)$/m.exec(event)![1]!) as { state: string }).state);
    expect(states).toEqual(['training', 'done']);
  });

  test('is cancelled, resumed, given another choice and removed', async () => {
    const id = await submitted();
    const state = async (response: Promise<Response>): Promise<unknown> =>
      ((await (await response).json()) as { state: string }).state;
    expect(await state(harness.ask(`/v1/runs/${id}/cancel`, { method: 'POST' }))).toBe('cancelled');
    expect(await state(harness.ask(`/v1/runs/${id}/resume`, { method: 'POST' }))).toBe('training');
    const selected = await harness.post(`/v1/runs/${id}/select`, { selection: 'common', refit: false });
    expect(await selected.json()).toMatchObject({ choice: { selection: 'common', refit: false } });
    expect((await harness.ask(`/v1/runs/${id}`, { method: 'DELETE' })).status).toBe(204);
    expect((await harness.ask(`/v1/runs/${id}`)).status).toBe(404);
  });

  test('has no network before it has made one, and says what to do', async () => {
    const id = await submitted();
    for (const path of ['network', 'report', 'summary']) {
      const response = await harness.ask(`/v1/runs/${id}/${path}`);
      expect(response.status).toBe(409);
      expect(await problemOf(response)).toMatchObject({ code: 'not-ready', remedy: expect.stringContaining('Wait') });
    }
    const other = await problemOf(await harness.ask(`/v1/runs/${id}/network?selection=individual`));
    expect(other.remedy).toContain('/select');
  });

  test.each([
    ['one leaf', { leaves: 1 }, 400],
    ['no shrinkage', { shrinkage: 0 }, 400],
    ['an unknown word', { tress: 3 }, 400],
    ['more rounds than this coordinator allows', { rounds: 2001 }, 422],
    ['an ordering of another length', { ordering: [1, 0] }, 422],
    ['an ordering that names a dimension twice', { ordering: [1, 1, 0] }, 422],
    ['no members', { members: 0 }, 400],
    ['members in an ordering that is not known', { orderings: ['nearest'] }, 400],
    ['members and an ordering of one network', { members: 2, ordering: 'random' }, 422],
  ])('of %s is refused', async (_what, words, status) => {
    const { id } = (await (await upload(rows)).json()) as { id: string };
    const response = await harness.post('/v1/runs', { train: id, valid: id, ...words });
    expect(response.status).toBe(status);
    expect(Object.keys(await problemOf(response))).toEqual(expect.arrayContaining(['got', 'expected', 'remedy']));
  });

  test('of more members is the same run, of which more is wanted', async () => {
    const { id } = (await (await upload(rows)).json()) as { id: string };
    const asked = async (members: number): Promise<{ readonly id: string; readonly choice: object }> => {
      const response = await harness.post('/v1/runs', { train: id, valid: id, preset: 'paper', folds: 2, members });
      expect(response.status).toBe(202);
      return (await response.json()) as { id: string; choice: object };
    };
    const [two, five] = [await asked(2), await asked(5)];
    expect(two.choice).toEqual({ selection: 'common', refit: true, members: 2 });
    expect([five.id, two.id === (await submitted())]).toEqual([two.id, false]);
    const unmade = await problemOf(await harness.ask(`/v1/runs/${two.id}/network?members=3`));
    expect(unmade['got']).toContain('common-refit-m3');
  });

  test('of data that are not there is refused', async () => {
    const id = '0'.repeat(64);
    expect((await harness.post('/v1/runs', { train: id, valid: id })).status).toBe(404);
  });
});

test('a path that cannot be decoded is refused in our words', async () => {
  const response = await harness.ask('/v1/runs/%zz');
  expect(await problemOf(response)).toMatchObject({ status: 400, got: 'a path that cannot be decoded', where: 'path' });
});

describe('a body', () => {
  const send = (body: string, type = 'application/json'): Promise<Response> =>
    harness.send('/v1/runs', body, { 'Content-Type': type });

  test.each([
    ['no JSON', '{"train":', 400],
    ['another type than an object', '[1]', 400],
    ['JSON null', 'null', 400],
    ['a number beyond JSON', '{"train":1e999}', 400],
    ['more than allowed', JSON.stringify({ train: 'x'.repeat(20_000) }), 413],
  ])('of %s is refused', async (_what, body, status) => {
    const response = await send(body);
    expect(response.status).toBe(status);
    await problemOf(response);
  });

  test('that is not said to be JSON is refused', async () => {
    expect((await send('{}', 'text/plain')).status).toBe(415);
    expect((await send('{}', 'application/x-www-form-urlencoded')).status).toBe(415);
  });

  test('that is missing is refused', async () => {
    const response = await harness.ask('/v1/runs', { method: 'POST' });
    expect(response.status).toBe(400);
    await problemOf(response);
  });
});

describe('the document', () => {
  test('is OpenAPI 3.1 with every operation, its schemas from zod', async () => {
    const document = (await (await harness.ask('/docs/json')).json()) as {
      openapi: string;
      servers: readonly object[];
      paths: Record<string, Record<string, { responses: object; operationId: string; security?: readonly object[] }>>;
      components: { schemas: Record<string, { properties: Record<string, { description?: string }> }> };
    };
    expect(document.openapi).toBe('3.1.0');
    expect(Object.keys(document.paths).sort()).toEqual([
      '/health/live',
      '/health/ready',
      '/metrics',
      '/v1/audit',
      '/v1/caller',
      '/v1/cluster',
      '/v1/datasets',
      '/v1/datasets/describe',
      '/v1/datasets/split',
      '/v1/datasets/{id}',
      '/v1/events',
      '/v1/garbage',
      '/v1/load',
      '/v1/networks/{id}/alarms',
      '/v1/networks/{id}/check',
      '/v1/networks/{id}/compare',
      '/v1/networks/{id}/complete',
      '/v1/networks/{id}/evaluations',
      '/v1/networks/{id}/importance',
      '/v1/networks/{id}/sample',
      '/v1/networks/{id}/samplings',
      '/v1/networks/{id}/score',
      '/v1/readings',
      '/v1/readings/{id}',
      '/v1/retention',
      '/v1/runs',
      '/v1/runs/{id}',
      '/v1/runs/{id}/cancel',
      '/v1/runs/{id}/evaluation',
      '/v1/runs/{id}/events',
      '/v1/runs/{id}/likelihood',
      '/v1/runs/{id}/links/{file}',
      '/v1/runs/{id}/model',
      '/v1/runs/{id}/network',
      '/v1/runs/{id}/notifications',
      '/v1/runs/{id}/pin',
      '/v1/runs/{id}/repair',
      '/v1/runs/{id}/report',
      '/v1/runs/{id}/resume',
      '/v1/runs/{id}/select',
      '/v1/runs/{id}/slices/{slice}',
      '/v1/runs/{id}/summary',
      '/v1/runs/{id}/tasks',
      '/v1/runs/{id}/tasks/{kind}/{key}',
      '/v1/runs/{id}/unpin',
      '/v1/sign-in',
    ]);
    // what tools that write clients read beside the paths
    const operations = Object.values(document.paths).flatMap((verbs) => Object.values(verbs));
    const ids = operations.map(({ operationId }) => operationId);
    expect(ids.filter((id) => !/^[A-Za-z]+_[A-Za-z]+$/.test(id))).toEqual([]);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toEqual(expect.arrayContaining(['Artefacts_network', 'Artefacts_model']));
    expect(operations.filter(({ security }) => security === undefined)).toEqual([]);
    expect(document.paths['/health/live']!['get']!.security).toEqual([]);
    expect(document.servers).toHaveLength(1);
    // one shape for each family
    expect(JSON.stringify(document.components.schemas['RunRequest'])).toMatch(/"leaves":\{[^{}]*leaves per tree/);
    expect(JSON.stringify(document)).not.toContain('$schema');
  });

  test('is shown as a page', async () => {
    const response = await harness.ask('/docs');
    expect(response.status).toBe(200);
    expect(await response.text()).toContain('swagger-ui');
  });
});

test('metrics and load say how much work there is', async () => {
  expect(await (await harness.ask('/v1/load')).json()).toEqual({
    ...{ waiting: 5, active: 2, jobs: 10 },
    readings: { waiting: 2, active: 1 },
    selectors: { waiting: 0, active: 1, jobs: 1 },
  });
  const text = await (await harness.ask('/metrics')).text();
  expect(text).toContain('nodejs_eventloop_lag_seconds');
  expect(text).toContain('orchard_http_request_seconds_bucket');
});

describe('a coordinator without tokens', () => {
  test('asks for none, and answers to names of loopback alone', async () => {
    const open = await startHarness({ ORCHARD_TOKENS: '' });
    try {
      expect((await fetch(`${open.url}/v1/runs`)).status).toBe(200);
      const answer = await new Promise<string>((resolve) => {
        const socket = connect(Number(new URL(open.url).port), '127.0.0.1', () => {
          socket.write('GET /v1/runs HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n');
        });
        socket.once('data', (data) => resolve(String(data)));
      });
      expect(answer).toMatch(/^HTTP\/1\.1 403 /);
    } finally {
      await open.stop();
    }
  });
});

test('a caller who asks too often is told when to come again', async () => {
  const slow = await startHarness({ ORCHARD_MAX_REQUESTS_PER_SECOND: '2' });
  try {
    const statuses: number[] = [];
    let last: Response | undefined;
    for (let request = 0; request < 6; request++) {
      last = await slow.ask('/v1/runs');
      statuses.push(last.status);
    }
    expect(statuses.slice(0, 4)).toEqual([200, 200, 200, 200]);
    expect(last?.status).toBe(429);
    expect(Number(last?.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await fetch(`${slow.url}/health/live`)).status).toBe(200);
    const guesses = [];
    for (let guess = 0; guess < 6; guess++) guesses.push((await fetch(`${slow.url}/v1/runs`)).status);
    expect(guesses.slice(0, 4)).toEqual([401, 401, 401, 401]);
    expect(guesses.at(-1)).toBe(429);
  } finally {
    await slow.stop();
  }
});

test('a store that does not answer is a 503 that says nothing of its inside', async () => {
  const { StorageError } = await import('@orchard/storage');
  const failing = await startHarness(
    {},
    {
      life: Object.assign(Object.create(null) as object, {
        list: () =>
          Promise.reject(new StorageError('unavailable', { got: 'secret-host refused', expected: 'x', remedy: 'y' })),
      }) as never,
      checks: [{ name: 'store', check: () => Promise.reject(new Error('down')) }],
    },
  );
  try {
    const response = await failing.ask('/v1/runs');
    expect(response.status).toBe(503);
    expect(response.headers.get('retry-after')).toBe('5');
    expect(await response.text()).not.toContain('secret-host');
    const health = await fetch(`${failing.url}/health/ready`);
    expect([health.status, await health.json()]).toEqual([503, { status: 'not-ready', checks: { store: 'down' } }]);
    expect(failing.log.join('')).toContain('secret-host');
  } finally {
    await failing.stop();
  }
});

test('a packed matrix is taken as it is, with names and shape, and refused when a bit of its padding is set', async () => {
  const matrix = BitMatrix.fromRows(['0110', '1001'], { names: ['a', 'b', 'c', 'd'], shape: [2, 2] });
  const send = (bytes: Uint8Array): Promise<Response> =>
    upload(bytes, '', { 'Content-Type': 'application/vnd.orchard.matrix' });
  const whole = new Uint8Array(matrix.buffer);
  expect(await (await send(whole)).json()).toMatchObject({ id: matrix.contentHash(), rows: 2, shape: [2, 2] });
  const damaged = whole.slice();
  damaged[damaged.length - 1] = 1;
  expect((await send(damaged)).status).toBe(422);
  expect((await send(whole.subarray(0, 30))).status).toBe(422);
  expect((await send(new Uint8Array(BitMatrix.create(100, 100).buffer))).status).toBe(413);
  expect((await send(new Uint8Array(BitMatrix.create(0, 4).buffer))).status).toBe(422);
});
