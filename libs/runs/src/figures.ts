import type { JobProgress } from '@orchard/queue';
import { costOf, type Run } from '@orchard/pipeline';

/** Trees a second are counted over this time. */
const windowMilliseconds = 30_000;

/** What the workers tell about a run's dimensions, added up. Lost when the process ends, and gathered anew. */
export class RunFigures {
  readonly #run: Run;
  /** Summed validation nats of the best round so far, by stored dimension; NaN where nothing is known. */
  readonly #bestValid: Float64Array;
  /** Trees that each job in hand had told of. */
  readonly #told = new Map<string, number>();
  #grown: { at: number; trees: number }[] = [];
  #stage: string | null = null;
  #stageBegun = 0;
  #costDone = 0;

  constructor(run: Run) {
    this.#run = run;
    this.#bestValid = new Float64Array(run.ordering.length).fill(NaN);
  }

  tell(id: string, dimension: number, { newRounds, bestValid }: JobProgress): void {
    const before = this.#told.get(id) ?? 0;
    this.#told.set(id, newRounds);
    this.#grown.push({ at: performance.now(), trees: Math.max(0, newRounds - before) });
    if (bestValid !== null) this.#bestValid[dimension] = bestValid;
  }

  finish(id: string, dimension: number, stage: string, progress: JobProgress): void {
    this.tell(id, dimension, progress);
    this.#told.delete(id);
    if (stage !== this.#stage) {
      this.#stage = stage;
      this.#stageBegun = performance.now();
      this.#costDone = 0;
    }
    this.#costDone += costOf(this.#run, dimension);
  }

  /** A stored conditional that was read rather than told of. */
  know(dimension: number, bestValid: number): void {
    this.#bestValid[dimension] = bestValid;
  }

  isKnown(dimension: number): boolean {
    return !Number.isNaN(this.#bestValid[dimension]!);
  }

  treesPerSecond(): number {
    const now = performance.now();
    this.#grown = this.#grown.filter(({ at }) => now - at <= windowMilliseconds);
    const first = this.#grown[0];
    if (first === undefined) return 0;
    const trees = this.#grown.reduce((sum, one) => sum + one.trees, 0);
    return (1_000 * trees) / Math.max(1_000, now - first.at);
  }

  /** @param left the dimensions that are missing in the stage at hand */
  secondsLeft(stage: string, left: Iterable<number>): number | null {
    if (stage !== this.#stage || this.#costDone === 0) return null;
    let cost = 0;
    for (const dimension of left) cost += costOf(this.#run, dimension);
    return ((performance.now() - this.#stageBegun) / 1_000) * (cost / this.#costDone);
  }

  /** Mean nats a validation row; what is unknown counts as a fair coin. */
  logLikelihood(): number {
    const { rows } = this.#run.datasets.valid;
    const untrained = -Math.LN2 * rows;
    return this.#bestValid.reduce((sum, nats) => sum + (Number.isNaN(nats) ? untrained : nats), 0) / rows;
  }
}
