import type { Notice, Pool } from '@orchard/contracts';
import { kindOf } from '@orchard/pipeline';
import type { WorkerPresence } from '@orchard/queue';
import type { TrackedRun } from './tracked-run.js';

/** For how long a task that was given back stands for what keeps happening. */
const recentMilliseconds = 30_000;

type Said = Omit<Notice, 'since'>;

/** What people should know about an open run besides its failures: why it waits, and since when. */
export class Notices {
  readonly #since = new Map<string, string>();
  readonly #failed = new Map<string, { readonly reason: string; readonly since: string }>();
  readonly #returned = new Map<string, { readonly reason: string; readonly at: number }>();

  /** A look at the run that ended in an error. */
  failed(run: string, error: unknown): void {
    const reason = error instanceof Error ? error.message : String(error);
    this.#failed.set(run, { reason, since: this.#failed.get(run)?.since ?? new Date().toISOString() });
  }

  reconciled(run: string): void {
    this.#failed.delete(run);
  }

  /** Why what a run has stored is still there although it should go; null where nothing stands in the way. */
  ofDeletion(run: string): Notice | null {
    const failed = this.#failed.get(run);
    if (failed === undefined) return null;
    return { code: 'not-removed', message: `What it stored cannot be removed: ${failed.reason}`, since: failed.since };
  }

  /** A task of the run that a worker gave back, and why; null where it only had to end. */
  returned(run: string, reason: string | null): void {
    if (reason !== null) this.#returned.set(run, { reason, at: performance.now() });
  }

  /** Forgets all runs but these: a coordinator lives for months. */
  keepOnly(runs: ReadonlySet<string>): void {
    for (const known of [this.#failed, this.#returned])
      for (const run of known.keys()) if (!runs.has(run)) known.delete(run);
    for (const key of this.#since.keys()) if (!runs.has(key.split(' ')[0]!)) this.#since.delete(key);
  }

  of(run: TrackedRun, workers: readonly WorkerPresence[], isPaused: boolean): readonly Notice[] {
    const { id } = run.run;
    const said = [...this.#said(run, workers, isPaused)];
    const now = new Date().toISOString();
    for (const key of this.#since.keys()) {
      if (key.startsWith(`${id} `) && !said.some(({ code }) => key === `${id} ${code}`)) this.#since.delete(key);
    }
    return said.map(({ code, message }) => {
      const key = `${id} ${code}`;
      if (!this.#since.has(key)) this.#since.set(key, now);
      return { code, message, since: this.#since.get(key)! };
    });
  }

  *#said(run: TrackedRun, workers: readonly WorkerPresence[], isPaused: boolean): Generator<Said, void, undefined> {
    const { id } = run.run;
    const failed = this.#failed.get(id);
    if (failed !== undefined)
      yield { code: 'not-reconciled', message: `The coordinator could not look at the run: ${failed.reason}` };
    const { stage } = run;
    if (stage !== null) {
      const { pool } = kindOf(run.family, stage);
      const own = workers.filter((worker) => worker.pool === pool);
      if (isPaused)
        yield { code: 'paused', message: 'The queue is paused: no worker takes tasks until it is resumed.' };
      if (own.length === 0) yield { code: `no-${pool}`, message: withoutOwn(pool, workers) };
      else yield* noMemory(id, own);
      for (const { notice, isAside } of own)
        if (notice !== null) yield { code: isAside === true ? 'worker-aside' : 'worker-slowed', message: notice };
    }
    const returned = this.#returned.get(id);
    if (returned !== undefined && performance.now() - returned.at < recentMilliseconds)
      yield { code: 'handed-back', message: `Tasks are handed back and tried again: ${returned.reason}` };
  }
}

function* noMemory(id: string, workers: readonly WorkerPresence[]): Generator<Said, void, undefined> {
  if (workers.some(({ refused }) => refused[id] === undefined)) return;
  // what a run needs depends on a worker's threads: both figures are of one worker
  const largest = workers.reduce((most, one) => (one.memoryBytes > most.memoryBytes ? one : most));
  // rounded apart, so that what does not fit never reads as if it did
  const needs = Math.ceil((largest.refused[id]! / 2 ** 20) * 10) / 10;
  const has = Math.floor((largest.memoryBytes / 2 ** 20) * 10) / 10;
  const message = `No worker has the memory for this run: it needs ${needs} MiB, the largest worker has ${has} MiB.`;
  yield { code: 'no-memory', message };
}

function withoutOwn(pool: Pool, workers: readonly WorkerPresence[]): string {
  if (pool === 'worker' || workers.length === 0) return `No ${pool} is there.`;
  return 'No selector is there. A worker assembles the run when it has nothing else to do.';
}
