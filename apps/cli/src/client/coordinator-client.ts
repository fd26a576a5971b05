import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  datasetFactsSchema,
  parseContract,
  type DatasetFacts,
  type ReadingRequest,
  type RunRequest,
  type Wanted,
} from '@orchard/contracts';
import type { BitMatrix } from '@orchard/dataset';
import { evaluationSchema, type Evaluation } from '@orchard/registry';
import type { z } from 'zod';
import { UsageError } from '../output/errors.js';
import type { Login } from './config.js';
import {
  auditPageSchema,
  callerSchema,
  datasetSchema,
  hasEnded,
  garbageSchema,
  readingSchema,
  notificationsSchema,
  repairSchema,
  retentionSchema,
  runPageSchema,
  runStatusSchema,
  type AuditPage,
  type CallerDocument,
  type Dataset,
  type Garbage,
  type Notifications,
  type ReadingDocument,
  type Retention,
  type RunOverview,
  type RunStatus,
} from './documents.js';
import { ServerError } from '../output/server-error.js';
import { CoordinatorRequests, olderRelease, serverError, type RequestWait } from './coordinator-requests.js';
import { readEvents } from './server-events.js';

const matrixType = 'application/vnd.orchard.matrix';
/** A stream of events that breaks off is taken up again, for so long without an event: releases are rolled out. */
const RECONNECT_SECONDS = { beforeTheFirstEvent: 30, later: 600 } as const;
const MOST_SECONDS_BETWEEN = 10;

export interface RunFilter {
  readonly state?: string | undefined;
  readonly person?: string | undefined;
  readonly name?: string | undefined;
  readonly label?: string | undefined;
  readonly dataset?: string | undefined;
  /** With what each has cost. */
  readonly cost?: true | undefined;
}

/** The HTTP API of a coordinator, by {@link CoordinatorRequests}. Every method rejects with a {@link ServerError}. */
export class CoordinatorClient {
  readonly #requests: CoordinatorRequests;

  constructor(
    private readonly login: Login,
    onWait?: (wait: RequestWait) => void,
  ) {
    this.#requests = new CoordinatorRequests(login, onWait);
  }

  get server(): string {
    return this.login.server;
  }

