import type { Pool } from '@orchard/contracts';
import { lanes, type Lane, type QueueName } from './lanes.js';
import type { PatientWorker } from './patient-worker.js';

/** What takes jobs for one process: a worker of BullMQ for its pool, and one for each lane that it takes from. */
export class Takers {
  readonly #main: PatientWorker;
  /** None before it was asked to take from the lane. */
  readonly #ofLanes: Partial<Record<Lane, PatientWorker>> = {};
  #isRunning = false;
  #isAside = false;
  #isClosing = false;

  /** @param make a worker of a queue that does not run yet */
  constructor(
    pool: Pool,
    private readonly make: (queue: QueueName) => PatientWorker,
    private readonly onError: ((error: Error) => void) | undefined,
  ) {
    this.#main = make(pool);
  }

  /** Whether it takes no jobs for now. */
  get isAside(): boolean {
    return this.#isAside;
  }

  /** @returns whether that is a change */
  setAside(isAside: boolean): boolean {
    if (isAside === this.#isAside || this.#isClosing) return false;
    this.#isAside = isAside;
    if (this.#isRunning) this.#watch(isAside ? this.#main.pause(true) : this.#main.resume());
    return true;
  }

  /**
   * Takes so many jobs at once from now on.
   *
   * @param tasks of the pool's queue; null for as many as before, and none where it has not begun
   */
  take(tasks: number | null, ofLanes: Readonly<Record<Lane, number>>): void {
    if (tasks !== null) this.#main.concurrency = tasks;
    for (const lane of lanes) this.#keepLane(lane, ofLanes[lane]);
    if (tasks === null || this.#isRunning || this.#isAside || this.#isClosing) return;
    this.#isRunning = true;
    this.#watch(this.#main.run());
  }

  /** Whether the connection by which jobs come is there, or is within this time. */
  isBlockingReady(milliseconds: number): Promise<boolean> {
    return this.#main.isBlockingReady(milliseconds);
  }

  /** Takes no more jobs. @returns when those in hand are done */
  async close(): Promise<void> {
    const closing = Promise.all([this.#main, ...Object.values(this.#ofLanes)].map((taker) => taker.close()));
    this.#isClosing = true;
    await closing;
  }

  #keepLane(lane: Lane, places: number): void {
    const takes = places > 0 && this.#isRunning && !this.#isAside && !this.#isClosing;
    let taker = this.#ofLanes[lane];
    if (takes && taker === undefined) {
      taker = this.make(lane);
      this.#ofLanes[lane] = taker;
      this.#watch(taker.run());
    }
    if (taker === undefined || this.#isClosing) return;
    if (places > 0) taker.concurrency = places;
    if (takes !== !taker.isPaused()) this.#watch(takes ? taker.resume() : taker.pause(true));
  }

  #watch(doing: unknown): void {
    Promise.resolve(doing).catch((error: unknown) => this.onError?.(error as Error));
  }
}
