import { afterAll, beforeAll, expect, test } from 'vitest';
import { readToken, startHarness, type Harness } from './harness.suite.js';

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness({ ORCHARD_MAX_UPLOAD_BYTES: '100000' });
});
afterAll(() => harness.stop());

const json = async (answer: Promise<Response>): Promise<Record<string, unknown>> =>
  (await (await answer).json()) as Record<string, unknown>;
const table = ['colour,size', ...Array.from({ length: 40 }, (_, row) => `${['red', 'green'][row % 2]!},${row % 7}`)];

test('whoever asks is told by what name, what it may do and how much it may send', async () => {
  expect(await json(harness.ask('/v1/caller'))).toMatchObject({
    name: 'tester',
    access: 'full',
    mostUploadBytes: 100_000,
  });
  const headers = { Authorization: `Bearer ${readToken}` };
  expect(await json(harness.ask('/v1/caller', { headers }))).toMatchObject({ name: 'reader', access: 'read' });
});

test('the rows of a table are shared out and stored, and make a run that says who submitted it', async () => {
  const body = table.join('\n');
  const splits = await json(harness.send('/v1/datasets?valid-fraction=0.25&test-fraction=0.1', body));
  expect(splits).toMatchObject({ model: 'tables', rows: { train: 26, valid: 10, test: 4 } });
  const { model, train, valid, test: testing } = splits;
  expect(await json(harness.ask(`/v1/datasets/${String(train)}`))).toMatchObject({ rows: 26 });
  const submitted = await harness.post('/v1/runs', { model, train, valid, test: testing, preset: 'default' });
  expect(submitted.status).toBe(202);
  const { id } = (await submitted.json()) as { id: string };
  const { runs } = (await json(harness.ask('/v1/runs'))) as { runs: { id: string; submittedBy?: string }[] };
  expect(runs.find((run) => run.id === id)?.submittedBy).toBe('tester');
});

test('weighed rows are the rows that stand so often, and make a run of one model', async () => {
  const weightOf = (row: number): number => 1 + (row % 3);
  const weighed = table.map((line, at) => (at === 0 ? `${line},people` : `${line},${weightOf(at)}`));
  const repeated = weighed.flatMap((line, at) => {
    return at === 0 ? [line] : Array.from({ length: weightOf(at) }, () => line.replace(/\d+$/, '1'));
  });
  const options = 'weights=people&valid-fraction=0.25';
  const [one, other] = [await sent(weighed, options), await sent(repeated, options)];
  expect(one).toMatchObject({ members: 1, leftOut: [{ name: 'people', why: 'it weighs the rows' }] });
  expect(one['notes']).toContain(
    '40 rows stand as 80 by "people"; if these weights do not count rows, divide them by their mean',
  );
  const { rows } = one as { rows: { train: number; valid: number } };
  expect(rows.train + rows.valid).toBe(80);
  // all repeats of a row are in one split: other rows validate where each stands by itself
  expect((other['rows'] as typeof rows).valid).toBe(20);
  const { model, train, valid, test: testing, members } = one;
  const submitted = await harness.post('/v1/runs', { model, train, valid, test: testing, members });
  expect(submitted.status).toBe(202);
  const wrong = await harness.send('/v1/datasets?weights=poeple', weighed.join('\n'));
  expect([wrong.status, await wrong.text()]).toEqual([422, expect.stringContaining('people')]);

  function sent(lines: readonly string[], query: string): Promise<Record<string, unknown>> {
    return json(harness.send(`/v1/datasets?${query}`, lines.join('\n')));
  }
});

test('a table of 0 and 1 alone is rows of bits', async () => {
  const body = ['a,b', ...Array.from({ length: 30 }, (_, row) => `${String(row % 2)},${String((row >> 1) % 2)}`)].join(
    '\n',
  );
  const { model, train } = await json(harness.send('/v1/datasets?valid-fraction=0.1', body));
  expect(model).toBe('lbarn');
  expect(await json(harness.ask(`/v1/datasets/${String(train)}`))).toMatchObject({ dimensions: 2, names: ['a', 'b'] });
});

test('the former routes answer as the present one does, and the document says what replaced them', async () => {
  const body = table.join('\n');
  const asked = async (path: string): Promise<unknown> => json(harness.send(path, body));
  expect(await asked('/v1/datasets/split')).toEqual(await asked('/v1/datasets?valid-fraction=0.1'));
  expect(await asked('/v1/datasets/describe')).toEqual(await asked('/v1/datasets?describe=true'));
  const { paths } = await json(harness.ask('/docs/json'));
  const { post } = (paths as Record<string, { post: object }>)['/v1/datasets/split']!;
  expect(post).toMatchObject({
    deprecated: true,
    summary: expect.stringContaining('Replaced by POST /v1/datasets?valid-fraction=') as string,
  });
});

test.each([
  ['?describe=perhaps', 'true: says what would be learned'],
  ['?describe=true&valid-fraction=0.1', 'valid-fraction'],
  ['?types=size=ordered', 'Add valid-fraction=0.1 to store a table, or describe=true'],
  ['?valid_fraction=0.1', 'only describe, valid-fraction, test-fraction, weights, format'],
])('what does not go together is refused with rows: %s', async (query, words) => {
  const answer = await harness.send(`/v1/datasets${query}`, table.join('\n'));
  expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining(words)]);
});

test.each([
  [table.slice(0, 2).join('\n'), '?valid-fraction=0.1', 422, 'at least one of each'],
  [table.join('\n'), '?valid-fraction=1', 400, 'share of the rows that validate'],
  [table.join('\n'), '?test-fraction=0.1&types=shape=ordered', 422, 'shape'],
  ['x'.repeat(200_000), '?valid-fraction=0.1', 413, '100000'],
])('a table that cannot be shared out is refused: %#', async (body, query, status, words) => {
  const answer = await harness.send(`/v1/datasets${query}`, body);
  expect([answer.status, await answer.text()]).toEqual([status, expect.stringContaining(words)]);
});

test('the cluster is followed by events with ids, the first at once', async () => {
  const leaving = new AbortController();
  const answer = await harness.ask('/v1/events', { signal: leaving.signal });
  const { value } = await answer.body!.getReader().read();
  leaving.abort();
  expect(answer.headers.get('content-type')).toContain('text/event-stream');
  expect(new TextDecoder().decode(value)).toBe('id: 0\nevent: cluster\ndata: {"runs":[],"workers":[]}\n\n');
});
