import type { JobEvent } from '@orchard/queue';
import { defaultLimits, type AttemptLimits } from './attempts.js';
import { Filling } from './filling.js';
import { heldJobs, stopUnwanted, takeOver } from './held-jobs.js';
import { lifeOf } from './life.js';
import { lookAtRun } from './look.js';
import { Looks } from './looks.js';
import { noticesOf } from './notices.js';
import type { OpenRun } from './open-run.js';
import type { OpenRuns, ReconcilerPorts } from './reconciler-ports.js';
import { workStages } from './run-status.js';
import type { Reconciler, WorkCount } from './runs.js';
import { countsOf, quarantinedOf } from './status.js';

export interface ReconcilerSettings {
  /** Between whole passes; a pass that takes long is followed by a pause of ten times its length. @default 5 */
  readonly passSeconds?: number | undefined;
  /** Jobs in the queue, at least four for each thread of the workers. @default 64 */
  readonly leastWindow?: number | undefined;
  readonly limits?: AttemptLimits | undefined;
}

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
  readonly #settings: { readonly passSeconds: number; readonly leastWindow: number };
  readonly #open: OpenRuns = new Map();
  readonly #looks: Looks;
  readonly #filling: Filling;
  readonly #listeners = new Set<(run: string) => void>();
  #isStopped = true;
  #passTimer: NodeJS.Timeout | null = null;
  #working: Promise<void> = Promise.resolve();
  #stopListening: (() => void) | null = null;

  constructor(ports: ReconcilerPorts, settings: ReconcilerSettings) {
    this.#ports = ports;
    const { passSeconds = 5, leastWindow = 64, limits = defaultLimits } = settings;
    this.#settings = { passSeconds, leastWindow };
    this.#filling = new Filling(ports, this.#open, leastWindow, passSeconds * 1000);
    this.#looks = new Looks({
      look: async (id) => {
        if ((await lookAtRun(ports, this.#open, id, limits)) === 'outdated') this.#looks.again(id);
      },
      onError: (id, error) => {
        ports.log.error({ run: id, error }, 'a run could not be looked at');
      },
      onEnd: (id) => {
        this.#changed(id);
      },
      isStopped: () => this.#isStopped,
    });
  }

  start(): void {
    if (!this.#isStopped) return;
    this.#isStopped = false;
    this.#filling.start();
    this.#stopListening = this.#ports.queues.onEvent((event) => {
      this.#hear(event);
    });
    this.#schedulePass(0);
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#stopListening?.();
    if (this.#passTimer !== null) clearTimeout(this.#passTimer);
    this.#filling.stop();
    await Promise.allSettled([this.#working, this.#looks.settled()]);
  }

  openRun(id: string): OpenRun | null {
    return this.#open.get(id) ?? null;
  }

  /** Something about this run was decided: look at it now rather than at the next pass. */
  poke(id: string): void {
    if (this.#isStopped) return;
    void this.#looks.at(id).then(() => {
      this.#filling.soon();
    });
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
    const { marks, queues, observer, store, log } = this.#ports;
    const lives = new Map([...(await marks.all())].map(([id, own]) => [id, lifeOf(own)]));
    const workers = await queues.workers();
    const threads = workers.reduce((sum, worker) => sum + worker.threads, 0);
    this.#filling.target = Math.max(this.#settings.leastWindow, 4 * threads);
    for (const id of this.#open.keys()) if (lives.get(id)?.standing !== 'open') this.#open.delete(id);
    for (const [id, life] of lives) {
      if (life?.standing === 'open' || life?.standing === 'deleting') await this.#looks.at(id);
    }
    const held = await heldJobs(queues);
    takeOver(this.#open, held);
    await stopUnwanted(this.#ports, held, lives);
    for (const [id, open] of this.#open) {
      open.notices = noticesOf(id, workers);
      await open.learnFigures(store).catch((error: unknown) => {
        log.warn({ run: id, error }, 'curves could not be read');
      });
      this.#changed(id);
    }
    await this.#filling.now();
    this.lastPassAt = Date.now();
    observer.onPass?.((performance.now() - begun) / 1000);
  }

  #schedulePass(milliseconds: number): void {
    if (this.#isStopped) return;
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
      this.#filling.soon();
    } else if (event.kind === 'failed') {
      if (job !== undefined) this.#ports.observer.onAttemptFailed?.(job.stage, event.reason);
      this.poke(id);
    }
    this.#changed(id);
  }

  #changed(id: string): void {
    for (const listener of this.#listeners) listener(id);
  }
}
