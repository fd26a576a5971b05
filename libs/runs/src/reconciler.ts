import { NUMERICS_VERSION } from '@orchard/numerics';
import { artefactNames, createRun, PipelineError } from '@orchard/pipeline';
import { queueNames, type JobEvent, type JobQueues, type QueuedJob } from '@orchard/queue';
import { listAll, type ObjectStore } from '@orchard/storage';
import { agendaOf } from './agenda.js';
import { defaultLimits, type Attempts, type AttemptLimits, type Quarantine } from './attempts.js';
import { lifeOf, type Life } from './life.js';
import type { Marks } from './marks.js';
import { OpenRun } from './open-run.js';
import { workStages } from './run-status.js';
import type { Reconciler, RunLog, RunObserver, WorkCount } from './runs.js';
import { countsOf, quarantinedOf } from './status.js';
import { fillWindows } from './windows.js';
import { workName } from './work.js';

export interface ReconcilerSettings {
  /** Between whole passes; a pass that takes long is followed by a pause of ten times its length. @default 5 */
  readonly passSeconds?: number | undefined;
  /** Jobs in the queue, at least four for each thread of the workers. @default 64 */
  readonly leastWindow?: number | undefined;
  readonly limits?: AttemptLimits | undefined;
}

export interface ReconcilerPorts {
  readonly store: ObjectStore;
  readonly queues: JobQueues;
  readonly marks: Marks;
  readonly attempts: Attempts;
  readonly log: RunLog;
  readonly observer: RunObserver;
}

/** Completions come in bursts; the queue is filled once for each. */
const fillMilliseconds = 15;
const deletionsAtOnce = 32;

/**
 * Sees to it that what should be done gets done.
 *
 * The store says what should be: the marks say which runs are open, and what of each is missing is looked up. Redis only
 * holds what is being done about it. A whole pass looks at everything and puts right what differs, whatever happened
 * since the last: jobs that Redis lost, work that failed, runs that are complete, cancelled or to be deleted. Between
 * passes the queue's events keep the windows filled. All writing is create-only or deleting, so any number of these may
 * run at once.
 */
export class StoreReconciler implements Reconciler {
  lastPassAt: number | null = null;
  readonly #ports: ReconcilerPorts;
  readonly #settings: { readonly passSeconds: number; readonly leastWindow: number; readonly limits: AttemptLimits };
  readonly #open = new Map<string, OpenRun>();
  readonly #looks = new Map<string, { running: Promise<void>; again: boolean }>();
  readonly #listeners = new Set<(run: string) => void>();
  #target: number;
  #stopped = true;
  #passTimer: NodeJS.Timeout | null = null;
  #fillTimer: NodeJS.Timeout | null = null;
  #working: Promise<void> = Promise.resolve();
  #stopListening: (() => void) | null = null;

  constructor(ports: ReconcilerPorts, settings: ReconcilerSettings) {
    this.#ports = ports;
    const { passSeconds = 5, leastWindow = 64, limits = defaultLimits } = settings;
    this.#settings = { passSeconds, leastWindow, limits };
    this.#target = this.#settings.leastWindow;
  }

