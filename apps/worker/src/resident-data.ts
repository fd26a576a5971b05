import { contentId } from '@orchard/contracts';
import { arrangeTrainingData, type PooledTrainer, type Run, type ThreadPool, type Trainer } from '@orchard/pipeline';
import type { ObjectStore } from '@orchard/storage';

/** Training data in memory. */
interface Resident {
  readonly trainer: PooledTrainer;
  readonly bytes: number;
  users: number;
  usedAt: number;
}

/** The data needs more memory than there is here, or than is free now. */
export class NoRoom extends Error {
  override readonly name = 'NoRoom';

  constructor(
    readonly needs: number,
    /** Whether there would be room if nothing else were in work. */
    readonly isPassing: boolean,
  ) {
    super(`The training data takes ${Math.ceil(needs / 2 ** 20)} MiB.`);
  }
}

/** Unused data is let go after this time: the next job is likely of the same run. */
const idleMilliseconds = 60_000;

/**
 * The training data of the runs in work: arranged once for all threads, kept while it is used, given up for others when
 * memory is short. Runs on the same rows in the same ordering share it.
 */
export class ResidentData {
  readonly #store: ObjectStore;
  readonly #pool: ThreadPool;
  readonly #limit: number;
  readonly #residents = new Map<string, Resident>();
  readonly #opening = new Map<string, Promise<Resident>>();
  readonly #sweeper: NodeJS.Timeout;

  /** @param limit bytes that all resident data may take */
  constructor(store: ObjectStore, pool: ThreadPool, limit: number) {
    this.#store = store;
    this.#pool = pool;
    this.#limit = limit;
    this.#sweeper = setInterval(() => {
      this.#giveUp((resident) => performance.now() - resident.usedAt > idleMilliseconds);
    }, idleMilliseconds / 4);
    this.#sweeper.unref();
  }

  /** Bytes in use. */
  get bytes(): number {
    return [...this.#residents.values()].reduce((sum, { bytes }) => sum + bytes, 0);
  }

  /** Calls `work` with a trainer on the run's data, which stays while it lasts. @throws NoRoom */
  async with<Result>(run: Run, work: (trainer: Trainer) => Promise<Result>): Promise<Result> {
    const { train, valid, test, ordering, leaves } = run.specification;
    const key = contentId({ train, valid, test, ordering, leaves });
    const resident = this.#residents.get(key) ?? (await this.#open(key, run));
    resident.users++;
    try {
      return await work(resident.trainer);
    } finally {
      resident.users--;
      resident.usedAt = performance.now();
    }
  }

  close(): void {
    clearInterval(this.#sweeper);
    this.#giveUp(() => true);
  }

  #open(key: string, run: Run): Promise<Resident> {
    const under = this.#opening.get(key);
    if (under !== undefined) return under;
    const opening = this.#arrange(key, run).finally(() => this.#opening.delete(key));
    this.#opening.set(key, opening);
    return opening;
  }

  async #arrange(key: string, run: Run): Promise<Resident> {
    // workspaces are not touched before they are used: arranging takes little more than the rows do
    const data = await arrangeTrainingData(this.#store, run, this.#pool.threads);
    const { bytes } = data.handle.layout;
    if (this.bytes + bytes > this.#limit) {
      this.#giveUp(() => true);
      if (this.bytes + bytes > this.#limit) throw new NoRoom(bytes, bytes <= this.#limit);
    }
    const resident = { trainer: this.#pool.open(data), bytes, users: 0, usedAt: performance.now() };
    this.#residents.set(key, resident);
    return resident;
  }

  #giveUp(which: (resident: Resident) => boolean): void {
    for (const [key, resident] of this.#residents) {
      if (resident.users > 0 || !which(resident)) continue;
      this.#residents.delete(key);
      resident.trainer.release();
    }
  }
}
