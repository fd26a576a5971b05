import { TraceIdRatioBasedSampler } from '@opentelemetry/sdk-trace';
import { ROOT_CONTEXT } from '@opentelemetry/api';
import { FilesystemStore } from '@orchard/storage';
import { folderOfTest, serverOfTest } from '@orchard/storage/testing';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { openTelemetry } from './open-telemetry.js';
import { callerOf, isAmong, newTraceId, traceIdOf } from './run-trace.js';
import { telemetryVariables } from './settings.js';
import { untraced, type Attempt, type Telemetry } from './telemetry.js';

const run = 'ab'.repeat(32);
const attempt = (key: string): Attempt => ({
  task: { run, kind: 'train', key },
  pool: 'worker',
  family: 'lbarn',
  worker: 'one',
  addedAt: Date.now(),
  lostBy: null,
});

/** A span in OTLP's JSON. */
interface Told {
  readonly name: string;
  readonly attributes: readonly { readonly key: string; readonly value: object }[];
  readonly status: { readonly code?: number };
}

/** What a collector is told, as text, and what the program logs of it. */
describe('a program that writes traces', () => {
  let folder: string;
  let told: string[];
  let status: number;
  let asked: number;
  let lines: string[];
  let url: string;

  const log = {
    info: (_fields: object, message: string) => void lines.push(`info: ${message}`),
    warn: (_fields: object, message: string) => void lines.push(`warn: ${message}`),
  };
  const open = (more: Record<string, string> = {}): Promise<Telemetry> => {
    const environment = {
      OTEL_EXPORTER_OTLP_ENDPOINT: url,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
      OTEL_BSP_SCHEDULE_DELAY: '20',
      ...more,
    };
    for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
    const settings = z.object(telemetryVariables).parse(environment);
    return openTelemetry(settings, { name: 'orchard-test', instance: 'one' }, log as never);
  };
  const spansOf = (name: string): { attributes: Record<string, unknown>; status: { code?: number } }[] =>
    told
      .flatMap((body) => (JSON.parse(body) as { resourceSpans: { scopeSpans: { spans: Told[] }[] }[] }).resourceSpans)
      .flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans))
      .filter((span) => span.name === name)
      .map(({ attributes, status: state }) => ({
        status: state,
        attributes: Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0] as unknown])),
      }));

  beforeEach(async () => {
    folder = folderOfTest();
    [told, lines, status, asked] = [[], [], 200, 0];
    url = await serverOfTest((request, response) => {
      let body = '';
      request.on('data', (part: Buffer) => (body += part.toString()));
      request.on('end', () => {
        asked += 1;
        if (status === 200) told.push(body);
        response.writeHead(status).end('{}');
      });
    });
  });
  afterEach(() => {
    vi.unstubAllEnvs();
  });

  test('of a run of many tasks writes so many one by one, and the rest in sums; failures always', async () => {
    const telemetry = await open({ ORCHARD_TRACED_TASKS: '3' });
    const work = (): Promise<string> => Promise.resolve('stored');
    for (let task = 0; task < 120; task++) await telemetry.attempt(attempt(String(task)), work, String);
    const failing = telemetry.attempt(attempt('120'), () => Promise.reject(new TypeError('a secret')), String);
    await expect(failing).rejects.toThrow();
    await telemetry.close();
    const trains = spansOf('train');
    expect(trains).toHaveLength(4);
    expect(trains.at(-1)).toMatchObject({ status: { code: 2, message: 'TypeError' } });
    expect(spansOf('more tasks').map(({ attributes }) => attributes['orchard.tasks'])).toEqual([100, 17]);
    expect(spansOf('more tasks')[0]!.attributes['orchard.note']).toContain('ORCHARD_TRACED_TASKS');
    expect(told.join()).not.toContain('a secret');
    expect(told.join()).toContain(traceIdOf(run));
  });

  test('of an attempt with many requests to the store writes the first and the last, and says how many are left out', async () => {
    const telemetry = await open();
    const store = telemetry.watch(await FilesystemStore.open(folder));
    const work = async (): Promise<string> => {
      for (let at = 0; at < 30; at++) await store.put(`runs/${run}/checkpoints/${at}`, new Uint8Array(at + 1));
      return 'stored';
    };
    await telemetry.attempt(attempt('1'), work, String);
    await store.put('marks/outside', new Uint8Array(1));
    await telemetry.close();
    const sizes = spansOf('store put').map(({ attributes }) => Number(attributes['orchard.object.bytes']));
    expect(sizes).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 23, 24, 25, 26, 27, 28, 29, 30]);
    expect(spansOf('train')[0]!.attributes).toMatchObject({ 'orchard.parts.left_out': 14 });
    expect(spansOf('store put')[0]!.attributes).toMatchObject({ 'orchard.object.kind': 'checkpoints' });
  });

  test('says once that the collector is away, and again only when it is back', async () => {
    status = 400;
    const telemetry = await open();
    const once = (): Promise<string> => telemetry.attempt(attempt('1'), () => Promise.resolve('stored'), String);
    for (let batch = 0; batch < 4; batch++) {
      await once();
      await expect.poll(() => asked).toBe(batch + 1);
    }
    await expect.poll(() => lines).toContainEqual(expect.stringMatching(/^warn/));
    expect(lines.filter((line) => line.startsWith('warn'))).toHaveLength(1);
    status = 200;
    await once();
    await telemetry.close();
    expect(lines.at(-1)).toBe('info: traces are written again');
  });

  test('ends in two seconds though nobody answers', async () => {
    const telemetry = await open({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' });
    await telemetry.attempt(attempt('1'), () => Promise.resolve('stored'), String);
    const began = performance.now();
    await telemetry.close();
    expect(performance.now() - began).toBeLessThan(3_000);
  });

  test('is none without an endpoint', async () => {
    const settings = z.object(telemetryVariables).parse({});
    expect(await openTelemetry(settings, { name: 'orchard-test', instance: 'one' }, log as never)).toBe(untraced);
  });
});

describe('the trace of a run', () => {
  test('has an id of its own, the same for whoever asks', () => {
    expect(traceIdOf(run)).toMatch(/^[0-9a-f]{32}$/);
    expect(traceIdOf(run)).toBe(traceIdOf(run));
    expect(traceIdOf('cd'.repeat(32))).not.toBe(traceIdOf(run));
  });

  test("is among a share of all as OpenTelemetry's own sampler has it", () => {
    const sampler = new TraceIdRatioBasedSampler(0.3);
    for (let at = 0; at < 500; at++) {
      const trace = newTraceId();
      expect(isAmong(trace, 0.3)).toBe(sampler.shouldSample(ROOT_CONTEXT, trace).decision === 2);
    }
  });

  test("knows a caller's by a traceparent that is one", () => {
    const trace = '0af7651916cd43dd8448eb211c80319c';
    expect(callerOf(`00-${trace}-b7ad6b7169203331-01`)).toEqual({ trace, span: 'b7ad6b7169203331', isTraced: true });
    expect(callerOf(`00-${trace}-b7ad6b7169203331-00`)?.isTraced).toBe(false);
    for (const wrong of [
      undefined,
      '',
      'x',
      `00-${'0'.repeat(32)}-b7ad6b7169203331-01`,
      `ff-${trace}-b7ad6b7169203331-01`,
    ])
      expect(callerOf(wrong)).toBeNull();
  });
});
