import { noLikelihood } from '@orchard/pipeline';
import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RunError, RunPins, RunSheets, type RunLife, type Runs } from '@orchard/runs';
import {
  personOf,
  runIdOf,
  type BaseSpecification,
  type RunSheet,
  type RunStatus,
  type Wanted,
} from '@orchard/contracts';
import type { ObjectStore } from '@orchard/storage';
import { temporaryStore } from '@orchard/storage/testing';
import { untraced } from '@orchard/telemetry';
import { pino } from 'pino';
import { expect } from 'vitest';
import { readConfig } from './config.js';
import { createApp } from './create-app.js';
import { Housekeeping } from './operations/housekeeping.js';
import { Metrics } from './operations/metrics.js';
import type { Ports } from './ports.js';
import { Webhooks } from './webhooks/webhooks.js';

export const fullToken = 'full-token-of-the-tests-0123456789';
export const readToken = 'read-token-of-the-tests-0123456789';

/** A coordinator on a free port of loopback, on objects in memory and on runs that stay as they were submitted. */
export interface Harness {
  readonly url: string;
  readonly life: StillLife;
  readonly store: ObjectStore;
  /** Lines of the log so far. */
  readonly log: readonly string[];
  /** With the full token, unless headers say otherwise. */
  ask(path: string, init?: RequestInit): Promise<Response>;
  /** Asks with a document. */
  post(path: string, document: unknown, headers?: Record<string, string>): Promise<Response>;
  /** Sends rows, CSV unless headers say otherwise. */
  send(path: string, rows: string | Uint8Array, headers?: Record<string, string>): Promise<Response>;
  stop(): Promise<void>;
}

