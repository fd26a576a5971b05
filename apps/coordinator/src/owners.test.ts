import type { StoredUse } from '@orchard/runs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { problemOf, readToken, startHarness, type Harness } from './harness.suite.js';
import { audience, startIssuer, type TestIssuer } from './issuer.suite.js';

let issuer: TestIssuer;
let harness: Harness;
beforeAll(async () => {
  issuer = await startIssuer();
  harness = await startHarness({ ORCHARD_OIDC_ISSUER: issuer.url, ORCHARD_OIDC_AUDIENCE: audience });
});
afterAll(async () => {
  await harness.stop();
  await issuer.stop();
});

/** A user of the issuer, with the token that says so. */
async function userOf(sub: string, role: string, email = sub): Promise<Record<string, string>> {
  return { Authorization: `Bearer ${await issuer.token({ sub, email, roles: [role] })}` };
}

async function uploaded(rows: string): Promise<string> {
  return ((await (await harness.send('/v1/datasets', rows)).json()) as { id: string }).id;
}

let seed = 0;
async function submitted(headers: Record<string, string>, words: object = {}): Promise<Response> {
  const [train, valid] = [await uploaded('0,1\n1,0\n'), await uploaded('1,1\n0,1\n')];
  return harness.post('/v1/runs', { train, valid, seed: ++seed, ...words }, headers);
}

async function idOf(response: Promise<Response>): Promise<string> {
  const answer = await response;
  expect(answer.status).toBe(202);
  return ((await answer.json()) as { id: string }).id;
}

test("a submitter ends runs of their own, an admin anyone's, and everybody else is told whose it is", async () => {
  const [ann, bob, admin] = [
    await userOf('ann', 'submitter'),
    await userOf('bob', 'submitter'),
    await userOf('eve', 'admin'),
  ];
  for (const [path, method, done] of [
    ['/cancel', 'POST', 202],
    ['', 'DELETE', 204],
  ] as const) {
    const id = await idOf(submitted(ann));
    const ask = (headers: Record<string, string>): Promise<Response> =>
      harness.ask(`/v1/runs/${id}${path}`, { method, headers });
    const refused = await ask(bob);
    expect([refused.status, (await problemOf(refused))['got']]).toEqual([
      403,
      expect.stringMatching(/^"bob" of the role submitter, to (cancel|delete) a run of "ann"$/),
    ]);
    // a name is what a user may call themselves: the subject counts
    expect((await ask(await userOf('mallory', 'submitter', 'ann'))).status).toBe(403);
    expect((await ask({ Authorization: `Bearer ${readToken}` })).status).toBe(403);
    expect((await ask(ann)).status).toBe(done);
    const other = await idOf(submitted(ann));
    expect((await harness.ask(`/v1/runs/${other}${path}`, { method, headers: admin })).status).toBe(done);
  }
});

test('a run is pinned by its submitter and by admins; while it is, it is shown so and not deleted', async () => {
  const [ann, bob, eve] = await Promise.all([
    userOf('ann', 'submitter'),
    userOf('bob', 'submitter'),
    userOf('eve', 'admin'),
  ]);
  const id = await idOf(submitted(ann));
  const ask = (what: string, headers: Record<string, string>, method = 'POST'): Promise<Response> =>
    harness.ask(`/v1/runs/${id}${what}`, { method, headers });
  expect((await ask('/pin', bob)).status).toBe(403);
  const pinned = await ask('/pin', ann);
  expect([pinned.status, await pinned.json()]).toEqual([202, expect.objectContaining({ id, pinned: true })]);
  expect((await ask('/pin', ann)).status).toBe(202);
  const { runs } = (await (await harness.ask('/v1/runs')).json()) as { runs: { id: string; pinned?: true }[] };
  expect(runs.filter((run) => run.pinned === true).map((run) => run.id)).toEqual([id]);
  for (const headers of [ann, eve]) {
    const refused = await ask('', headers, 'DELETE');
    expect([refused.status, (await problemOf(refused))['code']]).toEqual([409, 'pinned']);
  }
  expect((await ask('/unpin', bob)).status).toBe(403);
  const free = await ask('/unpin', eve);
  expect([free.status, await free.json()]).toEqual([202, expect.not.objectContaining({ pinned: true })]);
  expect((await ask('', ann, 'DELETE')).status).toBe(204);
  expect((await ask('/pin', ann)).status).toBe(404);
  expect(await harness.store.list('pins/')).toEqual([]);
});

