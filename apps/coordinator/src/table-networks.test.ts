import { monitorEventLoopDelay } from 'node:perf_hooks';
import { artefactNames, registerDataset, runLocally } from '@orchard/pipeline';
import { families } from '@orchard/registry';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { animals } from './animals.suite.js';
import { readToken, startHarness, type Harness } from './harness.suite.js';

let harness: Harness;
let id: string;
beforeAll(async () => {
  harness = await startHarness();
  id = await trainedRun({ rounds: 20, leaves: 4 });
}, 120_000);
afterAll(() => harness.stop());

/** The id of a run of these options that is done. */
async function trainedRun(options: {
  readonly rounds: number;
  readonly leaves: number;
  readonly members?: number;
}): Promise<string> {
  const { store, life } = harness;
  const { train, valid } = await animals(120);
  const [trained, validated] = [await registerDataset(store, train), await registerDataset(store, valid)];
  const family = families.named('tables');
  const { specification, choice, runId } = family.resolve(options, { train: trained, valid: validated, test: null });
  await runLocally({ store, family, specification, choice });
  expect(await store.head(artefactNames.network(runId, 'model'))).not.toBeNull();
  await life.submit(specification, choice);
  await life.change(runId, { family: family.name, state: 'done', networks: [choice], choice });
  return runId;
}

async function ask(what: string, body: unknown, run = id): Promise<[number, ReturnType<typeof JSON.parse>]> {
  const response = await harness.post(`/v1/networks/${run}/${what}`, body, { Authorization: `Bearer ${readToken}` });
  return [response.status, await response.json()];
}

const cat = { kind: 'cat', large: 'no', toys: 3, weight: 5.5, born: '2019-05-24' };

test('a row is scored as an object and as lists alike, masses and densities told apart', async () => {
  const [status, score] = await ask('score', { rows: [cat], top: 2 });
  expect(status).toBe(200);
  const [{ logLikelihood, mass, density, surprising }] = score.rows;
  expect(logLikelihood).toBeCloseTo(mass + density, 12);
  // every value of an ordinary row is what is expected
  expect([surprising, score.unseen]).toEqual([[], 0]);
  expect((await ask('score', { rows: [Object.values(cat)], top: 2 }))[1]).toEqual(score);
  const names = Object.keys(cat).reverse();
  expect((await ask('score', { rows: [Object.values(cat).reverse()], names, top: 2 }))[1]).toEqual(score);
});