  start(): void {
    if (!this.#stopped) return;
    this.#stopped = false;
    this.#stopListening = this.#ports.queues.onEvent((event) => {
      this.#hear(event);
    });
    this.#schedulePass(0);
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#stopListening?.();
    if (this.#passTimer !== null) clearTimeout(this.#passTimer);
    if (this.#fillTimer !== null) clearTimeout(this.#fillTimer);
    await Promise.allSettled([this.#working, ...[...this.#looks.values()].map(({ running }) => running)]);
  }

  openRun(id: string): OpenRun | null {
    return this.#open.get(id) ?? null;
  }

  /** Something about this run was decided: look at it now rather than at the next pass. */
  poke(id: string): void {
    if (!this.#stopped) void this.#lookAt(id).then(() => this.#fillSoon());
  }

  onChange(listener: (run: string) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  counts(): readonly WorkCount[] {
    return workStages.flatMap((stage) => {
      const sums = { waiting: 0, active: 0, done: 0, quarantined: 0 };
      for (const open of this.#open.values()) {
        const counts = countsOf(stage, open.agenda, open, quarantinedOf(open.troubles));
        for (const state of Object.keys(sums) as (keyof typeof sums)[]) sums[state] += counts?.[state] ?? 0;
      }
      return Object.entries(sums).map(([state, count]) => ({ stage, state: state as WorkCount['state'], count }));
    });
  }

  async reconcileOnce(): Promise<void> {
    const begun = performance.now();
    const { marks, queues, observer, log } = this.#ports;
    const lives = new Map([...(await marks.all())].map(([id, own]) => [id, lifeOf(own)]));
    const workers = await queues.workers();
    const threads = workers.reduce((sum, worker) => sum + worker.threads, 0);
    this.#target = Math.max(this.#settings.leastWindow, 4 * threads);
    for (const id of this.#open.keys()) if (lives.get(id)?.standing !== 'open') this.#open.delete(id);
    for (const [id, life] of lives) {
      if (life?.standing === 'open' || life?.standing === 'deleting') await this.#lookAt(id);
    }
    const held = (await Promise.all(queueNames.map((name) => queues.jobs(name)))).flat();
    this.#compare(held);
    await this.#stopUnwanted(held, lives);
    for (const [id, open] of this.#open) {
      const refused = workers.filter((worker) => worker.refused[id] !== undefined);
      open.notices = noticesOf(id, workers, refused);
      await open.learnFigures(this.#ports.store).catch((error: unknown) => {
        log.warn({ run: id, error }, 'curves could not be read');
      });
      this.#changed(id);
    }
    await this.#fill();
    this.lastPassAt = Date.now();
    observer.onPass?.((performance.now() - begun) / 1000);
  }

  #schedulePass(milliseconds: number): void {
    if (this.#stopped) return;
    this.#passTimer = setTimeout(() => {
      const begun = performance.now();
      this.#working = this.reconcileOnce()
        .catch((error: unknown) => {
          this.#ports.log.error({ error }, 'a pass of the reconciler failed; the next one begins anew');
        })
        .then(() => {
          const took = performance.now() - begun;
          this.#schedulePass(Math.max(this.#settings.passSeconds * 1000, 10 * took));
        });
    }, milliseconds);
  }

  /** One look at a time; asked for meanwhile, another follows. */
  #lookAt(id: string): Promise<void> {
    const under = this.#looks.get(id);
    if (under !== undefined) {
      under.again = true;
      return under.running;
    }
    const look = { running: Promise.resolve(), again: false };
    this.#looks.set(id, look);
    look.running = (async () => {
      try {
        do {
          look.again = false;
          await this.#look(id);
        } while (look.again && !this.#stopped);
      } catch (error) {
        this.#ports.log.error({ run: id, error }, 'a run could not be looked at');
      } finally {
        this.#looks.delete(id);
        this.#changed(id);
      }
    })();
    return look.running;
  }

  #lookAgain(id: string): void {
    const look = this.#looks.get(id);
    if (look !== undefined) look.again = true;
  }

  async #look(id: string): Promise<void> {
    const { store, marks, attempts, log, observer } = this.#ports;
    const life = lifeOf(await marks.of(id));
    if (life?.standing === 'deleting') return this.#sweep(id, life);
    if (life?.standing !== 'open') {
      this.#open.delete(id);
      return;
    }
    const open = await this.#openRun(id, life);
    if (open === null) return;
    open.beginLook();
    const agenda = await agendaOf(store, open.run, life);
    if (agenda.state === 'done') {
      await this.#close(id, life, { kind: 'done' });
      return;
    }
    const { troubles, fresh } = await attempts.quarantine(id, life.epoch, this.#settings.limits);
    open.endLook(life, agenda, troubles);
    for (const work of fresh) {
      const { reason, code } = troubles.quarantined.get(work)!;
      log.warn({ run: id, work, code, reason }, 'quarantined after its attempts');
      observer.onQuarantined?.(workStages.find((stage) => work.startsWith(stage))!);
    }
    const nondeterministic = [...troubles.quarantined].find(([, { code }]) => code === 'conflict');
    if (nondeterministic === undefined && !agenda.jobs.every((job) => troubles.quarantined.has(workName(job)))) {
      // what was missing when the look began may have been completed before it ended
      if (open.missing.size === 0) this.#lookAgain(id);
      return;
    }
    const reason = reasonOf(nondeterministic === undefined ? troubles.quarantined : new Map([nondeterministic]));
    await this.#close(id, life, { kind: 'failed', reason });
  }

  async #openRun(id: string, life: Life): Promise<OpenRun | null> {
    const known = this.#open.get(id);
    if (known !== undefined) return known;
    if (life.specification.numericsVersion !== NUMERICS_VERSION) {
      const own = `numerics version ${life.specification.numericsVersion}; this program computes version ${NUMERICS_VERSION}`;
      await this.#close(id, life, { kind: 'failed', reason: `The run is of ${own}. Submit it anew.` });
      return null;
    }
    try {
      // the specification is written again where a deletion of an earlier life took it away
      const open = new OpenRun(await createRun(this.#ports.store, life.specification), life);
      this.#open.set(id, open);
      return open;
    } catch (error) {
      if (!(error instanceof PipelineError) || error.retryable) throw error;
      await this.#close(id, life, { kind: 'failed', reason: error.message });
      return null;
    }
  }

  /** Marks the end of a run, unless somebody has decided something else about it meanwhile. */
  async #close(id: string, life: Life, end: { kind: 'done' } | { kind: 'failed'; reason: string }): Promise<void> {
    if (!(await this.#ports.marks.append(id, life.marks, end))) {
      this.#lookAgain(id);
      return;
    }
    this.#open.delete(id);
    this.#ports.log.info({ run: id, ...end }, 'the run has ended');
  }

  /** Removes all that a run has stored, when nobody works on it any more. */
  async #sweep(id: string, life: Life): Promise<void> {
    const { store, queues, marks, log } = this.#ports;
    this.#open.delete(id);
    const held = (await Promise.all(queueNames.map((name) => queues.jobs(name)))).flat();
    const own = held.filter(({ job }) => job.runId === id);
    await this.#letGo(id, own);
    const names: string[] = [];
    for await (const { name } of listAll(store, artefactNames.run(id))) names.push(name);
    for (let at = 0; at < names.length; at += deletionsAtOnce) {
      // a new life of the run may have begun meanwhile
      if (lifeOf(await marks.of(id))?.standing !== 'deleting') return;
      await Promise.all(names.slice(at, at + deletionsAtOnce).map((name) => store.delete(name)));
    }
    if (own.some(({ state }) => state === 'active')) return;
    if ((await store.list(artefactNames.run(id), { limit: 1 })).length > 0) return;
    await marks.append(id, life.marks, { kind: 'removed' });
    log.info({ run: id, objects: names.length }, 'the run is removed');
  }

  /** Takes over what Redis holds; what it lost is put there again by the next filling. */
  #compare(held: readonly QueuedJob[]): void {
    for (const open of this.#open.values()) {
      open.queued.clear();
      open.active.clear();
    }
    for (const { id, job, state } of held) {
      const open = this.#open.get(job.runId);
      open?.queued.add(id);
      if (state === 'active') open?.active.add(id);
    }
  }

  async #stopUnwanted(held: readonly QueuedJob[], lives: ReadonlyMap<string, Life | null>): Promise<void> {
    const unwanted = new Map<string, QueuedJob[]>();
    for (const one of held) {
      if (lives.get(one.job.runId)?.standing === 'open') continue;
      unwanted.set(one.job.runId, [...(unwanted.get(one.job.runId) ?? []), one]);
    }
    for (const [id, own] of unwanted) {
      // it may have been submitted since the marks were read
      if (lifeOf(await this.#ports.marks.of(id))?.standing !== 'open') await this.#letGo(id, own);
    }
  }

  async #letGo(id: string, held: readonly QueuedJob[]): Promise<void> {
    const { queues } = this.#ports;
    if (held.some(({ state }) => state === 'active')) await queues.requestStop(id);
    for (const name of queueNames) {
      const idle = held.filter(({ state }) => state !== 'active').map((one) => one.id);
      if (idle.length > 0) await queues.remove(name, idle);
    }
  }

  #hear(event: JobEvent): void {
    const id = event.id.split('-')[1] ?? '';
    const open = this.#open.get(id);
    if (open === undefined) return;
    const job = open.missing.get(event.id);
    open.hear(event);
    if (event.kind === 'completed') {
      if (job !== undefined)
        this.#ports.observer.onCompleted?.(job.stage, event.result.seconds, event.result.newRounds);
      if (open.missing.size === 0 || !event.result.stored) this.poke(id);
      this.#fillSoon();
    } else if (event.kind === 'failed') {
      if (job !== undefined) this.#ports.observer.onAttemptFailed?.(job.stage, event.reason);
      this.poke(id);
    }
    this.#changed(id);
  }