test('a second submission of the same run takes it from nobody', async () => {
  const [ann, bob] = [await userOf('ann', 'submitter'), await userOf('bob', 'submitter')];
  const id = await idOf(submitted(ann, { name: 'mine.csv' }));
  seed -= 1;
  expect(await idOf(submitted(bob, { name: 'his.csv' }))).toBe(id);
  const status = await (await harness.ask(`/v1/runs/${id}`)).json();
  expect(status).toMatchObject({ name: 'mine.csv', submittedBy: 'ann' });
  expect((await harness.ask(`/v1/runs/${id}`, { method: 'DELETE', headers: bob })).status).toBe(403);
});

test("of a run whose owner an older release did not keep, cancelling is as it was and deleting an admin's", async () => {
  const bob = await userOf('bob', 'submitter');
  const status = await harness.life.status(await idOf(submitted(bob)));
  for (const [id, writes] of [
    ['d'.repeat(64), 'bob'],
    ['e'.repeat(64), null],
  ] as const) {
    harness.life.runs.set(id, { ...status, id });
    if (writes !== null) await harness.store.put(`runs/${id}/submitted-by`, Buffer.from(writes));
    expect((await harness.ask(`/v1/runs/${id}`, { method: 'DELETE', headers: bob })).status).toBe(403);
    expect((await harness.ask(`/v1/runs/${id}/cancel`, { method: 'POST', headers: bob })).status).toBe(202);
  }
  const nowhere = await harness.ask(`/v1/runs/${'f'.repeat(64)}`, { method: 'DELETE', headers: bob });
  expect(nowhere.status).toBe(404);
});

test('names, labels and priorities are shown as submitted, and refused where they are no such things', async () => {
  const ann = await userOf('ann', 'submitter');
  const words = { name: 'rentals.csv', labels: { project: 'bikes' }, priority: 'low' };
  const id = await idOf(submitted(ann, words));
  const { runs } = (await (await harness.ask('/v1/runs?order=newest')).json()) as { runs: { id: string }[] };
  expect(runs.find((run) => run.id === id)).toMatchObject({ ...words, submittedBy: 'ann' });
  expect((await submitted(ann, { priority: 'high' })).status).toBe(403);
  expect((await submitted(await userOf('eve', 'admin'), { priority: 'high' })).status).toBe(202);
  for (const wrong of [
    { name: 'a\nb' },
    { name: '' },
    { labels: { '': 'a' } },
    { labels: { a: 1 } },
    { priority: 'now' },
  ])
    expect([wrong, (await submitted(ann, wrong)).status]).toEqual([wrong, 400]);
});

test('a person with as many open runs as they may have is refused another, in words with what is used', async () => {
  const limited = await startHarness({ ORCHARD_MAX_OPEN_RUNS_PER_PERSON: '2' });
  try {
    const upload = async (rows: string): Promise<unknown> => {
      return ((await (await limited.send('/v1/datasets', rows)).json()) as { id: string }).id;
    };
    const [train, valid] = [await upload('0,1\n1,0\n'), await upload('1,1\n0,1\n')];
    const submit = (own: number): Promise<Response> => limited.post('/v1/runs', { train, valid, seed: own });
    const [first, second] = [await idOf(submit(1)), await idOf(submit(2))];
    const refused = await submit(3);
    expect([refused.status, (await problemOf(refused))['got']]).toEqual([
      422,
      'a run more of "tester", of whom 2 runs are open',
    ]);
    // what is there already takes no more room
    expect(await idOf(submit(2))).toBe(second);
    await limited.ask(`/v1/runs/${first}/cancel`, { method: 'POST' });
    expect((await submit(3)).status).toBe(202);
    // one that has stopped would be one more
    const resume = (): Promise<Response> => limited.ask(`/v1/runs/${first}/resume`, { method: 'POST' });
    for (const again of [await submit(1), await resume(), await limited.post(`/v1/runs/${first}/select`, {})])
      expect([again.status, (await problemOf(again))['code']]).toEqual([422, 'over-limit']);
    await limited.ask(`/v1/runs/${second}/cancel`, { method: 'POST' });
    expect((await resume()).status).toBe(202);
    // one that goes on is counted already
    expect((await resume()).status).toBe(202);
  } finally {
    await limited.stop();
  }
});

