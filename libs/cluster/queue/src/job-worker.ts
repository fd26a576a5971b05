import { jobSchema, programCalled, taskNames, type Job, type Pool, type TaskProgress } from '@orchard/contracts';
import { WaitingError, type Job as BullJob } from 'bullmq';
import { randomUUID } from 'node:crypto';
import type { Redis } from 'ioredis';
import { setTimeout as sleep } from 'node:timers/promises';
import { keysOf, open, unreachable, whenReady, type QueueConnection } from './connection.js';
import { closeMilliseconds } from './job-queues.js';
import { failedReasonOf } from './failed-reason.js';
import { lossOf, returned, type HeldJob, type StopReason } from './held-job.js';
import { laneOf, largeBytes, type Lane, type QueueName } from './lanes.js';
import { beatSeconds, Lives } from './lives.js';
import { OwnerWatch } from './owner-watch.js';
import { PatientWorker } from './patient-worker.js';
import { announce, announceSeconds, present, withdraw } from './presence.js';
import type { JobResult, WorkerPresence } from './queues.js';
import { refusalOf } from './replies.js';
import { checkServer } from './server-check.js';
import { Takers } from './takers.js';

export interface JobWorkerOptions {
  readonly connection: QueueConnection;
  readonly pool: Pool;
  /**
   * Survives restarts: deaths under it slow this worker, and losses are attributed by it.
   * @default a unique one: every life counts as another worker
   */
  readonly name?: string | undefined;
  /** Jobs at once, where no deaths under its name slow it. */
  readonly concurrency: number;
  /**
   * Short jobs at once beside these; none while deaths under its name slow it.
   *
   * @default 0
   */
  readonly shortPlaces?: number | undefined;
  /**
   * What it throws fails the job, which is then gone from the queue; aborted by the end of this process, it is put
   * back.
   */
  readonly process: (held: HeldJob) => Promise<JobResult>;
  /** What this process reports about itself, every few seconds. */
  readonly presence: () => Omit<
    WorkerPresence,
    'id' | 'name' | 'pool' | 'active' | 'isAside' | 'takesLarge' | 'shortPlaces'
  >;
  /** Whether it takes no jobs for now; asked every two seconds, and by {@link JobWorker.keepPace}. */
  readonly isAside?: (() => boolean) | undefined;
  /**
   * Which cluster its store is of, null while that is not known: it takes no jobs of another. Asked until it is known.
   *
   * @default never known
   */
  readonly cluster?: (() => Promise<string | null>) | undefined;
  /** Called with what slows it, a sentence, and with null when nothing does any more. */
  readonly onSlowed?: ((notice: string | null) => void) | undefined;
  /**
   * Milliseconds until a job whose holder vanished is given to another; renewed at half of it.
   * @default 15000
   */
  readonly lockMilliseconds?: number | undefined;
  /** Called for lost locks and commands that failed; the work continues. */
  readonly onError?: ((error: Error) => void) | undefined;
}

const connectMilliseconds = 30_000;
const progressMilliseconds = 1_000;
/** What failed so long ago is over: while it lasts it fails again within seconds. */
const failureMilliseconds = 15_000;
/** A connection that is made anew has so long before it counts as missing. */
const blockingMilliseconds = 1_500;
/** For how long it is believed who else is there. */
const othersMilliseconds = 2_000;
/** A job of an unknown kind is kept for a moment: else this process would take it again before others get it. */
const strangeMilliseconds = 2_000;

/**
 * Writes into a job's own record who has it, and returns who had it before: BullMQ overwrites that when it hands the
 * job out.
 */
const takeOver = `
if redis.call('EXISTS', KEYS[1]) == 0 then return false end
local before = redis.call('HGET', KEYS[1], 'heldBy')
redis.call('HSET', KEYS[1], 'heldBy', ARGV[1])
return before`;

/**
 * Takes jobs and keeps their locks while they are worked on. The event loop has to stay free: the work belongs into
 * threads. A job that comes twice (its lock was lost, or Redis was emptied) while this process works on it is not begun
 * again. One of another release is given back. Deaths under its name slow it (`Lives`).
 */
export class JobWorker {
  readonly #keys: ReturnType<typeof keysOf>;
  readonly #takers: Takers;
  /** Whether there are large jobs, and it has the memory for them. */
  #isLarge = false;
  readonly #held = new Map<
    string,
    { stop: AbortController; run: string; lane: Lane | null; done: Promise<JobResult> }
  >();
  readonly #heart: NodeJS.Timeout;
  readonly #beat: NodeJS.Timeout;
  readonly #closing = new AbortController();
  /** The latest of the connections' and of the server's. */
  #failure: { readonly error: Error; readonly at: number } | null = null;
  #others: { readonly at: number; readonly are: Promise<readonly WorkerPresence[]> } | null = null;
  #notice: string | null = null;