test('an odd column is named with its probability and what was expected', async () => {
  const [, { rows }] = await ask('score', { rows: [{ ...cat, large: 'yes' }, cat] });
  expect(rows[0].logLikelihood).toBeLessThan(rows[1].logLikelihood);
  const odd = rows[0].surprising.find(({ column }: { column: string }) => column === 'large');
  expect(odd).toMatchObject({ value: 'yes', expected: expect.stringMatching(/^no \(/) });
  expect(odd.probability).toBeLessThan(0.5);
});

test('what a row does not say is integrated out', async () => {
  const [, { rows }] = await ask('score', { rows: [{ large: 'yes' }, { large: 'no' }, {}] });
  const [yes, no, nothing] = rows.map((row: { logLikelihood: number }) => Math.exp(row.logLikelihood));
  expect(yes + no).toBeCloseTo(1, 1);
  expect(nothing).toBe(1);
  const named = rows.map(({ surprising }: { surprising: { column: string }[] }) =>
    surprising.map(({ column }) => column),
  );
  // what is expected is no reason, and nothing else is known of a row
  expect(named.flat().filter((column: string) => column !== 'large')).toEqual([]);
  expect(named[2]).toEqual([]);
});

test('rows are drawn in the words of the table, the same by the same seed', async () => {
  const [status, { names, rows }] = await ask('sample', { count: 20, seed: 7 });
  expect([status, names, rows.length]).toEqual([200, Object.keys(cat), 20]);
  for (const row of rows) {
    expect([null, 'cat', 'dog', 'horse']).toContain(row.kind);
    expect([typeof row.toys, typeof row.weight, row.born]).toEqual([
      'number',
      'number',
      expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
    ]);
  }
  expect((await ask('sample', { count: 20, seed: 7 }))[1].rows).toEqual(rows);
});

test('rows are drawn as given', async () => {
  const [status, { rows, share }] = await ask('sample', {
    count: 20,
    given: { large: 'yes', toys: { from: 2, to: 4 }, kind: ['dog', 'horse'] },
  });
  expect(status).toBe(200);
  for (const row of rows) {
    expect([row.large, ['dog', 'horse'].includes(row.kind), row.toys >= 2 && row.toys <= 4]).toEqual([
      'yes',
      true,
      true,
    ]);
  }
  expect(share).toBeLessThan(0.6);
  expect(
    (await ask('sample', { count: 3, given: { kind: null } }))[1].rows.map(({ kind }: { kind: string | null }) => kind),
  ).toEqual([null, null, null]);
});

test('what is null or absent is filled, and nothing else', async () => {
  const [status, { rows }] = await ask('complete', { rows: [{ kind: 'cat', weight: 5.5, toys: null }], draws: 3 });
  expect([status, rows[0].completions.length]).toEqual([200, 3]);
  for (const row of rows[0].completions) {
    expect(row).toMatchObject({ kind: 'cat', weight: 5.5, toys: expect.any(Number), large: expect.any(String) });
  }
  const [, { rows: shares }] = await ask('complete', { rows: [{ ...cat, large: null }], probabilities: true });
  expect(Object.keys(shares[0].probabilities)).toEqual(['large']);
  expect(shares[0].probabilities.large[0].value).toBe('no');
});

// 400 is for what the schema of a request says, 422 for what only the model can tell: its columns, labels and their
// number
test.each<[string, string, unknown, number, string]>([
  [
    'a word for every number',
    'score',
    { rows: [{ weight: null }, { ...cat, weight: 'heavy' }, { weight: 'light' }] },
    422,
    'rows.1.weight',
  ],
  ['a column that is none', 'score', { rows: [{ ...cat, lage: 'no' }] }, 422, 'rows.0'],
  ['a row that is too short', 'score', { rows: [['cat']] }, 422, 'rows.0'],
  ['a list in a row', 'score', { rows: [{ kind: ['cat'] }] }, 400, 'rows.0.kind'],
  ['a row that is none', 'complete', { rows: [7] }, 400, 'rows.0'],
  ['a range of labels', 'sample', { count: 1, given: { large: { from: 'a' } } }, 422, 'given.large'],
  ['a range without values', 'sample', { count: 1, given: { toys: { from: 4, to: 2 } } }, 422, 'given.toys'],
  ['an absent value where none was', 'sample', { count: 1, given: { large: null } }, 422, 'given.large'],
  ['a variable that is none', 'sample', { count: 1, given: { size: 1 } }, 422, 'given'],
  [
    'a variable called as what objects have',
    'sample',
    JSON.parse('{"count":1,"given":{"__proto__":1}}'),
    422,
    '__proto__',
  ],
  [
    'a variable called so, and no value',
    'sample',
    JSON.parse('{"count":1,"given":{"__proto__":[]}}'),
    400,
    '__proto__',
  ],
  ['rows of bits, of which the model has other columns', 'score', { rows: [[0, 1, 1]] }, 422, 'rows.0'],
  ['a word that is none', 'complete', { rows: [cat], drws: 1 }, 400, 'drws'],
])('%s is refused in its place', async (_what, endpoint, body, status, where) => {
  const [answered, problem] = await ask(endpoint, body);
  expect([answered, problem]).toEqual([
    status,
    expect.objectContaining({ got: expect.any(String), remedy: expect.any(String) }),
  ]);
  expect(JSON.stringify(problem)).toContain(where);
});

test('counts a word among numbers as missing, and leaves it as it is where rows are filled in', async () => {
  const rows = [cat, { ...cat, weight: 'heavy' }];
  const [, scored] = await ask('score', { rows });
  expect(scored).toMatchObject({ misfits: 1 });
  const [, filled] = await ask('complete', { rows });
  expect(filled).toMatchObject({ misfits: 1, rows: [{}, { completions: [{ ...cat, weight: 'heavy' }] }] });
});

test('more work than the event loop should wait for is refused', async () => {
  const [status, { remedy }] = await ask('complete', { rows: Array.from({ length: 1000 }, () => ({})), samples: 4096 });
  expect([status, remedy]).toEqual([422, expect.stringContaining('fewer rows')]);
});

test('while a question is computed others are answered', async () => {
  // of as many trees as make one question last
  const heavy = await trainedRun({ rounds: 600, leaves: 8, members: 1 });
  const rows = Array.from({ length: 150 }, () => ({ large: null }));
  const shareHeld = async (): Promise<number> => {
    const held = monitorEventLoopDelay({ resolution: 5 });
    const begun = performance.now();
    held.enable();
    expect((await ask('complete', { rows, samples: 400 }, heavy))[0]).toBe(200);
    held.disable();
    return held.max / 1e6 / (performance.now() - begun);
  };
  // a thread that did both would be held for nearly all of it, each time; a busy machine may hold this one now and then
  const shares: number[] = [];
  while (shares.length < 10 && shares.every((share) => share > 0.5)) shares.push(await shareHeld());
  expect(Math.min(...shares)).toBeLessThanOrEqual(0.5);
}, 120_000);

test('what a column is predicted from is tested against noise by rows that the run has stored', async () => {
  const headers = { Authorization: `Bearer ${readToken}` };
  const importance = async (run: string, column: number): Promise<ReturnType<typeof JSON.parse>> =>
    (await fetch(`${harness.url}/v1/networks/${run}/importance?column=${String(column)}`, { headers })).json();
  const { valid } = await animals(120);
  const one = await trainedRun({ rounds: 20, leaves: 4, members: 1 });
  const answers = await Promise.all(Object.keys(cat).map((_, column) => importance(one, column)));
  const predicted = answers.find(({ shares }) => shares.length > 0);
  expect(predicted.judgedBy).toMatchObject({ split: 'validation', rows: valid.rows, ofRows: valid.rows });
  expect(predicted.shares.every(({ beyondNoise }: { beyondNoise: unknown }) => typeof beyondNoise === 'boolean')).toBe(
    true,
  );
  // members are validated by rows that have trained others
  const untested = await Promise.all(Object.keys(cat).map((_, column) => importance(id, column)));
  expect(untested.map(({ judgedBy }) => judgedBy)).toEqual(answers.map(() => null));
}, 120_000);

test('rows that are alarms are found by scores of usual rows, and by rows that the run held out', async () => {
  const rows = Array.from({ length: 60 }, (_, row) => (row === 7 ? { ...cat, toys: 90, weight: 900 } : cat));
  const usualScores = Array.from({ length: 200 }, (_, row) => row / 100);
  const [status, { rows: found, usual, scores }] = await ask('alarms', { rows, rate: 0.01, usualScores });
  expect([status, found, usual, scores.length]).toEqual([200, [8], 'request', 60]);
  const one = await trainedRun({ rounds: 20, leaves: 4, members: 1 });
  const [, { usual: from }] = await ask('alarms', { rows, rate: 0.2 }, one);
  expect(from).toBe('validation');
});

test('two models are compared by rows, in all and by column', async () => {
  const other = await trainedRun({ rounds: 1, leaves: 2, members: 1 });
  const rows = Array.from({ length: 40 }, (_, row) => ({ ...cat, toys: 1 + (row % 4) }));
  const [status, found] = await ask(`compare?with=${other}`, { rows });
  expect([status, found.rows, found.better, found.otherLabels]).toEqual([200, 40, 'a', []]);
  expect(found.columns.map(({ name }: { name: string }) => name)).toEqual(Object.keys(cat));
  expect(found.a.logLikelihood - found.b.logLikelihood).toBeCloseTo(found.difference, 9);
  const [back, { difference }] = await ask(`compare?with=${id}`, { rows }, other);
  expect([back, difference]).toEqual([200, -found.difference]);
  expect((await ask('compare', { rows }))[0]).toBe(400);
  expect((await ask(`compare?with=${'0'.repeat(64)}`, { rows }))[0]).toBe(404);
});

test('cells of rows that are probably wrong are found, and columns that have drifted', async () => {
  const rows = Array.from({ length: 60 }, (_, row) => (row === 7 ? { ...cat, kind: 'catt' } : cat));
  const [status, { rows: looked, cells, drift }] = await ask('check', { rows });
  expect([status, looked]).toEqual([200, 60]);
  expect(cells[0]).toMatchObject({ row: 8, column: 'kind', value: 'catt', typoOf: 'cat' });
  expect(drift.map(({ column }: { column: string }) => column)).toContain('toys');
  const [refused, { detail }] = await ask('check', { rows, falseAlarms: 2 });
  expect([refused, detail]).toEqual([400, expect.stringContaining('falseAlarms')]);
});