  #changed(id: string): void {
    for (const listener of this.#listeners) listener(id);
  }

  #fillSoon(milliseconds = fillMilliseconds): void {
    if (this.#stopped || this.#fillTimer !== null) return;
    this.#fillTimer = setTimeout(() => {
      this.#fillTimer = null;
      this.#fill().catch((error: unknown) => {
        this.#ports.log.warn({ error }, 'the queue could not be filled');
      });
    }, milliseconds);
  }

  async #fill(): Promise<void> {
    const { queues, observer } = this.#ports;
    const open = [...this.#open.values()].filter(({ missing }) => missing.size > 0);
    const claims = open.map((run) => ({ held: run.queued.size, next: run.candidates() }));
    const added = fillWindows(claims, this.#target);
    for (const { id, job } of added) this.#open.get(job.runId)?.queued.add(id);
    try {
      await queues.add(added.map(({ job }) => job));
    } catch (error) {
      for (const { id, job } of added) this.#open.get(job.runId)?.queued.delete(id);
      throw error;
    }
    for (const stage of workStages) {
      const jobs = added.filter(({ job }) => job.stage === stage).length;
      if (jobs > 0) observer.onEnqueued?.(stage, jobs);
    }
    const next = Math.min(...open.map((run) => run.nextTry ?? Infinity));
    if (next < this.#settings.passSeconds * 1000) this.#fillSoon(next + 1);
  }
}

function reasonOf(quarantined: ReadonlyMap<string, Quarantine>): string {
  const [first] = quarantinedOf({ failures: new Map(), quarantined });
  if (first === undefined) return 'Nothing is left that could be done.';
  const what = first.dimension === null ? `Stage ${first.stage}` : `Dimension ${first.dimension} (${first.stage})`;
  const others = quarantined.size === 1 ? '' : `, and ${quarantined.size - 1} more`;
  return `${what} was given up after ${first.attempts} attempts${others}: ${first.reason}`;
}

function noticesOf(
  id: string,
  workers: readonly { readonly memoryBytes: number }[],
  refused: readonly { readonly refused: Readonly<Record<string, number>> }[],
): readonly string[] {
  if (workers.length === 0) return ['No worker is there.'];
  if (refused.length < workers.length) return [];
  const needs = Math.min(...refused.map((worker) => worker.refused[id]!));
  const most = Math.max(...workers.map(({ memoryBytes }) => memoryBytes));
  const mebibytes = (bytes: number): string => `${Math.ceil(bytes / 2 ** 20)} MiB`;
  return [`No worker has the memory for this run: it needs ${mebibytes(needs)}, the largest has ${mebibytes(most)}.`];
}