test('a person who has stored as much as they may is refused uploads and runs, in words with what is used', async () => {
  const submitter = { name: 'tester', way: 'token' } as const;
  let runBytes = 700;
  let readings = 0;
  const within = (): Promise<StoredUse> => {
    readings += 1;
    const use = { submitter, runs: 1, runBytes, datasetBytes: 300 };
    return Promise.resolve({ people: new Map([['token:tester', use]]), runs: new Map(), at: 0 });
  };
  const use = { last: null, within };
  const limited = await startHarness({ ORCHARD_MAX_STORED_BYTES_PER_PERSON: '1000' }, { use });
  try {
    const upload = (rows: string): Promise<Response> => limited.send('/v1/datasets', rows);
    runBytes = 699;
    const train = ((await (await upload('0,1\n1,0\n')).json()) as { id: string }).id;
    const submit = (own: number): Promise<Response> => limited.post('/v1/runs', { train, valid: train, seed: own });
    const first = await idOf(submit(1));
    const { uses, limits } = (await (await limited.ask('/v1/caller')).json()) as Record<string, unknown>;
    expect(uses).toEqual({ openRuns: 1, threads: 0, storedBytes: 999 });
    expect(limits).toEqual({ openRuns: null, threads: null, storedBytes: 1000 });
    runBytes = 700;
    const got = 'more of "tester", whose runs and their data sets take 1000 bytes';
    for (const refused of [
      await submit(2),
      await upload('0,1\n1,1\n'),
      await limited.send('/v1/datasets?valid-fraction=0.1', 'a,b\n1,2\n2,1\n'),
    ])
      expect([refused.status, (await problemOf(refused))['got']]).toEqual([422, got]);
    // what is there already takes no more room
    expect(await idOf(submit(1))).toBe(first);
    // what was deleted a moment ago is not counted, though the last reading has it
    readings = 0;
    runBytes = 0;
    expect((await submit(2)).status).toBe(202);
    expect(readings).toBe(1);
  } finally {
    await limited.stop();
  }
});

test('what a caller uses is unknown while the store is away, and who they are is not', async () => {
  const away = (): Promise<never> => Promise.reject(new Error('away'));
  const dark = await startHarness({}, { use: { last: null, within: away }, openRunsOf: away });
  try {
    const caller = await (await dark.ask('/v1/caller')).json();
    expect(caller).toMatchObject({ name: 'tester', uses: { openRuns: null, threads: 0, storedBytes: null } });
  } finally {
    await dark.stop();
  }
});

test('an address to be told of the end is refused unless the operator allows it, and shown by its origin alone', async () => {
  const secret = 'w'.repeat(24);
  const given = { ORCHARD_WEBHOOK_URLS: 'https://hooks.example.com/team/', ORCHARD_WEBHOOK_SECRET: secret };
  expect(
    (await submitted(await userOf('ann', 'submitter'), { notify: 'https://hooks.example.com/team/a' })).status,
  ).toBe(422);
  const told = await startHarness(given);
  try {
    const uploadedThere = await told.send('/v1/datasets', '0,1\n1,0\n');
    const { id: train } = (await uploadedThere.json()) as { id: string };
    const submit = (notify: string): Promise<Response> => told.post('/v1/runs', { train, valid: train, notify });
    for (const [wrong, status] of [
      ['http://127.0.0.1:6379/', 422],
      ['https://hooks.example.com/other', 422],
      ['gopher://hooks.example.com/team/', 400],
      ['team', 400],
    ] as const)
      expect([wrong, (await submit(wrong)).status]).toEqual([wrong, status]);
    const id = await idOf(submit('https://hooks.example.com/team/secret-of-ann'));
    for (const path of ['', '/notifications']) {
      const text = await (await told.ask(`/v1/runs/${id}${path}`)).text();
      expect(text).toContain('"https://hooks.example.com"');
      expect(text).not.toContain('secret-of-ann');
    }
    expect((await told.store.list('notify/')).map(({ name }) => name)).toEqual([`notify/${id}`]);
  } finally {
    await told.stop();
  }
  await expect(startHarness({ ORCHARD_WEBHOOK_URLS: 'https://hooks.example.com/' })).rejects.toThrow(/SECRET/);
});
