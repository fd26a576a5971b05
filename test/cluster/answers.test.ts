import { CreateBucketCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { endOf, main, root, type Ended } from '../cli/orchard.js';
import { lacks } from '../servers/needed.js';
import { Cluster } from './cluster.js';
import type { Program } from './programs.js';

interface Answer {
  readonly status: number;
  readonly id: string;
  readonly state: string;
  readonly reason?: string | null;
  readonly code?: string;
  readonly waits: readonly { readonly message: string }[];
  readonly stages: Readonly<Record<string, { readonly active: number; readonly done: number; readonly total: number }>>;
}

const tokens = {
  alice: 'alice-of-the-tests-0123456789',
  bob: 'bob-of-the-tests-0123456789abc',
  reader: 'reader-of-the-tests-0123456789',
};
/** Two slices of 10 columns. */
const rows = 180_000;
/** Of a file of 1,000 rows: what is evaluated are two parts. */
const repeats = 30;
const place = 's3://lake/test/';

describe.skipIf(lacks('redis') || lacks('s3'))('a model is asked by all workers', () => {
  let cluster: Cluster;
  let url: string;
  let workers: Program[];
  let id: string;

  beforeAll(async () => {
    cluster = await Cluster.start();
    const { url: endpoint, region, accessKeyId, secretAccessKey } = cluster.s3!;
    const credentials = { accessKeyId, secretAccessKey };
    const client = new S3Client({ endpoint, region, credentials, forcePathStyle: true });
    await client.send(new CreateBucketCommand({ Bucket: 'lake' }));
    const rentals = await readFile(join(root, 'apps/cli/examples/rentals.csv'), 'utf8');
    const [names, ...lines] = rentals.trimEnd().split('\n');
    const body = (some: readonly string[]): string => `${[names, ...some].join('\n')}\n`;
    const many = Array.from({ length: repeats / 2 }, () => lines).flat();
    // a season that training never saw
    const odd = many.map((line, row) => (row === 7 ? line.replace(/^\w+/, 'monsoon') : line));
    const put = (Key: string, Body: string) => client.send(new PutObjectCommand({ Bucket: 'lake', Key, Body }));
    await put('test/part-1.csv', body(many));
    await put('test/part-2.csv', body(odd));
    await put('hr/all.csv', body(lines));
    client.destroy();
    const coordinator = await cluster.add('coordinator', {
      ORCHARD_PORT: '0',
      ORCHARD_TOKENS: `alice:full:${tokens.alice} bob:full:${tokens.bob} reader:read:${tokens.reader}`,
      ORCHARD_SOURCES: `${place} s3://lake/hr/=alice`,
    });
    url = coordinator.log.find(({ msg }) => msg === 'listening')!.url as string;
    await cluster.add('selector');
    workers = [await cluster.add('worker'), await cluster.add('worker')];
    const words = ['--model', 'tables', '--rounds', '5', '--leaves', '4', '--name', 'bikes'];
    const submitted = await orchard(
      'submit',
      join(root, 'apps/cli/examples/rentals.csv'),
      ...words,
      '--watch',
      '--json',
    );
    ({ id } = JSON.parse(submitted.stdout) as { id: string });
    expect((await orchard('fetch', id, '--out', 'fetched')).code).toBe(0);
  }, 300_000);
  afterAll(() => cluster?.stop());

  const environment = (who: keyof typeof tokens): Record<string, string | undefined> => {
    const { ORCHARD_S3_ENDPOINT, ORCHARD_S3_REGION, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY } = cluster.environment;
    const bucket = { ORCHARD_S3_ENDPOINT, ORCHARD_S3_REGION, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY };
    return { PATH: process.env.PATH, ORCHARD_SERVER: url, ORCHARD_TOKEN: tokens[who], ...bucket };
  };
  const orchard = (...args: readonly string[]): Promise<Ended> => orchardOf('bob', args);
  const orchardOf = (who: keyof typeof tokens, args: readonly string[]): Promise<Ended> =>
    endOf(process.execPath, [main, ...args], { cwd: cluster.folder, env: environment(who) });
  const ask = async (path: string, document?: unknown, who: keyof typeof tokens = 'bob'): Promise<Answer> => {
    const response = await fetch(url + path, {
      method: document === undefined ? 'GET' : 'POST',
      headers: { Authorization: `Bearer ${tokens[who]}`, 'Content-Type': 'application/json' },
      ...(document !== undefined && { body: JSON.stringify(document) }),
    });
    return { status: response.status, ...((await response.json()) as object) } as Answer;
  };
  const ended = async (run: string): Promise<Answer> => {
    for (;;) {
      const status = await ask(`/v1/runs/${run}`);
      if (['done', 'failed', 'cancelled'].includes(status.state)) return status;
      await sleep(100);
    }
  };
  const hash = async (name: string): Promise<string> =>
    createHash('sha256')
      .update(await readFile(join(cluster.folder, name)))
      .digest('hex');

  test('which sample the rows that one machine samples, though one of them dies', async () => {
    const begun = await ask(`/v1/networks/${id}/samplings`, { count: rows, seed: 7 });
    expect(begun).toMatchObject({ status: 202, name: '180,000 rows by bikes' });
    const sampled = orchard(
      'sample',
      id,
      '--server',
      url,
      '--count',
      String(rows),
      '--seed',
      '7',
      '--out',
      'there.csv',
    );
    // with slices for both while one is killed, unless they were quicker than this question
    const begins = async (): Promise<number> => {
      const { active = 0, done = 0 } = (await ask(`/v1/runs/${begun.id}`)).stages['sample'] ?? {};
      return active + done;
    };
    await expect.poll(begins).toBeGreaterThan(0);
    await workers.pop()!.kill('SIGKILL');
    const { code, stderr } = await sampled;
    expect([code, stderr]).toEqual([0, expect.stringContaining(begun.id.slice(0, 12))]);
    expect((await orchard('sample', 'fetched', '--count', String(rows), '--seed', '7', '--out', 'here.csv')).code).toBe(
      0,
    );
    expect(await hash('there.csv')).toBe(await hash('here.csv'));
    expect((await ask(`/v1/runs/${begun.id}`)).stages['sample']).toMatchObject({ total: 2, done: 2 });
  });

  test('which wait with the reason where none of them may read the rows, and give the figures of one machine', async () => {
    const { id: run } = await ask(`/v1/networks/${id}/evaluations`, { source: place });
    const waits = async (): Promise<string> =>
      (await ask(`/v1/runs/${run}`)).waits.map(({ message }) => message).join();
    await expect.poll(waits).toContain('ORCHARD_SOURCES');
    workers.push(await cluster.add('worker', { ORCHARD_SOURCES: place }));
    const there = await orchard('evaluate', id, place, '--server', url, '--json');
    expect(there.stderr).toContain(run.slice(0, 12));
    const here = await orchard('evaluate', 'fetched', place, '--json');
    const [ours, theirs] = [here, there].map(({ stdout }) => JSON.parse(stdout) as object);
    expect(theirs).toEqual(ours);
    expect(theirs).toMatchObject({ rows: 30_000 });
    expect((await ask(`/v1/runs/${run}`)).stages['score']).toMatchObject({ total: 2, done: 2 });
    const shown = await Promise.all([
      orchard('evaluate', id, place, '--server', url),
      orchard('evaluate', 'fetched', place),
    ]);
    expect(shown[0].stdout).toBe(shown[1].stdout);
  });

  test('as runs like others: listed with their cost, cancelled, resumed, deleted', async () => {
    const { id: run } = await ask(`/v1/networks/${id}/samplings`, {
      count: 5_000_000,
      seed: 3,
      labels: { of: 'tests' },
    });
    expect((await orchard('cancel', run)).code).toBe(0);
    expect(await ended(run)).toMatchObject({ state: 'cancelled' });
    const { stdout } = await orchard('runs', '--cost', '--label', 'of=tests', '--json');
    expect(JSON.parse(stdout)).toMatchObject({ runs: [{ id: run, family: 'sampling', submittedBy: 'bob' }] });
    expect((await orchardOf('reader', ['delete', run])).code).not.toBe(0);
    expect((await orchard('delete', run)).code).toBe(0);
    await expect.poll(async () => (await ask(`/v1/runs/${run}`)).status).toBe(404);
  });

  test('which is kept while it is asked, and deleted afterwards alone', async () => {
    const { id: run } = await ask(`/v1/networks/${id}/samplings`, { count: 5_000_000, seed: 4 });
    const refused = await orchard('delete', id, '--json');
    expect([refused.code, JSON.parse(refused.stdout)]).toMatchObject([2, { refused: [{ id, code: 'run-in-use' }] }]);
    expect(refused.stderr).toContain(`orchard cancel ${run.slice(0, 12)}`);
    expect(await ask(`/v1/runs/${id}`)).toMatchObject({ status: 200, state: 'done' });
    expect((await orchard('cancel', run)).code).toBe(0);
    await ended(run);
  });

  test('by those alone who may, and in no other way than they answer', async () => {
    const sampling = { count: 10 };
    expect(await ask(`/v1/networks/${id}/samplings`, sampling, 'reader')).toMatchObject({ status: 403 });
    expect(await ask(`/v1/networks/${'0'.repeat(64)}/samplings`, sampling)).toMatchObject({ status: 404 });
    expect(await ask(`/v1/networks/${id}/evaluations`, { source: 's3://lake/hr/' })).toMatchObject({ status: 403 });
    expect(await ask(`/v1/runs/${id}/evaluation`)).toMatchObject({ status: 404, code: 'not-found' });
    expect(await ask(`/v1/runs/${id}/slices/0`)).toMatchObject({ status: 404, code: 'not-found' });
    for (const words of [
      ['sample', id, '--server', url, '--given', 'season=summer'],
      ['sample', id, '--server', url, '--first', '10'],
      ['evaluate', id, place, '--server', url, '--worst', '3'],
      ['evaluate', id, 'rows.csv', '--server', url],
    ]) {
      const { code, stderr } = await orchard(...words);
      expect([words, code, stderr.includes('orchard fetch')]).toEqual([words, 2, true]);
    }
  });

  // the last: the model is gone then
  test('and where it was deleted all the same, the run that asks it is not resumed', async () => {
    const { id: run } = await ask(`/v1/networks/${id}/samplings`, { count: 5_000_000, seed: 5 });
    expect((await orchard('cancel', run)).code).toBe(0);
    await ended(run);
    expect((await orchard('delete', id)).code).toBe(0);
    await expect.poll(async () => (await ask(`/v1/runs/${id}`)).status).toBe(404);
    const { code, stderr } = await orchard('resume', run);
    expect([code, stderr]).toEqual([2, expect.stringContaining(`run ${id}, whose model is to be asked`)]);
  });
});
