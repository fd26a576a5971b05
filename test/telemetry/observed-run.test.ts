import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { traceIdOf } from '@orchard/telemetry';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startCluster, type Cluster } from '../../infra/cluster/index.mjs';
import { asking } from '../api/asking.js';
import { lacks } from '../servers/needed.js';
import { alertRules, askedBy, exposedBy, watchedExpressions } from './promql.js';
import { startReceiver, type ReceivedSpan, type Receiver } from './receiver.js';

const dimensions = 112;
const caller = { trace: '0af7651916cd43dd8448eb211c80319c', span: 'b7ad6b7169203331' };
const asked = { trace: '4bf92f3577b34da6a3ce929d0e0e4736', span: '00f067aa0ba902b7' };
const traceparent = (of: typeof caller): string => `00-${of.trace}-${of.span}-01`;

/** A run with a worker that is killed while it trains, and all that was told of it. */
describe.skipIf(lacks('redis', 's3'))('a cluster that is watched, one of whose workers is killed', () => {
  let receiver: Receiver;
  let cluster: Cluster;
  let run: string;
  let spans: readonly ReceivedSpan[];
  let byId: ReadonlyMap<string, ReceivedSpan>;
  let killed: string;
  let exposed: ReturnType<typeof exposedBy>;

  const requests = asking(() => cluster);
  const ask = (path: string, init?: RequestInit): Promise<Record<string, unknown>> =>
    requests.json(requests.ask(path, init));
  const statusOf = async (): Promise<{ state: string; stages: Record<string, { done: number }> }> =>
    (await ask(`/v1/runs/${run}`)) as never;

  beforeAll(async () => {
    receiver = await startReceiver();
    const environment = {
      OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
      OTEL_BSP_SCHEDULE_DELAY: '200',
      ORCHARD_LOCK_SECONDS: '2',
    };
    cluster = await startCluster({ workers: 2, threads: 1, environment, say: () => undefined });
    const ids: Record<string, unknown> = {};
    for (const split of ['train', 'valid', 'test']) {
      const file = fileURLToPath(new URL(`../data/mushrooms/${split}.data.gz`, import.meta.url));
      const body = new Uint8Array(await readFile(file));
      ids[split] = (await ask('/v1/datasets?format=data', { method: 'POST', body })).id;
    }
    const headers = { 'Content-Type': 'application/json', traceparent: traceparent(caller) };
    // tasks that are long beside the moments between them: a worker that is killed at any time then holds one
    const body = JSON.stringify({ ...ids, preset: 'paper', leaves: 4, rounds: 150 });
    run = String((await ask('/v1/runs', { method: 'POST', headers, body })).id);
    while ((((await statusOf()).stages.train as { done: number } | undefined)?.done ?? 0) < 1) await sleep(30);
    const [victim] = cluster.workers;
    killed = victim!.name.replaceAll(' ', '-');
    process.kill(victim!.pid, 'SIGKILL');
    while ((await statusOf()).state !== 'done') await sleep(100);
    await ask(`/v1/runs/${run}`, { headers: { traceparent: traceparent(asked) } });
    const [, survivor] = cluster.workers;
    const scraped = [survivor!, cluster.selector, cluster.coordinator].map(async ({ port }) => {
      const headers = port === cluster.coordinator.port ? { Authorization: `Bearer ${cluster.readToken}` } : {};
      return (await fetch(`http://127.0.0.1:${port}/metrics`, { headers })).text();
    });
    exposed = exposedBy((await Promise.all(scraped)).join('\n'));
    // what a program has not written yet it writes when it ends
    await cluster.stop();
    spans = receiver.spans.filter(({ trace }) => trace === traceIdOf(run));
    byId = new Map(spans.map((span) => [span.id, span]));
  });
  afterAll(async () => {
    await cluster.stop();
    await receiver.stop();
  });

  const named = (name: string): ReceivedSpan[] => spans.filter((span) => span.name === name);
  const parentOf = (span: ReceivedSpan | undefined): ReceivedSpan | undefined => byId.get(span?.parent ?? '');

  describe('its trace of the run', () => {
    test('begins with the request that submitted it, which links to what its caller was doing', () => {
      const roots = spans.filter(({ parent }) => parent === null);
      expect(roots.map(({ name, service, kind }) => [name, service, kind])).toEqual([
        ['POST /v1/runs', 'orchard-coordinator', 2],
      ]);
      expect(roots[0]!.links).toEqual([caller.trace]);
      expect(named('submit run').map(parentOf)).toEqual(roots);
      const puts = named('store put').filter((span) => parentOf(span)?.name === 'submit run');
      expect(puts.map(({ attributes }) => attributes['orchard.object.kind'])).toContain('marks');
    });

    test('has every other span below one of its own, none of them older than what it is part of', () => {
      const lost = spans.filter((span) => span.parent !== null && parentOf(span) === undefined);
      expect(lost).toEqual([]);
      for (const span of spans)
        expect(span.begin >= (parentOf(span)?.begin ?? 0n) && span.end >= span.begin).toBe(true);
      expect(new Set(spans.map(({ service }) => service))).toEqual(
        new Set(['orchard-coordinator', 'orchard-worker', 'orchard-selector']),
      );
      // what is about the run is nowhere else
      const strays = receiver.spans.filter(
        ({ trace, attributes }) => attributes['orchard.run'] === run && trace !== traceIdOf(run),
      );
      expect(strays).toEqual([]);
    });

    test('has each task from the request over the queue to the put of what came of it', () => {
      const stored = named('train').filter(({ attributes }) => attributes['orchard.outcome'] === 'stored');
      for (const task of stored) {
        const queued = parentOf(task);
        expect([task.kind, queued?.name, queued?.kind, parentOf(queued)?.name]).toEqual([
          5,
          'queue worker',
          4,
          'POST /v1/runs',
        ]);
      }
      const puts = named('store put').filter((span) => stored.includes(parentOf(span)!));
      const made = puts.filter(({ attributes }) => attributes['orchard.object.kind'] === 'conditionals');
      // of nearly every job, also of those that are several short tasks: some find what the killed worker had stored
      expect(new Set(made.map(parentOf)).size).toBeGreaterThan(0.8 * stored.length);
      const tasks = stored.map(({ attributes }) => /(\d+)=\d+$/.exec(String(attributes['orchard.task']))?.[1] ?? 1);
      // what is missing is of the killed worker: what it had finished and not yet written, and the job in its hands
      expect(tasks.reduce<number>((sum, count) => sum + Number(count), 0)).toBeGreaterThan(dimensions - 40);
      expect(puts.every(({ attributes }) => Number(attributes['orchard.object.bytes']) > 0)).toBe(true);
      const selected = spans.filter(({ service, kind }) => service === 'orchard-selector' && kind === 5);
      expect(selected.length).toBeGreaterThan(0);
      // a thread asks the store by its process
      const models = named('store put').filter(({ attributes }) => attributes['orchard.object.kind'] === 'networks');
      expect(models.map((span) => [span.service, parentOf(span)?.kind])).toEqual([['orchard-selector', 5]]);
    });

    test('holds what others did of the tasks of the worker that was killed, and names it', () => {
      const taken = spans.filter(({ attributes }) => attributes['orchard.lost_by'] === killed);
      expect(taken.length).toBeGreaterThan(0);
      for (const { instance, attributes } of taken) {
        expect([instance, attributes['orchard.outcome']]).toEqual(['worker-2', 'stored']);
      }
    });

    test('is no part of a request that only looked: that one is in the trace of whoever asked', () => {
      expect(spans.filter(({ name }) => name.startsWith('GET'))).toEqual([]);
      const looked = receiver.spans.filter(({ trace }) => trace === asked.trace);
      expect(looked.map(({ name, parent }) => [name, parent])).toContainEqual(['GET /v1/runs/:id', asked.span]);
    });
  });

  test('exposes each metric, with its labels, that a panel of the dashboard or an alert asks for', async () => {
    // what begins with something that did not happen here
    const unseen = new Set<string>();
    for (const { where, expression } of await watchedExpressions()) {
      const { metrics, labels, wrong } = askedBy(expression);
      expect(wrong, where).toEqual([]);
      expect(metrics.length, where).toBeGreaterThan(0);
      // a scraper adds the instance
      const known = new Set(['instance']);
      for (const metric of metrics) {
        expect([...exposed.keys()], where).toContain(metric);
        for (const label of exposed.get(metric) ?? []) known.add(label);
        if (exposed.get(metric) === null) unseen.add(metric);
      }
      if (metrics.some((metric) => unseen.has(metric))) continue;
      expect([...known], `${where}: ${expression}`).toEqual(expect.arrayContaining([...labels]));
    }
    expect([...unseen]).toEqual(['orchard_job_attempts_failed_total']);
  });
});

test('each alert says how bad it is and what to do', async () => {
  for (const { alert, labels, annotations } of await alertRules()) {
    expect(['critical', 'warning', 'info'], alert).toContain(labels.severity);
    expect(annotations.summary, alert).toMatch(/\.$/);
    expect(annotations.runbook, alert).toMatch(/^[A-Z"0-9].{80,}\.$/);
  }
});
