import { unknownTimeLeft, type TaskProgress, type TimeLeft } from '@orchard/contracts';
import { tellingKind, type Family, type PlannedTask, type TaskKind } from './family.js';
import type { Run } from './run.js';

/** Trees a second are counted over this time. */
const rateMilliseconds = 30_000;

/**
 * Early guesses are too long, by the root of the share of the work that is done: decisions end before the rounds that
 * they may have, and are then worth more than they were in hand (measured.md).
 */
const EARLY_UNTIL = 0.1;

/** How far guesses are off, either way, at first and from a hundredth of the work on (measured.md). */
const WIDTH = { atFirst: 4, later: 2.5, from: 0.01 } as const;

/** Adds up what the tasks of one kind of a run report of themselves, whether threads here or workers do them. */
export class StageMeter {
  readonly #run: Run;
  /** The kind whose tasks report the likelihood. */
  readonly #telling: TaskKind;
  /** Summed validation nats of the best so far, by key. */
  readonly #nats = new Map<string, number>();
  /** What tasks in hand reported last, by key. */
  readonly #told = new Map<string, { readonly trees: number; readonly cost: number }>();
  #costDone = 0;
  #trees = 0;
  #grown: { readonly at: number; readonly trees: number }[] = [];
  /** Since when the work that is done then goes on. */
  #since: { readonly at: number; readonly done: number } | null = null;

  constructor(family: Family, run: Run, kind: string) {
    this.#run = run;
    this.#telling = tellingKind(family, kind);
  }

  /** Trees grown since the first task began. */
  get trees(): number {
    return this.#trees;
  }

  /** Keys of which nats are known. */
  get known(): Iterable<string> {
    return this.#nats.keys();
  }

  /** The first task is begun: time counts from now on, or from its first word. */
  begin(): void {
    this.#since ??= { at: performance.now(), done: 0 };
  }

  /** Nats of tasks that are stored, by key. */
  know(nats: ReadonlyMap<string, number>): void {
    for (const [key, value] of nats) this.#nats.set(key, value);
  }

  tell({ task: { kind, key }, cost }: PlannedTask, { share, trees, nats }: TaskProgress): void {
    this.begin();
    // before it threads begin, rows are arranged and a checkpoint is read, which says nothing of what is to come
    const isFirst = this.#told.size === 0 && this.#costDone === 0 && share < 1;
    if (isFirst) this.#since = { at: performance.now(), done: share * cost };
    const grown = Math.max(0, trees - (this.#told.get(key)?.trees ?? 0));
    this.#told.set(key, { trees, cost: share * cost });
    this.#trees += grown;
    this.#grown.push({ at: performance.now(), trees: grown });
    if (nats !== null && kind === this.#telling.kind) this.#nats.set(key, nats);
  }

  finish({ task: { key }, cost }: PlannedTask): void {
    this.begin();
    this.#told.delete(key);
    this.#costDone += cost;
  }

  treesPerSecond(): number {
    const now = performance.now();
    this.#grown = this.#grown.filter(({ at }) => now - at <= rateMilliseconds);
    const first = this.#grown[0];
    if (first === undefined) return 0;
    const trees = sum(this.#grown, (one) => one.trees);
    return (1_000 * trees) / Math.max(1_000, now - first.at);
  }

  /**
   * By the cost of what was done since the first word: unknown before the second.
   *
   * @param left what is not stored, tasks in hand included
   */
  timeLeft(left: Iterable<PlannedTask>): TimeLeft {
    const inHand = sum(this.#told.values(), ({ cost }) => cost);
    const done = this.#costDone + inHand;
    const measured = this.#since === null ? 0 : done - this.#since.done;
    if (this.#since === null || measured <= 0) return unknownTimeLeft;
    const costLeft = Math.max(0, sum(left, ({ cost }) => cost) - inHand);
    const share = done / (done + costLeft);
    const seconds = ((performance.now() - this.#since.at) / 1_000) * (costLeft / measured);
    const secondsLeft = seconds * Math.sqrt(Math.min(1, share / EARLY_UNTIL));
    const width = share < WIDTH.from ? WIDTH.atFirst : WIDTH.later;
    return { secondsLeft, secondsLeftRange: { least: secondsLeft / width, most: width * secondsLeft } };
  }

  /**
   * Mean nats per row, of `tasks` in all, as the kind's rising likelihood says; null where this kind of task reports
   * none, or none yet.
   */
  logLikelihood(tasks: number): number | null {
    const rising = this.#telling.rising?.(this.#run, tasks) ?? null;
    if (rising === null) return null;
    let soFar = rising.before;
    for (const [key, nats] of this.#nats) if (rising.counts(key)) soFar = rising.rise(soFar, key, nats);
    return soFar;
  }
}

function sum<Item>(items: Iterable<Item>, of: (item: Item) => number): number {
  let total = 0;
  for (const item of items) total += of(item);
  return total;
}
