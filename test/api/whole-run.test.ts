import { temporaryFolder } from '@orchard/storage/testing';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PAGE_SEAL_BYTES, sealedPage } from '@orchard/contracts';
import { S3Store } from '@orchard/storage/s3';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startCluster, type Cluster } from '../../infra/cluster/index.mjs';
import { startS3, type S3Server } from '../../infra/servers/index.mjs';
import { lacks } from '../servers/needed.js';
import { asking } from './asking.js';
import { orchard } from './command-line.js';
import { argv } from '../../infra/command-line.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const data = (split: string): string => join(root, 'test', 'data', 'mushrooms', `${split}.data.gz`);
const words = { preset: 'paper', leaves: 4, rounds: 12, select: 'common' } as const;
const flags = ['--preset', 'paper', '--leaves', '4', '--rounds', '12', '--select', 'common'];
const splits = ['train', 'valid', 'test'] as const;

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

describe.skipIf(lacks('redis', 's3'))('a cluster asked by HTTP', () => {
  let s3: S3Server;
  let cluster: Cluster;
  const folder = temporaryFolder();
  let runId: string;
  const local: Record<string, string> = {};
  const publicEndpoint = (): string => s3.url.replace('127.0.0.1', 'localhost');

  const { ask, post, json } = asking(() => cluster);

  const trainedJobs = async (): Promise<number> => {
    const text = await (await ask('/metrics')).text();
    return Number(/orchard_completed_seconds_count\{stage="train"\} (\d+)/.exec(text)?.[1]);
  };

  beforeAll(async () => {
    s3 = await startS3();
    const environment = { ORCHARD_S3_PUBLIC_ENDPOINT: publicEndpoint() };
    cluster = await startCluster({ workers: 2, threads: 1, s3, environment });
    const files = [data('train'), '--valid', data('valid'), '--test', data('test')];
    await orchard(['train', ...files, '--out', join(folder, 'local'), '--quiet', ...flags]);
    for (const file of ['network.msgpack', 'summary.json']) {
      local[file] = sha256(readFileSync(join(folder, 'local', file)));
    }
    // a cluster knows no file's name: the words are taken from a report that says them, and all else is to be the same
    // bytes
    const report = readFileSync(join(folder, 'local', 'report.html'), 'utf8');
    const words = /<dt>(training|validation|test) rows from<\/dt><dd>[^<]*<\/dd>/g;
    expect(report.match(words)).toHaveLength(3);
    const unnamed = report.replace(words, '').replaceAll('train.data.gz', 'A network of 112 dimensions');
    const resealed = sealedPage(unnamed.slice(0, -PAGE_SEAL_BYTES));
    local['report.html'] = sha256(Buffer.from(resealed));
  });
  afterAll(async () => {
    await cluster.stop();
    await s3.stop();
  });

  test('uploaded, submitted, followed and fetched, ends in the bytes of orchard train', async () => {
    const ids: Record<string, unknown> = {};
    for (const split of splits) {
      const body = readFileSync(data(split));
      ids[split] = (await json(ask('/v1/datasets?format=data', { method: 'POST', body }))).id;
    }
    const submitted = await json(post('/v1/runs', { ...ids, ...words }));
    runId = String(submitted['id']);
    const summary = JSON.parse(readFileSync(join(folder, 'local', 'summary.json'), 'utf8')) as { runId: string };
    expect(runId).toBe(summary.runId);
    const events = await (await ask(`/v1/runs/${runId}/events`)).text();
    const states = [...events.matchAll(/^data: (.*)$/gm)].map(
      ([, text]) => (JSON.parse(text!) as { state: string }).state,
    );
    expect(states.at(-1)).toBe('done');
    const files = { network: 'network.msgpack', summary: 'summary.json', report: 'report.html' };
    for (const [what, file] of Object.entries(files)) {
      const fetched = new Uint8Array(await (await ask(`/v1/runs/${runId}/${what}`)).arrayBuffer());
      expect([file, sha256(fetched)]).toEqual([file, local[file]]);
    }
  });

  test('redirects to URLs of the object store, which need no token and cannot be altered', async () => {
    const files = { network: 'network.msgpack', summary: 'summary.json', report: 'report.html' };
    for (const [what, file] of Object.entries(files)) {
      const response = await ask(`/v1/runs/${runId}/${what}?redirect=1`, { redirect: 'manual' }, cluster.readToken);
      expect([what, response.status]).toEqual([what, 302]);
      const url = new URL(response.headers.get('location')!);
      expect(url.origin).toBe(publicEndpoint());
      const fetched = await fetch(url);
      expect(sha256(new Uint8Array(await fetched.arrayBuffer()))).toBe(local[file]);
      url.pathname = url.pathname.replace(/[^/]+$/, '').replace(/[^/]+\/$/, '') + 'specification';
      expect((await fetch(url)).status).toBe(403);
    }
    expect((await fetch(`${cluster.url}/v1/runs/${runId}/network?redirect=1`)).status).toBe(401);
    const other = await ask(`/v1/runs/${runId}/network?redirect=1&selection=individual`, { redirect: 'manual' });
    expect(other.status).toBe(409);
    const followed = await ask(`/v1/runs/${runId}/network?redirect=1`);
    expect(followed.redirected).toBe(true);
    expect(sha256(new Uint8Array(await followed.arrayBuffer()))).toBe(local['network.msgpack']);
  });

  test('submitted by the command line too, is the same run and the same bytes', async () => {
    const environment = { ORCHARD_SERVER: cluster.url, ORCHARD_TOKEN: cluster.token };
    const files = [data('train'), '--valid', data('valid'), '--test', data('test')];
    const output = await orchard(['submit', ...files, ...flags, '--watch', '--json'], environment);
    expect(JSON.parse(output)).toMatchObject({ id: runId, state: 'done' });
    await orchard(['fetch', runId.slice(0, 10), '--out', join(folder, 'fetched')], environment);
    expect(sha256(readFileSync(join(folder, 'fetched', 'network.msgpack')))).toBe(local['network.msgpack']);
    await expect(orchard(['cancel', runId], environment)).rejects.toThrow('ended with 2');
    expect(JSON.parse(await orchard(['gc', '--older-than', '0s', '--json'], environment))).toEqual({
      datasets: [],
      leftovers: [],
      uploads: [],
      removed: false,
      olderThanSeconds: 0,
    });
    await expect(orchard(['runs'], { ...environment, ORCHARD_TOKEN: 'nonsense' })).rejects.toThrow('unknown token');
  });

  test('makes another network of the run without training anew', async () => {
    const before = await trainedJobs();
    await json(post(`/v1/runs/${runId}/select`, { selection: 'individual', refit: false }));
    await expect.poll(async () => (await json(ask(`/v1/runs/${runId}`)))['state']).toBe('done');
    const summary = await json(ask(`/v1/runs/${runId}/summary`));
    expect(summary['network']).toMatchObject({ selection: 'individual', refit: false });
    expect(await trainedJobs()).toBe(before);
    const first = await ask(`/v1/runs/${runId}/network?selection=common&refit=true`);
    expect(sha256(new Uint8Array(await first.arrayBuffer()))).toBe(local['network.msgpack']);
  });

  test('scores and draws rows, for a read-only token too', async () => {
    const drawn = await json(post(`/v1/networks/${runId}/sample`, { count: 3, seed: 7 }, cluster.readToken));
    const rows = drawn['rows'] as number[][];
    expect(rows.map((row) => row.length)).toEqual([112, 112, 112]);
    expect(await json(post(`/v1/networks/${runId}/sample`, { count: 3, seed: 7 }))).toEqual(drawn);
    const scored = (await json(post(`/v1/networks/${runId}/score`, { rows, top: 2 }))) as {
      logLikelihood: number;
      rows: { surprising: unknown[] }[];
    };
    expect(scored.logLikelihood).toBeLessThan(0);
    expect(scored.rows.every(({ surprising }) => surprising.length <= 2)).toBe(true);
    expect((await post(`/v1/networks/${runId}/score`, { rows: [[0, 1]] })).status).toBe(422);
    expect((await post(`/v1/networks/${runId}/sample`, { count: 1001 })).status).toBe(400);
  });

  test('shows its queues, its load and its figures to those who have a token', async () => {
    for (const path of ['/queues', '/queues/api/queues', '/metrics', '/v1/load', '/docs', '/v1/runs', '/v1/datasets']) {
      expect([path, (await fetch(cluster.url + path)).status]).toEqual([path, 401]);
      expect([path, (await ask(path, {}, cluster.readToken)).status]).toEqual([path, 200]);
    }
    expect(await (await ask('/queues')).text()).toContain('Bull Dashboard');
    expect(await json(ask('/v1/load'))).toEqual({
      ...{ waiting: 0, active: 0, jobs: 0 },
      readings: { waiting: 0, active: 0 },
      selectors: { waiting: 0, active: 0, jobs: 0 },
    });
    const metrics = await (await ask('/metrics')).text();
    expect(metrics).toMatch(/orchard_completed_seconds_count\{stage="train"\} \d+/);
    expect(metrics).toMatch(/orchard_queue_wait_seconds_count [1-9]/);
    expect(metrics).toMatch(/orchard_queue_jobs\{queue="worker",state="waiting"\} 0/);
    expect(metrics).toMatch(/orchard_store_request_seconds_count\{operation="put",outcome="ok"\} \d+/);
  });

  test('lists and removes what was written for runs that nobody created, and nothing else', async () => {
    const environment = { ORCHARD_SERVER: cluster.url, ORCHARD_TOKEN: cluster.token };
    const { bucket, url: endpoint, region, accessKeyId, secretAccessKey } = cluster.s3;
    const store = await S3Store.open({ bucket, endpoint, region, credentials: { accessKeyId, secretAccessKey } });
    const before = await store.list('runs/');
    const nobody = 'e'.repeat(64);
    await store.put(`runs/${nobody}/conditionals/0`, Buffer.from('late'));
    await store.put(`runs/${runId}/checkpoints/0/5`, Buffer.from('late too'));
    await store.put(`datasets/${nobody}`, Buffer.from('cut off'));
    const uploads = [{ dataset: nobody, bytes: 7 }];
    const leftovers = [
      { run: runId, why: 'a checkpoint of a run that is done', objects: 1, bytes: 8 },
      { run: nobody, why: 'its run was never created', objects: 1, bytes: 4 },
    ].sort((a, b) => (a.run < b.run ? -1 : 1));
    const gc = async (...more: string[]): Promise<unknown> =>
      JSON.parse(await orchard(['gc', '--json', ...more], environment));
    const nothing = { datasets: [], leftovers: [], uploads: [], removed: false };
    // all of it is younger than a day
    expect(await gc()).toEqual({ ...nothing, olderThanSeconds: 86_400 });
    expect(await json(ask('/v1/garbage', {}, cluster.readToken))).toEqual({ datasets: [], leftovers: [], uploads: [] });
    const now = ['--older-than', '0s'];
    expect(await gc(...now)).toEqual({ ...nothing, leftovers, uploads, olderThanSeconds: 0 });
    const url = '/v1/garbage?olderThanSeconds=0';
    expect(await json(ask(url, {}, cluster.readToken))).toEqual({ datasets: [], leftovers, uploads });
    expect((await ask('/v1/garbage', { method: 'DELETE' }, cluster.readToken)).status).toBe(403);
    expect(await gc('--remove', ...now)).toEqual({
      ...nothing,
      leftovers,
      uploads,
      removed: true,
      olderThanSeconds: 0,
    });
    expect(await gc(...now)).toEqual({ ...nothing, olderThanSeconds: 0 });
    expect(await store.list('runs/')).toEqual(before);
    store.close();
  });

  test(
    'has two coordinators; one that is ended in mid-run ends its streams, and the other goes on to the same bytes',
    { tags: 'nightly' },
    async () => {
      const second = await cluster.startCoordinator();
      const other = `http://127.0.0.1:${second.port}`;
      const headers = { Authorization: `Bearer ${cluster.token}`, 'Content-Type': 'application/json' };
      const { specification } = (await json(ask(`/v1/runs/${runId}`))) as { specification: Record<string, string> };
      const { train, valid } = specification;
      const submission = JSON.stringify({ train, valid, test: null, preset: 'paper', leaves: 8, rounds: 60 });
      const submitted = await fetch(`${other}/v1/runs`, { method: 'POST', body: submission, headers });
      const { id } = (await submitted.json()) as { id: string };
      let followed = '';
      const stream = await fetch(`${other}/v1/runs/${id}/events`, { headers });
      const streamed = (async () => {
        for await (const text of stream.body!.pipeThrough(new TextDecoderStream())) followed += text;
      })();
      await expect.poll(() => followed).toContain('event: status');
      await expect
        .poll(async () => ((await json(ask(`/v1/runs/${id}`)))['stages'] as { train: { done: number } }).train.done)
        .toBeGreaterThan(5);
      await second.stop();
      expect(await second.ended).toBe('ended with code 0');
      await streamed;
      const events = await (await ask(`/v1/runs/${id}/events`)).text();
      expect(events).toContain('"state":"done"');
      const again = join(folder, 'again');
      const files = [data('train'), '--valid', data('valid')];
      await orchard(argv`train ${files} --out ${again} --quiet --preset paper --leaves 8 --rounds 60`);
      const network = new Uint8Array(await (await ask(`/v1/runs/${id}/network`)).arrayBuffer());
      expect(sha256(network)).toBe(sha256(readFileSync(join(again, 'network.msgpack'))));
      expect((await ask(`/v1/runs/${id}`, { method: 'DELETE' })).status).toBe(204);
    },
  );

  test('keeps a data set that a run needs, and removes both in order', async () => {
    const { specification } = (await json(ask(`/v1/runs/${runId}`))) as { specification: { train: string } };
    const dataset = `/v1/datasets/${specification.train}`;
    expect((await ask(dataset, { method: 'DELETE' })).status).toBe(409);
    expect((await ask(`/v1/runs/${runId}`, { method: 'DELETE' }, cluster.readToken)).status).toBe(403);
    const environment = { ORCHARD_SERVER: cluster.url, ORCHARD_TOKEN: cluster.token };
    await orchard(['pin', runId], environment);
    await expect(orchard(['delete', runId], environment)).rejects.toThrow('2');
    expect(JSON.parse(await orchard(['retention', '--json'], environment))).toMatchObject({
      everyHours: 24,
      expired: [],
    });
    await orchard(['unpin', runId], environment);
    expect(JSON.parse(await orchard(['whoami', '--json'], environment))).toMatchObject({
      role: 'admin',
      limits: { storedBytes: null },
    });
    await expect(orchard(['delete', runId], { ...environment, ORCHARD_TOKEN: cluster.readToken })).rejects.toThrow('2');
    expect(JSON.parse(await orchard(['delete', runId, '--json'], environment))).toEqual({
      deleted: [runId],
      refused: [],
    });
    expect((await ask(`/v1/runs/${runId}`)).status).toBe(404);
    await expect.poll(async () => (await ask(dataset, { method: 'DELETE' })).status).toBe(204);
    expect((await ask(dataset)).status).toBe(404);
  });
});
