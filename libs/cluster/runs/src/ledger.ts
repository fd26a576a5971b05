import type { Task } from '@orchard/contracts';
import { Kept } from '@orchard/pipeline';
import type { ObjectStore } from '@orchard/storage';
import { Attempts, failureOf } from './attempts.js';
import type { Life } from './lifecycle.js';
import { Marks } from './marks.js';

/** What a worker knows of a run is at most so old. */
const freshMilliseconds = 1_000;
const mostLives = 1_000;

/** What those who do the tasks read and write of a run's life. */
export class TaskLedger {
  readonly #marks: Marks;
  readonly #attempts: Attempts;
  readonly #lives = new Kept<Promise<Life | null>>({ milliseconds: freshMilliseconds, most: mostLives });

  constructor(store: ObjectStore) {
    this.#marks = new Marks(store);
    this.#attempts = new Attempts(store);
  }

  /** Whether a run's tasks are wanted: it is neither cancelled, deleted nor given up. */
  async isWanted(run: string, { now = false } = {}): Promise<boolean> {
    return (await this.#life(run, now))?.standing === 'open';
  }

  /** Counts an attempt that failed. @param worker the name of the one that made it */
  async recordFailure(task: Task, error: unknown, worker: string): Promise<void> {
    const life = await this.#life(task.run, false);
    if (life !== null) await this.#attempts.record(task, life.epoch, failureOf(error, worker));
  }

  /** Counts an attempt whose worker vanished. @param worker its name; empty where it is unknown */
  async recordLoss(task: Task, loss: string, worker: string): Promise<void> {
    const life = await this.#life(task.run, false);
    if (life !== null) await this.#attempts.recordLoss(task, life.epoch, loss, worker);
  }

  #life(run: string, now: boolean): Promise<Life | null> {
    const known = this.#lives.get(run);
    if (!now && known !== undefined) return known;
    const life = this.#marks.of(run).then((history) => history.life);
    this.#lives.set(run, life);
    life.catch(() => this.#lives.delete(run));
    return life;
  }
}
