import { CreateBucketCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, afterAll, describe, expect, test } from 'vitest';
import { endOf, main, root, type Ended } from '../cli/orchard.js';
import { lacks } from '../servers/needed.js';
import { Cluster } from './cluster.js';
import type { Program } from './programs.js';

interface Answer {
  readonly status: number;
  readonly id: string;
  readonly state?: string;
  readonly waits?: string | null;
  readonly answer?: { readonly rows: object } | null;
}

const tokens = { alice: 'alice-of-the-tests-0123456789', bob: 'bob-of-the-tests-0123456789abc' };
const rentals = join(root, 'apps/cli/examples/rentals.csv');

/** A disk that a copy of a large object fills: only root may mount one. */
const smallDisk = mkdtempSync(join(tmpdir(), 'orchard-small-disk-'));
const isMounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', smallDisk]).status === 0;

describe.skipIf(lacks('redis') || lacks('s3'))('rows that lie in a bucket', () => {
  let cluster: Cluster;
  let url: string;
  let coordinator: Program;

  beforeAll(async () => {
    cluster = await Cluster.start();
    const { url: endpoint, region, accessKeyId, secretAccessKey } = cluster.s3!;
    const credentials = { accessKeyId, secretAccessKey };
    const client = new S3Client({ endpoint, region, credentials, forcePathStyle: true });
    await client.send(new CreateBucketCommand({ Bucket: 'lake' }));
    const [names, ...rows] = (await readFile(rentals, 'utf8')).trimEnd().split('\n');
    const objects: Record<string, string> = {
      'sales/part-1.csv': [names, ...rows.slice(0, 600), ''].join('\n'),
      'sales/part-2.csv': [names, ...rows.slice(600), ''].join('\n'),
      'hr/all.csv': 'a,b\n1,x\n',
      'wide/all.csv': [names, ...rows, ''].join('\n'),
      'sales-bad/a.csv': 'a,b\n1,x\n2,x,7\n',
      'large/all.csv': [names, ...Array.from({ length: 40 }, () => rows).flat(), ''].join('\n'),
    };
    for (const [Key, Body] of Object.entries(objects))
      await client.send(new PutObjectCommand({ Bucket: 'lake', Key, Body }));
    client.destroy();
    coordinator = await cluster.add('coordinator', {
      ORCHARD_PORT: '0',
      ORCHARD_TOKENS: `alice:full:${tokens.alice} bob:full:${tokens.bob}`,
      ORCHARD_SOURCES: 's3://lake/sales/ s3://lake/sales-bad/ s3://lake/hr/=alice s3://lake/wide/ s3://lake/large/',
    });
    url = coordinator.log.find(({ msg }) => msg === 'listening')!.url as string;
    await cluster.add('selector');
  });
  afterAll(async () => {
    await cluster?.stop();
    if (isMounted) spawnSync('umount', [smallDisk]);
    rmSync(smallDisk, { recursive: true, force: true });
  });

  const ask = async (path: string, document?: unknown, who: keyof typeof tokens = 'bob'): Promise<Answer> => {
    const response = await fetch(url + path, {
      method: document === undefined ? 'GET' : 'POST',
      headers: { Authorization: `Bearer ${tokens[who]}`, 'Content-Type': 'application/json' },
      ...(document !== undefined && { body: JSON.stringify(document) }),
    });
    return { status: response.status, ...((await response.json()) as object) } as Answer;
  };
  const orchard = (args: readonly string[], environment: Record<string, string> = {}): Promise<Ended> =>
    endOf(process.execPath, [main, ...args], {
      cwd: cluster.folder,
      env: { PATH: process.env.PATH, ORCHARD_SERVER: url, ORCHARD_TOKEN: tokens.bob, ...environment },
    });
  const ended = async (id: string): Promise<Answer> => {
    for (;;) {
      const reading = await ask(`/v1/readings/${id}`);
      if (reading.state === 'done' || reading.state === 'failed') return reading;
      await sleep(100);
    }
  };

  test('wait for a worker that may read, and say so', async () => {
    const { id, status, waits } = await ask('/v1/readings', { source: 's3://lake/sales/' });
    expect([status, waits]).toEqual([202, 'No worker reads sources: one with ORCHARD_SOURCES has to be there.']);
    await cluster.add('worker', { ORCHARD_SOURCES: 's3://lake/sales/ s3://lake/sales-bad/ s3://lake/hr/' });
    expect(await ended(id)).toMatchObject({
      state: 'done',
      answer: { kind: 'table', rows: { train: 900, valid: 100, test: null } },
    });
  });

  test('are read once by a request that is repeated with its key, and by no other', async () => {
    const begin = async (source: string, key: string, who: keyof typeof tokens = 'bob'): Promise<Answer> => {
      const response = await fetch(`${url}/v1/readings`, {
        method: 'POST',
        headers: {
          Authorization: `Bearer ${tokens[who]}`,
          'Content-Type': 'application/json',
          'Idempotency-Key': key,
        },
        body: JSON.stringify({ source }),
      });
      return { status: response.status, ...((await response.json()) as object) } as Answer;
    };
    const { id } = await begin('s3://lake/sales/', 'key-of-the-tests');
    expect((await begin('s3://lake/sales/', 'key-of-the-tests')).id).toBe(id);
    await ended(id);
    expect(await begin('s3://lake/sales/', 'key-of-the-tests')).toMatchObject({ status: 202, id, state: 'done' });
    expect((await begin('s3://lake/sales/', 'key-of-the-tests', 'alice')).id).not.toBe(id);
    expect((await begin('s3://lake/sales/', 'another-of-the-tests')).id).not.toBe(id);
    expect(await begin('s3://lake/sales-bad/', 'key-of-the-tests')).toMatchObject({ status: 422 });
    expect(await begin('s3://lake/sales/', 'short')).toMatchObject({ status: 400 });
  });

  test('are trained to the bytes of the same rows in a file, and this machine has no key of the bucket', async () => {
    const submitted = await orchard(['submit', 's3://lake/sales/*.csv', '--model', 'marginals', '--watch', '--json']);
    expect(submitted.stderr).toContain('2 files, one after another in the order of their names');
    expect(submitted.stderr).toMatch(/starts at once: \d+ of \d+ threads? free|starts (in|after|when) /);
    const { id } = JSON.parse(submitted.stdout) as { id: string };
    const whole = await orchard(['submit', rentals, '--model', 'marginals', '--json']);
    expect((JSON.parse(whole.stdout) as { id: string }).id).toBe(id);
    expect((await orchard(['fetch', id, '--out', 'fetched'])).code).toBe(0);
    await orchard(['train', rentals, '--model', 'marginals', '--out', 'trained', '--no-report']);
    const hash = async (folder: string): Promise<string> =>
      createHash('sha256')
        .update(await readFile(join(cluster.folder, folder, 'network.msgpack')))
        .digest('hex');
    expect(await hash('fetched')).toBe(await hash('trained'));
  });

  test('may be read for some people alone, and nowhere else', async () => {
    expect(await ask('/v1/readings', { source: 's3://lake/hr/all.csv' })).toMatchObject({
      status: 403,
      code: 'denied-source',
    });
    expect(await ask('/v1/readings', { source: 's3://lake/hr/all.csv' }, 'alice')).toMatchObject({ status: 202 });
    for (const source of ['s3://lake/*/all.csv', 's3://lake/sales', 's3://lake/sales*/x', 's3://store/'])
      expect(await ask('/v1/readings', { source }), source).toMatchObject({ status: 403 });
    expect(await ask('/v1/readings', { source: 's3://lake/sales/', valid: 's3://lake/hr/all.csv' })).toMatchObject({
      status: 403,
    });
    expect(await ask('/v1/readings', { source: '/etc/passwd' })).toMatchObject({ status: 400 });
    const { stderr, code } = await orchard(['submit', 's3://lake/hr/all.csv']);
    expect(stderr).toContain('ORCHARD_SOURCES');
    expect(code).not.toBe(0);
  });

  test('wait where the workers that are there may not read them, and count as work, until one that may is there', async () => {
    const { id } = await ask('/v1/readings', { source: 's3://lake/wide/' });
    const waits = async (): Promise<string | null | undefined> => (await ask(`/v1/readings/${id}`)).waits;
    await expect.poll(waits).toContain('None of the workers that are there may read it');
    const { jobs, readings } = (await ask('/v1/load')) as unknown as { jobs: number; readings: { waiting: number } };
    expect(jobs).toBeGreaterThanOrEqual(1);
    expect(readings).toEqual({ waiting: 1, active: 0 });
    await cluster.add('worker', { ORCHARD_SOURCES: 's3://lake/wide/' });
    expect(await ended(id)).toMatchObject({ state: 'done', answer: { rows: { train: 900, valid: 100 } } });
  });

  test.skipIf(!isMounted)('go to another worker where the disk of one is full, which is said meanwhile', async () => {
    await cluster.add('worker', {
      ORCHARD_SOURCES: 's3://lake/large/',
      ORCHARD_WORKER_NAME: 'small',
      TMPDIR: smallDisk,
    });
    const { id } = await ask('/v1/readings', { source: 's3://lake/large/all.csv' });
    const waits = async (): Promise<string | null | undefined> => (await ask(`/v1/readings/${id}`)).waits;
    await expect.poll(waits).toContain('No room for a copy of it in the temporary folder (TMPDIR) of small');
    await cluster.add('worker', { ORCHARD_SOURCES: 's3://lake/large/' });
    expect(await ended(id)).toMatchObject({ state: 'done', answer: { rows: { train: 36_000, valid: 4_000 } } });
  });

  test('are refused as rows of a file are, with the part and the line', async () => {
    const { stderr, code } = await orchard(['submit', 's3://lake/sales-bad/a.csv']);
    expect(stderr).toContain('s3://lake/sales-bad/a.csv, line 3: got 3 cells');
    expect(code).toBe(2);
    const missing = await orchard(['submit', 's3://lake/sales/none.csv']);
    expect(missing.stderr).toContain('no object of that key');
  });

  test('are not read twice by an answer, and are unknown by another id', async () => {
    expect(await ask(`/v1/readings/${'0'.repeat(32)}`)).toMatchObject({ status: 404, code: 'unknown-reading' });
    const { id } = await ask('/v1/readings', {
      source: 's3://lake/sales/',
      fractions: { valid: 0.2, test: 0.1 },
      seed: 3,
    });
    const { answer } = await ended(id);
    expect(answer?.rows).toEqual({ train: 700, valid: 200, test: 100 });
    // Redis forgets: who asks has the answer from the store
    await cluster.command('FLUSHALL');
    expect(await ended(id)).toMatchObject({ answer });
    const { id: again } = await ask('/v1/readings', {
      source: 's3://lake/sales/',
      fractions: { valid: 0.2, test: 0.1 },
      seed: 3,
    });
    expect((await ended(again as string)).answer).toEqual(answer);
  });
});
