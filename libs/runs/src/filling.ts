import type { OpenRuns, ReconcilerPorts } from './reconciler-ports.js';
import { workStages } from './run-status.js';
import { fillWindows } from './windows.js';

/** Completions come in bursts; the queue is filled once for each. */
const burstMilliseconds = 15;

/** Keeps the windows of all open runs in the queue full. */
export class Filling {
  /** Jobs that the queue should hold. */
  target: number;
  readonly #ports: Pick<ReconcilerPorts, 'queues' | 'log' | 'observer'>;
  readonly #open: OpenRuns;
  readonly #passMilliseconds: number;
  #isStopped = true;
  #timer: NodeJS.Timeout | null = null;

  /** @param passMilliseconds between whole passes, which fill too: nothing later is waited for */
  constructor(
    ports: Pick<ReconcilerPorts, 'queues' | 'log' | 'observer'>,
    open: OpenRuns,
    target: number,
    passMilliseconds: number,
  ) {
    this.#ports = ports;
    this.#open = open;
    this.target = target;
    this.#passMilliseconds = passMilliseconds;
  }

  start(): void {
    this.#isStopped = false;
  }

  stop(): void {
    this.#isStopped = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }

  soon(milliseconds = burstMilliseconds): void {
    if (this.#isStopped || this.#timer !== null) return;
    this.#timer = setTimeout(() => {
      this.#timer = null;
      this.now().catch((error: unknown) => {
        this.#ports.log.warn({ error }, 'the queue could not be filled');
      });
    }, milliseconds);
  }

  async now(): Promise<void> {
    const { queues, observer } = this.#ports;
    const open = [...this.#open.values()].filter(({ missing }) => missing.size > 0);
    const claims = open.map((run) => ({ held: run.queued.size, next: run.candidates() }));
    const added = fillWindows(claims, this.target);
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
    if (next < this.#passMilliseconds) this.soon(next + 1);
  }
}
