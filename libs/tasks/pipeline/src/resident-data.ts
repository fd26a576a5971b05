import type { Call, Compute, Computations, DataRequest } from './compute.js';
import type { SharedData, ThreadPool } from './thread-pool.js';

/** Data in memory. */
interface Resident {
  readonly shared: SharedData;
  readonly bytes: number;
  users: number;
  usedAt: number;
}

/** The data need more memory than is free here now, or than there is. */
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

/** Unused data is let go after this time: the next task is likely of the same run. */
const idleMilliseconds = 60_000;

/**
 * The data of the tasks in work: arranged once for all threads, on one of them, kept while it is used, given up for
 * others when memory is short. Runs on the same rows in the same ordering share it. Whether there is room is decided
 * from facts, before anything is loaded.
 */
export class ResidentData {
  readonly #residents = new Map<string, Resident>();
  readonly #opening = new Map<string, Promise<Resident>>();
  /** One at a time is loaded and arranged: each takes its rows in memory once more. */
  #arranging: Promise<unknown> = Promise.resolve();
  /** Bytes of what is being arranged. */
  #reserved = 0;
  /** Bytes that something else of this program takes. */
  #beside = 0;
  readonly #sweeper: NodeJS.Timeout;

  /** @param limit bytes that all resident data may take */
  constructor(
    private readonly pool: ThreadPool,
    private readonly limit: number,
  ) {
    this.#sweeper = setInterval(() => {
      this.#giveUp((resident) => performance.now() - resident.usedAt > idleMilliseconds);
    }, idleMilliseconds / 4);
    this.#sweeper.unref();
  }

  /** Bytes in use, or about to be. */
  get bytes(): number {
    return [...this.#residents.values()].reduce((sum, { bytes }) => sum + bytes, this.#reserved + this.#beside);
  }

  /** What something else of this program takes now: there is so much less room, and unused data are let go for it. */
  setBeside(bytes: number): void {
    this.#beside = bytes;
    if (this.bytes > this.limit) this.#giveUp(() => true);
  }

  /** Who computes for a family. */
  compute(computations: Computations): Compute {
    return {
      call: this.pool.call(computations),
      withData: (request, work) => this.#with(computations, request, work),
    };
  }

  close(): void {
    clearInterval(this.#sweeper);
    this.#giveUp(() => true);
  }

  async #with<Result>(
    computations: Computations,
    request: DataRequest,
    work: (call: Call) => Promise<Result>,
  ): Promise<Result> {
    const resident = await this.#use(computations, request);
    try {
      return await work(resident.shared.call(computations));
    } finally {
      resident.users--;
      resident.usedAt = performance.now();
    }
  }

  /**
   * The data with one more user. Between their arrival and the next step here others may have given them up: then they
   * are opened again.
   */
  async #use(computations: Computations, request: DataRequest): Promise<Resident> {
    for (;;) {
      const resident = this.#residents.get(request.key) ?? (await this.#open(computations, request));
      if (this.#residents.get(request.key) !== resident) continue;
      resident.users++;
      return resident;
    }
  }

  #open(computations: Computations, request: DataRequest): Promise<Resident> {
    const under = this.#opening.get(request.key);
    if (under !== undefined) return under;
    const opening = this.#arrange(computations, request).finally(() => this.#opening.delete(request.key));
    this.#opening.set(request.key, opening);
    return opening;
  }

  async #arrange(computations: Computations, request: DataRequest): Promise<Resident> {
    const { threads, bytes } = request.fit(this.pool.threads, this.limit);
    if (bytes > this.limit) throw new NoRoom(bytes, false);
    if (this.bytes + bytes > this.limit) {
      this.#giveUp(() => true);
      if (this.bytes + bytes > this.limit) throw new NoRoom(bytes, true);
    }
    this.#reserved += bytes;
    const turn = this.#arranging;
    const arranged = turn.then(() => {
      const { name, input } = request.arrange(threads);
      return this.pool.call(computations)(name, input);
    });
    this.#arranging = arranged.catch(() => undefined);
    try {
      const shared = this.pool.share(await arranged, threads);
      const resident = { shared, bytes, users: 0, usedAt: performance.now() };
      this.#residents.set(request.key, resident);
      return resident;
    } finally {
      this.#reserved -= bytes;
    }
  }

  #giveUp(which: (resident: Resident) => boolean): void {
    for (const [key, resident] of this.#residents) {
      if (resident.users > 0 || !which(resident)) continue;
      this.#residents.delete(key);
      resident.shared.release();
    }
  }
}