  private constructor(
    readonly id: string,
    private readonly options: JobWorkerOptions,
    private readonly redis: Redis,
    private readonly subscriber: Redis,
    private readonly lives: Lives,
    private readonly owner: OwnerWatch,
  ) {
    this.#keys = keysOf(options.connection);
    const { stop } = this.#keys;
    this.#takers = new Takers(options.pool, (queue) => this.#takerOf(queue), options.onError);
    subscriber.on('message', (_channel: string, run: string) => {
      this.stopRun(run);
    });
    // kept up by ioredis over every reconnection
    subscriber.subscribe(stop).catch((error: unknown) => options.onError?.(error as Error));
    this.keepPace();
    this.#beat = setInterval(() => void this.#live(), beatSeconds * 1_000);
    this.#heart = setInterval(() => void this.#announce(), announceSeconds * 1_000);
    void this.#announce();
  }

  #takerOf(queue: QueueName): PatientWorker {
    const lockDuration = Math.round(this.options.lockMilliseconds ?? 15_000);
    const process = (held: BullJob, token?: string): Promise<JobResult> =>
      this.#process(held, token!, taker, laneOf(queue));
    const taker: PatientWorker = new PatientWorker(queue, process, {
      connection: this.redis,
      prefix: this.#keys.prefix,
      autorun: false,
      lockDuration,
      // a whole number: Redis refuses others, and the check then never happens
      stalledInterval: Math.max(500, Math.round(lockDuration / 3)),
      // attempts are counted in the store, which does not forget
      maxStalledCount: 1_000_000,
      drainDelay: 5,
      runRetryDelay: 1_000,
    });
    taker.on('error', (error) => {
      this.#failure = { error, at: performance.now() };
      this.options.onError?.(error);
    });
    return taker;
  }

  /** @throws QueueError `unreachable`, `unsuitable-server`, `invalid-url` */
  static async start(options: JobWorkerOptions): Promise<JobWorker> {
    const redis = open(options.connection, options.pool, 'patient');
    const subscriber = open(options.connection, `stop-${options.pool}`, 'patient');
    try {
      await whenReady(redis, connectMilliseconds);
      await checkServer(redis);
      const { owner: ownerKey, prefix } = keysOf(options.connection);
      const owner = new OwnerWatch(redis, ownerKey, prefix, options.cluster);
      await owner.begin();
      const id = randomUUID();
      const { name = id, pool } = options;
      const key = keysOf(options.connection).lives(pool, name);
      const lives = await Lives.begin(redis, key, id, programCalled(pool, name));
      return new JobWorker(id, options, redis, subscriber, lives, owner);
    } catch (error) {
      redis.disconnect();
      subscriber.disconnect();
      throw error;
    }
  }

  /** Jobs in hand. */
  get active(): number {
    return this.#held.size;
  }

  /** @throws QueueError `unreachable` while Redis is away, or refuses one of the connections that jobs come by */
  async checkReady(): Promise<void> {
    const failure = this.#failure !== null && performance.now() - this.#failure.at < failureMilliseconds;
    const cause = failure ? this.#failure!.error : undefined;
    if (this.redis.status !== 'ready') throw unreachable(this.redis, 'a connection to Redis', cause);
    if (!(await this.#takers.isBlockingReady(blockingMilliseconds)))
      throw unreachable(this.redis, 'a second connection to Redis, by which jobs come', cause);
    const refusal = refusalOf(this.redis, cause);
    if (refusal !== null) throw refusal;
    await this.redis.ping();
  }

  /** The other workers of this pool that take jobs, as of the last seconds; none while Redis is away. */
  others(): Promise<readonly WorkerPresence[]> {
    const now = performance.now();
    if (this.#others === null || now - this.#others.at > othersMilliseconds) {
      const are = present(this.redis, this.#keys.workers).then(
        (all) =>
          all.filter(({ id, pool, isAside }) => id !== this.id && pool === this.options.pool && isAside !== true),
        () => [],
      );
      this.#others = { at: now, are };
    }
    return this.#others.are;
  }

  /** Aborts the jobs of a run that are in hand. */
  stopRun(run: string): void {
    for (const held of this.#held.values()) if (held.run === run) held.stop.abort('run-stopped' satisfies StopReason);
  }

  /** Takes no more jobs, aborts those in hand, and resolves when they are handed back. */
  async close(): Promise<void> {
    clearInterval(this.#heart);
    clearInterval(this.#beat);
    const closing = this.#takers.close();
    this.#closing.abort();
    const held = [...this.#held.values()];
    for (const { stop } of held) stop.abort('shutdown' satisfies StopReason);
    // where Redis is away nothing can be handed back: the locks expire, which comes to the same
    const letGo = Promise.allSettled(held.map(({ done }) => done)).then(() => this.#untilAway());
    await Promise.race([closing, letGo]);
    if (this.redis.status === 'ready')
      await Promise.allSettled([withdraw(this.redis, this.#keys.workers, this.id), this.lives.end()]);
    this.redis.disconnect();
    this.subscriber.disconnect();
  }

  async #process(held: BullJob, token: string, taker: PatientWorker, lane: Lane | null): Promise<JobResult> {
    const parsed = jobSchema.safeParse(held.data);
    if (!parsed.success) return this.#returnStrange();
    const id = taskNames.job(parsed.data.task);
    const begun = performance.now();
    try {
      return await (this.#held.get(id)?.done ?? this.#begin(id, parsed.data, held, taker, lane));
    } catch (error) {
      if (!this.#closing.signal.aborted)
        throw new Error(failedReasonOf(error, (performance.now() - begun) / 1_000), { cause: error });
      // this process ends: others may have the job at once
      await held.moveToWait(token);
      throw new WaitingError();
    }
  }

  #begin(id: string, job: Job, held: BullJob, taker: PatientWorker, lane: Lane | null): Promise<JobResult> {
    const stop = new AbortController();
    let reported = -Infinity;
    const report = (progress: TaskProgress): void => {
      const now = performance.now();
      if (now - reported < progressMilliseconds || this.redis.status !== 'ready') return;
      reported = now;
      // progress of a job that Redis forgot has no reader
      held.updateProgress({ ...progress }).catch(() => undefined);
    };
    const loss = lossOf(held);
    const isFirst = held.attemptsStarted <= 1;
    const done = this.#takeOver(held, taker, loss !== null)
      .then((lostBy) =>
        this.options.process({
          id,
          job,
          isShort: lane === 'short',
          loss,
          lostBy,
          addedAt: held.timestamp,
          isFirst,
          signal: stop.signal,
          report,
        }),
      )
      .finally(() => {
        this.#held.delete(id);
        if (lane === 'large') this.keepPace();
      });
    this.#held.set(id, { stop, run: job.task.run, lane, done });
    if (lane === 'large') this.keepPace();
    return done;
  }

  /** Says who has the job. @returns who had it before; not waited for where no worker had it */
  async #takeOver(held: BullJob, taker: PatientWorker, isLoss: boolean): Promise<string> {
    const name = this.options.name ?? this.id;
    const before = this.redis.eval(takeOver, 1, taker.toKey(held.id!), name).catch(() => null);
    return isLoss ? String((await before) ?? '') : '';
  }

  async #live(): Promise<void> {
    if (this.redis.status === 'ready')
      await Promise.all([this.lives.beat(), this.owner.look(), this.#checkLarge()]).catch((error: unknown) =>
        this.options.onError?.(error as Error),
      );
    this.keepPace();
  }

  async #checkLarge(): Promise<void> {
    const { pool, presence } = this.options;
    if (pool !== 'worker') return;
    this.#isLarge = presence().memoryBytes >= (await largeBytes(this.redis, this.#keys.large));
  }

  /** Takes as many jobs as it should now: none while it is set aside, few after deaths. */
  keepPace(): void {
    const { concurrency, onSlowed, isAside, shortPlaces = 0 } = this.options;
    if (this.#takers.setAside(this.owner.notice !== null || (isAside?.() ?? false))) void this.#announce();
    const { tasks } = this.lives.pace;
    const most = Math.min(tasks, concurrency);
    const large = [...this.#held.values()].filter(({ lane }) => lane === 'large').length;
    // what others can do gives way to what they cannot
    this.#takers.take(tasks > 0 ? Math.max(1, most - large) : null, {
      large: this.#isLarge ? most : 0,
      short: most === concurrency ? shortPlaces : 0,
    });
    const { notice } = this.lives;
    if (notice === this.#notice) return;
    this.#notice = notice;
    onSlowed?.(notice);
    void this.#announce();
  }

  async #returnStrange(): Promise<JobResult> {
    await sleep(strangeMilliseconds, undefined, { signal: this.#closing.signal }).catch(() => undefined);
    const why = 'a worker was handed a job of another release, which it does not know: upgrade it or the coordinator';
    return returned(why, strangeMilliseconds);
  }

  /** Resolves when Redis has been away for a while. */
  async #untilAway(): Promise<void> {
    for (let away = 0; away < closeMilliseconds; away = this.redis.status === 'ready' ? 0 : away + 100) {
      await sleep(100, undefined, { ref: false });
    }
  }

  async #announce(): Promise<void> {
    const { presence, pool, name = this.id } = this.options;
    if (this.redis.status !== 'ready') return;
    const { shortPlaces = 0 } = this.options;
    const own = { ...presence(), isAside: this.#takers.isAside, takesLarge: pool === 'worker', shortPlaces };
    const notice = [this.owner.notice, this.#notice, own.notice].filter((one) => one !== null).join(' ') || null;
    const told = { ...own, id: this.id, name, pool, active: this.active, notice };
    await announce(this.redis, this.#keys.workers, told).catch(() => undefined);
  }
}
