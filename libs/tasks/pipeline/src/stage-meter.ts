import { unknownTimeLeft, type TaskProgress, type TimeLeft } from '@orchard/contracts';
import { tellingKind, type Family, type PlannedTask, type TaskKind } from './family.js';
import type { Run } from './run.js';

/** Trees a second are counted over this time. */
const rateMilliseconds = 30_000;

/**
 * How far guesses of the time left were off, by the share of the work that was done (measured.md): early ones are far
 * too long, since beginning takes time of its own and tasks end before the rounds that they may have.
 */
const WIDTH = { factor: 3, settledFrom: 0.1, power: 2 / 3 } as const;

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
  #begun: number | null = null;

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

  /** The first task is begun: time counts from now on. */
  begin(): void {
    this.#begun ??= performance.now();
  }

  /** Nats of tasks that are stored, by key. */
  know(nats: ReadonlyMap<string, number>): void {
    for (const [key, value] of nats) this.#nats.set(key, value);
  }

  tell({ task: { kind, key }, cost }: PlannedTask, { share, trees, nats }: TaskProgress): void {
    this.begin();
    const grown = Math.max(0, trees - (this.#told.get(key)?.trees ?? 0));
    this.#told.set(key, { trees, cost: share * cost });
    this.#trees += grown;
    this.#grown.push({ at: performance.now(), trees: grown });
    if (nats !== null && kind === this.#telling.kind) this.#nats.set(key, nats);
  }

  /** A task is stored. */
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
   * By the cost of what is done: unknown before the first tree.
   *
   * @param left what is not stored, tasks in hand included
   */
  timeLeft(left: Iterable<PlannedTask>): TimeLeft {
    const inHand = sum(this.#told.values(), ({ cost }) => cost);
    const done = this.#costDone + inHand;
    if (this.#begun === null || done === 0) return unknownTimeLeft;
    const costLeft = Math.max(0, sum(left, ({ cost }) => cost) - inHand);
    const secondsLeft = ((performance.now() - this.#begun) / 1_000) * (costLeft / done);
    const share = done / (done + costLeft);
    const { factor, settledFrom, power } = WIDTH;
    const least = (secondsLeft / factor) * Math.min(1, share / settledFrom) ** power;
    return { secondsLeft, secondsLeftRange: { least, most: factor * secondsLeft } };
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
