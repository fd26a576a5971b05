import { taskNames } from '@orchard/contracts';
import type { ObjectStore } from '@orchard/storage';
import { AsyncLocalStorage } from 'node:async_hooks';
import { failureOf, OpenSpan, type Span } from './open-span.js';
import { RunBudget } from './run-budget.js';
import { callerOf, isAmong, newSpanId, newTraceId, rootOf, type SpanIds } from './run-trace.js';
import type { Traces } from './settings.js';
import type { SpanWriter } from './span-writer.js';
import type { Attempt, RequestSpan, Telemetry } from './telemetry.js';
import { TracedStore, type StoreSpan } from './traced-store.js';

/** What is under way, and the request that it is part of. */
interface Scope {
  readonly span: OpenSpan;
  readonly request: { run: string | null; isBeginning: boolean } | null;
}

/**
 * Traces: a run is one, whichever programs work on it.
 *
 * request that began the run → each job's time in the queue → the attempt → the store's operations within it. A request
 * that changes the run later, and each further attempt, is a branch beside the others. A request that only asks is a
 * trace of its own, or its caller's: a page that looks on would make the run's endless.
 */
export class Tracing implements Telemetry {
  readonly #writer: SpanWriter;
  readonly #share: number;
  readonly #budget: RunBudget;
  readonly #scopes = new AsyncLocalStorage<Scope>();

  constructor(writer: SpanWriter, { share, tasks }: Traces) {
    this.#writer = writer;
    this.#share = share;
    this.#budget = new RunBudget(tasks, (run, span) => {
      this.#writeBelowRoot(run, span);
    });
  }

  watch(store: ObjectStore): ObjectStore {
    const span: StoreSpan = (operation, attributes, work, more) =>
      this.#part(
        (own) => Object.assign(own.attributes, attributes),
        `store ${operation}`,
        work,
        (own, result) => Object.assign(own.attributes, more?.(result)),
      );
    return new TracedStore(store, span);
  }

  async attempt<Result>(
    of: Attempt,
    work: () => Promise<Result>,
    outcomeOf: (result: Result) => string,
  ): Promise<Result> {
    const { task, pool, family, worker, addedAt, lostBy } = of;
    if (!this.#isTraced(rootOf(task.run))) return work();
    const span = new OpenSpan(task.kind, 'consumer');
    Object.assign(span.attributes, {
      'orchard.run': task.run,
      'orchard.task': taskNames.work(task),
      'orchard.family': family,
      'orchard.worker': worker,
      ...(lostBy !== null && { 'orchard.lost_by': lostBy === '' ? 'unknown' : lostBy }),
    });
    const end = (failure: string | null): void => {
      const ended = span.ended(failure);
      const queued: Span = {
        name: `queue ${pool}`,
        kind: 'producer',
        // two machines' clocks: nothing waits for less than no time
        begin: Math.min(addedAt, ended.begin),
        end: ended.begin,
        attributes: { 'orchard.run': task.run, 'orchard.task': taskNames.work(task) },
        failure: null,
        parts: [ended],
      };
      if (this.#budget.admits(task.run, ended)) this.#writeBelowRoot(task.run, queued);
    };
    try {
      const result = await this.#scopes.run({ span, request: null }, work);
      span.attributes['orchard.outcome'] = outcomeOf(result);
      end(null);
      return result;
    } catch (error) {
      span.attributes['orchard.outcome'] = 'failed';
      end(failureOf(error));
      throw error;
    }
  }

  request(method: string, traceparent: string | undefined): RequestSpan {
    const span = new OpenSpan(method, 'server');
    const request: Scope['request'] = { run: null, isBeginning: false };
    span.attributes['http.request.method'] = method;
    return {
      run: (work) => {
        this.#scopes.run({ span, request }, work);
      },
      end: (name, status) => {
        span.attributes['http.response.status_code'] = status;
        const failure = status >= 500 ? `status ${status}` : null;
        this.#writeRequest(span.ended(failure, name), request, callerOf(traceparent));
      },
    };
  }

  step<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
    return this.#part(
      () => undefined,
      name,
      work,
      () => undefined,
    );
  }

  concerns(run: string, isBeginning: boolean): void {
    const { request, span } = this.#scopes.getStore() ?? {};
    if (request === null || request === undefined) return;
    Object.assign(request, { run, isBeginning });
    if (span !== undefined) span.attributes['orchard.run'] = run;
  }

  async close(): Promise<void> {
    this.#budget.flush();
    await this.#writer.close();
  }

  #writeRequest(
    span: Span,
    { run, isBeginning }: NonNullable<Scope['request']>,
    caller: ReturnType<typeof callerOf>,
  ): void {
    if (run === null) {
      const ids = { trace: caller?.trace ?? newTraceId(), span: newSpanId() };
      if (caller?.isTraced ?? this.#isTraced(ids)) this.#writer.write(span, ids, caller);
      return;
    }
    const root = rootOf(run);
    if (!this.#isTraced(root)) return;
    const linked = caller === null ? span : { ...span, links: [caller] };
    if (isBeginning) this.#writer.write(linked, root, null);
    else this.#writeBelowRoot(run, linked);
  }

  #writeBelowRoot(run: string, span: Span): void {
    const root = rootOf(run);
    this.#writer.write(span, { trace: root.trace, span: newSpanId() }, root);
  }

  /** A span within the current one; without a current one there is none. */
  async #part<Result>(
    begin: (own: OpenSpan) => void,
    name: string,
    work: () => Promise<Result>,
    finish: (own: OpenSpan, result: Result) => void,
  ): Promise<Result> {
    const scope = this.#scopes.getStore();
    if (scope === undefined) return work();
    const own = new OpenSpan(name, name.startsWith('store ') ? 'client' : 'internal');
    begin(own);
    try {
      const result = await this.#scopes.run({ ...scope, span: own }, work);
      finish(own, result);
      scope.span.add(own.ended(null));
      return result;
    } catch (error) {
      const failure = failureOf(error);
      // to find that an object is not there is not a failure
      if (failure === 'missing') own.attributes['orchard.outcome'] = failure;
      scope.span.add(own.ended(failure === 'missing' ? null : failure));
      throw error;
    }
  }

  #isTraced({ trace }: Pick<SpanIds, 'trace'>): boolean {
    return isAmong(trace, this.#share);
  }
}