export async function startHarness(
  environment: Record<string, string> = {},
  ports: Partial<Ports> = {},
): Promise<Harness> {
  const directory = await mkdtemp(join(tmpdir(), 'orchard-coordinator-'));
  const store = temporaryStore();
  const life = new StillLife(new RunSheets(store));
  const stopping = new AbortController();
  const log: string[] = [];
  const config = readConfig({
    ORCHARD_STORE: directory,
    ORCHARD_TOKENS: `tester:full:${fullToken} reader:read:${readToken}`,
    ORCHARD_MAX_REQUESTS_PER_SECOND: '1000',
    ...environment,
  });
  const app = await createApp(config, {
    log: pino({ level: 'debug' }, { write: (line: string) => log.push(line) }),
    metrics: new Metrics([]),
    telemetry: untraced,
    store,
    life,
    datasets: {
      list: () => Promise.resolve({ datasets: [], unreadable: [], next: null }),
      remove: (id) => Promise.reject(refusal('dataset-in-use', id)),
    },
    readings: {
      begin: () => Promise.reject(refusal('unknown-run', 'none')),
      status: () => Promise.reject(refusal('unknown-run', 'none')),
      load: () => Promise.resolve({ waiting: 2, active: 1 }),
    },
    tasks: {
      grid: (run) => Promise.resolve({ run, stages: [], active: [] }),
      task: (run) => Promise.reject(refusal('unknown-run', run)),
      likelihood: (run) => Promise.resolve(noLikelihood(run)),
    },
    openRunsOf: (person) => life.openOf(person),
    pins: new RunPins(store),
    costOf: () => Promise.resolve(null),
    housekeeping: new Housekeeping(
      {
        store,
        retained: {
          expired: () => Promise.resolve([]),
          ahead: () => Promise.resolve(new Map()),
          remove: () => Promise.resolve(),
        },
        audit: { tryWrite: () => Promise.resolve() },
        log: pino({ level: 'silent' }),
      },
      config.housekeeping,
    ),
    webhooks: new Webhooks(
      { store, sheets: new RunSheets(store), endOf: (run) => life.endOf(run), log: pino({ level: 'silent' }) },
      config.webhooks,
    ),
    use: { last: null, within: () => Promise.resolve({ people: new Map(), runs: new Map(), at: Date.now() }) },
    busyPeople: () => new Map(),
    glance: () => Promise.resolve({ runs: [], workers: [] }),
    page: new Map(),
    reconciler: { counts: () => life.counts(), lastPassAt: Date.now() },
    checks: [{ name: 'store', check: () => store.list('') }],
    presign: null,
    stopping: stopping.signal,
    board: null,
    ...ports,
  });
  await app.listen(0, '127.0.0.1');
  const { port } = app.getHttpServer().address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  const ask: Harness['ask'] = (path, init = {}) =>
    fetch(url + path, {
      redirect: 'manual',
      ...init,
      headers: { Authorization: `Bearer ${fullToken}`, ...init.headers },
    });
  const send: Harness['send'] = (path, rows, headers) =>
    ask(path, { method: 'POST', body: rows as BodyInit, headers: { 'Content-Type': 'text/csv', ...headers } });
  return {
    url,
    life,
    store,
    log,
    ask,
    post: (path, document, headers) =>
      send(path, JSON.stringify(document), { 'Content-Type': 'application/json', ...headers }),
    send,
    stop: async () => {
      stopping.abort();
      await app.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/** A problem as the coordinator answers with. */
export async function problemOf(response: Response): Promise<Record<string, unknown>> {
  expect(response.headers.get('content-type')).toContain('application/problem+json');
  const problem = (await response.json()) as Record<string, unknown>;
  expect(problem).toMatchObject({ status: response.status, requestId: response.headers.get('x-request-id') });
  return problem;
}

function refusal(code: 'dataset-in-use' | 'unknown-run', id: string): RunError {
  return new RunError(code, { got: id, expected: 'another', remedy: 'Choose another.' });
}

const freeCluster = { threads: 4, freeThreads: 3, jobsBefore: 0, runsBefore: 0, secondsUntil: 0 };

/** Runs that are submitted and never worked on; a test sets what they have come to. */
export class StillLife implements RunLife {
  readonly runs = new Map<string, RunStatus>();

  constructor(private readonly sheets: RunSheets | null = null) {}

  async submit(
    specification: BaseSpecification,
    choice: Wanted,
    _datasets?: unknown,
    sheet?: RunSheet,
  ): ReturnType<RunLife['submit']> {
    const id = runIdOf(specification);
    const created = !this.runs.has(id);
    if (created && sheet !== undefined) await this.sheets?.write(id, sheet);
    if (created) this.runs.set(id, statusOf(id, specification, choice));
    return { id, created, starts: created ? freeCluster : null, status: this.runs.get(id)! };
  }

  status(id: string): Promise<RunStatus> {
    const status = this.runs.get(id);
    return status === undefined ? Promise.reject(refusal('unknown-run', id)) : Promise.resolve(status);
  }

  list(): ReturnType<RunLife['list']> {
    return Promise.resolve({ runs: [...this.runs.values()], next: null });
  }

  async cancel(id: string): Promise<void> {
    await this.change(id, { state: 'cancelled' });
  }

  async resume(id: string): Promise<void> {
    await this.change(id, { state: 'training' });
  }

  async select(id: string, choice: Wanted): Promise<void> {
    await this.change(id, { choice });
  }

  async repair(id: string): ReturnType<RunLife['repair']> {
    await this.status(id);
    return { dropped: [], lost: 0, datasets: [] };
  }

  async remove(id: string): Promise<void> {
    await this.status(id);
    this.runs.delete(id);
  }

  async openOf(person: string): Promise<number> {
    const open = [...this.runs.values()].filter(({ state }) => state === 'training').map(({ id }) => id);
    const sheets = (await this.sheets?.ofAll(open)) ?? new Map<string, RunSheet>();
    return [...sheets.values()].filter(({ submitter }) => personOf(submitter) === person).length;
  }

  endOf(id: string): ReturnType<Runs['endOf']> {
    const status = this.runs.get(id);
    if (status === undefined) return Promise.resolve(null);
    const { family, state, reason, submittedAt } = status;
    if (state !== 'done' && state !== 'failed' && state !== 'cancelled') return Promise.resolve('open');
    return Promise.resolve({ end: 2, family, state, reason, submittedAt, endedAt: submittedAt });
  }

  async *events(id: string): AsyncGenerator<RunStatus, void> {
    yield await this.status(id);
    await this.change(id, { state: 'done' });
    yield await this.status(id);
  }

  async change(id: string, changes: Partial<RunStatus>): Promise<void> {
    this.runs.set(id, { ...(await this.status(id)), ...changes });
  }

  counts(): ReturnType<Ports['reconciler']['counts']> {
    return [
      { family: 'lbarn', stage: 'train', pool: 'worker', state: 'waiting', count: 5 },
      { family: 'lbarn', stage: 'refit', pool: 'worker', state: 'active', count: 2 },
      { family: 'lbarn', stage: 'select', pool: 'selector', state: 'active', count: 1 },
    ];
  }
}

function statusOf(id: string, specification: BaseSpecification, choice: Wanted): RunStatus {
  const counts = { total: 2, waiting: 2, active: 0, done: 0, quarantined: 0 };
  return {
    id,
    family: 'lbarn',
    state: 'training',
    submittedAt: '2026-01-01T00:00:00.000Z',
    choice,
    reason: null,
    specification,
    choices: [choice],
    networks: [],
    stages: { train: counts, select: { ...counts, total: 1, waiting: 1 }, refit: null, assemble: null },
    treesPerSecond: 0,
    secondsLeft: null,
    secondsLeftRange: null,
    logLikelihood: null,
    selections: null,
    quarantined: [],
    retrying: [],
    notices: [],
    waits: [],
  };
}
