import { taskNames, type RunProgress, type Task, type TaskProgress } from '@orchard/contracts';
import { kindOf, type Family, type Plan } from './family.js';
import type { Run } from './run.js';

/** Adds up what the tasks of a stage tell into the run's progress. */
export class RunMeter {
  readonly #run: Run;
  readonly #stage: string;
  readonly #state: string;
  readonly #total: number;
  readonly #begun = performance.now();
  /** Of this process's tasks, by work name: trees grown, the share that is done, and what the whole costs. */
  readonly #trees = new Map<string, number>();
  readonly #shares = new Map<string, number>();
  readonly #costs: ReadonlyMap<string, number>;
  /** Summed validation nats by key, and what those count as that are not known; null where the stage tells none. */
  readonly #nats: Map<string, number> | null;
  readonly #untold: number;
  #done: number;

  /** @param stored summed validation nats of the tasks that are stored already, by key */
  constructor(run: Run, family: Family, kind: string, plan: Plan, stored: ReadonlyMap<string, number>) {
    const { state, isCounted, untoldNats } = kindOf(family, kind);
    const { total, done } = plan.stages[kind] ?? { total: 0, done: 0 };
    this.#run = run;
    this.#stage = kind;
    this.#state = state;
    this.#total = isCounted ? total : 0;
    this.#done = isCounted ? done : 0;
    this.#costs = new Map(plan.tasks.map(({ task, cost }) => [taskNames.work(task), cost]));
    this.#nats = untoldNats === undefined ? null : new Map(stored);
    this.#untold = untoldNats?.(run) ?? 0;
  }

  tell(task: Task, { share, trees, nats }: TaskProgress): void {
    const name = taskNames.work(task);
    this.#trees.set(name, trees);
    this.#shares.set(name, share);
    if (nats !== null) this.#nats?.set(task.key, nats);
  }

  /** A task is stored. */
  finish(task: Task): void {
    this.#shares.set(taskNames.work(task), 1);
    if (this.#total > 0) this.#done++;
  }

  progress(): RunProgress {
    const seconds = (performance.now() - this.#begun) / 1000;
    const trees = sum(this.#trees.values());
    let costDone = 0;
    for (const [name, share] of this.#shares) costDone += share * (this.#costs.get(name) ?? 0);
    const costLeft = sum(this.#costs.values()) - costDone;
    return {
      runId: this.#run.id,
      stage: this.#stage,
      state: this.#state,
      dimensions: { done: this.#done, total: this.#total },
      trees,
      treesPerSecond: seconds > 0 ? trees / seconds : 0,
      secondsLeft: costDone > 0 ? Math.max(0, (seconds * costLeft) / costDone) : null,
      logLikelihood: this.#logLikelihood(),
    };
  }

  #logLikelihood(): number | null {
    if (this.#nats === null) return null;
    const nats = sum(this.#nats.values()) + (this.#total - this.#nats.size) * this.#untold;
    return nats / this.#run.datasets.valid.rows;
  }
}

/** What is told when nothing is left to do. */
export function finishedProgress(run: Run): RunProgress {
  const dimensions = { done: 0, total: 0 };
  return {
    runId: run.id,
    stage: 'done',
    state: 'done',
    dimensions,
    trees: 0,
    treesPerSecond: 0,
    secondsLeft: null,
    logLikelihood: null,
  };
}

function sum(numbers: Iterable<number>): number {
  let total = 0;
  for (const number of numbers) total += number;
  return total;
}
