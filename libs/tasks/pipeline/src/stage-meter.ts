import type { TaskProgress } from '@orchard/contracts';
import { tellingKind, type Family, type PlannedTask, type TaskKind } from './family.js';
import type { Run } from './run.js';

/** Trees a second are counted over this time. */
const rateMilliseconds = 30_000;

/**
 * Before this share of the work is done, and this time has passed, a guess of the time left is none: beginning takes
 * time of its own.
 */
const GUESS = { share: 0.01, milliseconds: 30_000 } as const;

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
   * By the cost of what is done; null while that is next to nothing.
   *
   * @param left what is not stored, tasks in hand included
   */
  secondsLeft(left: Iterable<PlannedTask>): number | null {
    const inHand = sum(this.#told.values(), ({ cost }) => cost);
    const done = this.#costDone + inHand;
    if (this.#begun === null || done === 0) return null;
    const costLeft = Math.max(0, sum(left, ({ cost }) => cost) - inHand);
    const took = performance.now() - this.#begun;
    if (done < GUESS.share * (done + costLeft) && took < GUESS.milliseconds) return null;
    return (took / 1_000) * (costLeft / done);
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