  /** Stores a matrix under its content hash; what is there is not sent again, unless a run found it damaged. */
  async upload(matrix: BitMatrix): Promise<Dataset> {
    const id = matrix.contentHash();
    const known = await this.#requests.send('GET', `/v1/datasets/${id}`).catch((error: unknown) => {
      if (error instanceof ServerError && error.code === 'missing-artefact') return null;
      throw error;
    });
    if (known !== null && !(await this.#foundDamaged(id))) return parse(datasetSchema, await known.json());
    const body = new Uint8Array(matrix.buffer);
    // a request takes no shared memory
    const own = body.buffer instanceof SharedArrayBuffer ? body.slice() : body;
    const response = await this.#requests.send('POST', '/v1/datasets', {
      body: own as Uint8Array<ArrayBuffer>,
      headers: { 'Content-Type': matrixType },
    });
    return parse(datasetSchema, await response.json());
  }

  /** Has a worker read rows where they lie. */
  async read(request: ReadingRequest): Promise<ReadingDocument> {
    // repeated after a lost answer it is the same reading, and not the same rows once more
    const key = { 'Idempotency-Key': randomUUID() };
    return this.#json(readingSchema, 'POST', '/v1/readings', request, key);
  }

  async reading(id: string): Promise<ReadingDocument> {
    return this.#json(readingSchema, 'GET', `/v1/readings/${id}`);
  }

  /** All that is known of a data set without its bits. */
  async facts(id: string): Promise<DatasetFacts> {
    return this.#json(datasetFactsSchema, 'GET', `/v1/datasets/${id}`);
  }

  async submit(request: RunRequest): Promise<RunStatus> {
    try {
      return await this.#json(runStatusSchema, 'POST', '/v1/runs', request);
    } catch (error) {
      throw otherRelease(error) ?? error;
    }
  }

  async status(id: string): Promise<RunStatus> {
    return this.#json(runStatusSchema, 'GET', `/v1/runs/${id}`);
  }

  async order(id: string, what: 'cancel' | 'resume' | 'pin' | 'unpin'): Promise<RunStatus> {
    return this.#json(runStatusSchema, 'POST', `/v1/runs/${id}/${what}`);
  }

  /** Deletes a run with all it has stored. */
  async delete(id: string): Promise<void> {
    await this.#requests.send('DELETE', `/v1/runs/${id}`);
  }

  /** Who the caller is to the coordinator, and what they use. */
  async caller(): Promise<CallerDocument> {
    return this.#json(callerSchema, 'GET', '/v1/caller');
  }

  /** What the coordinator keeps, and what it removes by itself. */
  async retention(): Promise<Retention> {
    return this.#json(retentionSchema, 'GET', '/v1/retention');
  }

  /** What came of telling an address of the end of a run. */
  async notifications(id: string): Promise<Notifications> {
    return this.#json(notificationsSchema, 'GET', `/v1/runs/${id}/notifications`);
  }

  /** Drops what of a run is damaged; the run goes on without it. */
  async repair(id: string): Promise<z.infer<typeof repairSchema>> {
    return this.#json(repairSchema, 'POST', `/v1/runs/${id}/repair`);
  }

  /** @param wanted by name of the query; a coordinator of before knows `state` alone */
  async *runs(wanted: RunFilter = {}): AsyncGenerator<RunOverview, void> {
    let after: string | null | undefined;
    while (after !== null) {
      const path: string = `/v1/runs${queryOf({ limit: 500, ...wanted, after })}`;
      const page: z.infer<typeof runPageSchema> = await this.#json(runPageSchema, 'GET', path);
      yield* page.runs;
      after = page.next;
    }
  }

  /** What is not needed any more and is older than this; when removing, what was removed. */
  async garbage(olderThanSeconds: number, remove: boolean): Promise<Garbage> {
    const query = queryOf({ datasets: true, olderThanSeconds });
    return this.#json(garbageSchema, remove ? 'DELETE' : 'GET', `/v1/garbage${query}`);
  }

  /** A page of a day's audit record; of today unless a day is given. */
  async audit(page: { day: string | undefined; after: string | undefined; limit: number }): Promise<AuditPage> {
    return this.#json(auditPageSchema, 'GET', `/v1/audit${queryOf(page)}`);
  }

  /** One of a finished run's files. */
  async file(id: string, what: 'network' | 'report' | 'summary', wanted: Wanted = {}): Promise<Response> {
    return this.#requests.send('GET', `/v1/runs/${id}/${what}${queryOf(wanted)}`);
  }

  /** Has workers sample rows from a run's model. */
  async beginSampling(
    id: string,
    asked: { readonly count: number; readonly seed: number; readonly rules: boolean },
  ): Promise<RunStatus> {
    return this.#json(runStatusSchema, 'POST', `/v1/networks/${id}/samplings`, asked);
  }

  /** Has workers say how likely the rows of a bucket are under a run's model. */
  async beginEvaluation(
    id: string,
    asked: { readonly source: string; readonly missing: 'value' | 'unknown'; readonly seed: number },
  ): Promise<RunStatus> {
    return this.#json(runStatusSchema, 'POST', `/v1/networks/${id}/evaluations`, asked);
  }

  /** Some of the rows of a sampling that is done. */
  async slice(id: string, slice: number): Promise<Response> {
    return this.#requests.send('GET', `/v1/runs/${id}/slices/${slice}`);
  }

  async evaluation(id: string): Promise<Evaluation> {
    return this.#json(evaluationSchema, 'GET', `/v1/runs/${id}/evaluation`);
  }

  /**
   * A run's status now, and after each change, until its end. A connection that breaks is made again.
   *
   * @param onAway called once with why no event comes, each time that a coordinator goes away
   */
  async *follow(id: string, onAway: (why: string) => void = () => undefined): AsyncGenerator<RunStatus, void> {
    let patience: number = RECONNECT_SECONDS.beforeTheFirstEvent;
    let lastWord = performance.now();
    for (let isAway = false; ;) {
      try {
        const events = { headers: { Accept: 'text/event-stream' } };
        // repeated by this loop, for longer than any other request
        const response = await this.#requests.send('GET', `/v1/runs/${id}/events`, events, 0);
        for await (const { event, data } of readEvents(response)) {
          if (event === 'problem') throw serverError(JSON.parse(data));
          const status = parse(runStatusSchema, JSON.parse(data));
          yield status;
          patience = RECONNECT_SECONDS.later;
          lastWord = performance.now();
          isAway = false;
          if (hasEnded(status)) return;
        }
      } catch (error) {
        const passing = error instanceof ServerError ? error.retryable : error instanceof TypeError;
        if (!passing || performance.now() - lastWord > 1000 * patience) throw error;
        // a stream that breaks off says nothing yet: the next one may be there at once
        if (!isAway && error instanceof ServerError) {
          onAway(error.message);
          isAway = true;
        }
      }
      const silent = (performance.now() - lastWord) / 1000;
      await this.wait(1000 * Math.min(MOST_SECONDS_BETWEEN, Math.max(1, silent / 4)));
    }
  }

  /** The run whose id begins so. @throws UsageError for none, or several */
  async find(beginning: string): Promise<string> {
    if (/^[0-9a-f]{64}$/.test(beginning)) return beginning;
    const found: string[] = [];
    if (/^[0-9a-f]{4,63}$/.test(beginning)) {
      for await (const { id } of this.runs()) if (id.startsWith(beginning)) found.push(id);
    }
    if (found.length === 1) return found[0]!;
    throw new UsageError({
      got: JSON.stringify(beginning.slice(0, 80)),
      expected: 'the id of one run, or at least its first four digits',
      remedy: found.length > 1 ? `Give more digits: ${found.length} runs begin so.` : 'orchard runs lists them.',
    });
  }

  /** Whether a run has failed by what is stored of a data set, which the same rows heal. */
  async #foundDamaged(dataset: string): Promise<boolean> {
    try {
      for await (const { reason } of this.runs({ state: 'failed', dataset }))
        if (reason?.includes(`datasets/${dataset}`) === true) return true;
    } catch (error) {
      // a coordinator of before does not know the question
      if (!(error instanceof ServerError) || error.code !== 'invalid-contract') throw error;
    }
    return false;
  }

  async #json<Schema extends z.ZodType>(
    schema: Schema,
    method: string,
    path: string,
    body?: unknown,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<z.output<Schema>> {
    const type = { 'Content-Type': 'application/json' };
    const init = body === undefined ? { headers } : { body: JSON.stringify(body), headers: { ...type, ...headers } };
    const response = await this.#requests.send(method, path, init);
    return parse(schema, await response.json());
  }

  protected wait(milliseconds: number): Promise<void> {
    return sleep(milliseconds);
  }
}

/** What there is a word for, behind a question mark. */
function queryOf(words: object): string {
  const said = Object.entries(words).filter(([, value]) => value !== undefined && value !== null);
  const query = new URLSearchParams(said.map(([name, value]) => [name, String(value)])).toString();
  return query === '' ? '' : `?${query}`;
}

function parse<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  return parseContract(schema, value, "coordinator's answer");
}

/** A word of a submission that this program wrote and the coordinator does not know; null of all else. */
function otherRelease(error: unknown): ServerError | null {
  if (!(error instanceof ServerError) || error.code !== 'invalid-contract' || error.parts === null) return null;
  const { got } = error.parts;
  return got.startsWith('unknown ') ? olderRelease(got.slice(8), error) : null;
}
