import type { RunProgress, RunStage } from '@orchard/contracts';
import { costOf } from './run-work.js';
import type { Run } from './run.js';
import type { ConditionalProgress } from './trainer.js';

/** Adds up what the dimensions of a stage tell into the run's progress. */
export class RunMeter {
  readonly #run: Run;
  readonly #stage: RunStage;
  readonly #total: number;
  readonly #limits: readonly number[] | number;
  readonly #begun = performance.now();
  /** Of this process's dimensions: the rounds grown, and the share of the work that is done. */
  readonly #newRounds = new Map<number, number>();
  readonly #shares = new Map<number, number>();
  readonly #costs: ReadonlyMap<number, number>;
  readonly #bestValid: Float64Array | null;
  #done: number;

  /**
   * @param missing the stored dimensions that there are to do, of all the run's
   * @param limits rounds of a dimension at most: one figure for all, or by stored dimension
   * @param bestValid summed validation nats of those that are done, by stored dimension; null leaves the likelihood out
   */
  constructor(
    run: Run,
    stage: RunStage,
    missing: readonly number[],
    limits: readonly number[] | number,
    bestValid: ReadonlyMap<number, number> | null,
  ) {
    this.#run = run;
    this.#stage = stage;
    this.#total = run.ordering.length;
    this.#done = this.#total - missing.length;
    this.#limits = limits;
    this.#costs = new Map(missing.map((dimension) => [dimension, costOf(run, dimension)]));
    const untrained = -Math.LN2 * run.datasets.valid.rows;
    this.#bestValid =
      bestValid === null
        ? null
        : Float64Array.from({ length: this.#total }, (_, dimension) => bestValid.get(dimension) ?? untrained);
  }

  tell({ dimension, rounds, newRounds, bestValid }: ConditionalProgress): void {
    const limit = typeof this.#limits === 'number' ? this.#limits : this.#limits[dimension]!;
    this.#newRounds.set(dimension, newRounds);
    this.#shares.set(dimension, limit === 0 ? 1 : rounds / limit);
    if (this.#bestValid !== null && bestValid !== null) this.#bestValid[dimension] = bestValid;
  }

  /** A dimension is stored. */
  finish(dimension: number): void {
    this.#shares.set(dimension, 1);
    this.#done++;
  }

  progress(): RunProgress {
    const seconds = (performance.now() - this.#begun) / 1000;
    const trees = sum(this.#newRounds.values());
    let costDone = 0;
    for (const [dimension, share] of this.#shares) costDone += share * (this.#costs.get(dimension) ?? 0);
    const costLeft = sum(this.#costs.values()) - costDone;
    const nats = this.#bestValid === null ? null : sum(this.#bestValid);
    return {
      runId: this.#run.id,
      stage: this.#stage,
      dimensions: { done: this.#done, total: this.#total },
      trees,
      treesPerSecond: seconds > 0 ? trees / seconds : 0,
      secondsLeft: costDone > 0 ? Math.max(0, (seconds * costLeft) / costDone) : null,
      logLikelihood: nats === null ? null : nats / this.#run.datasets.valid.rows,
    };
  }
}

function sum(numbers: Iterable<number>): number {
  let total = 0;
  for (const number of numbers) total += number;
  return total;
}
