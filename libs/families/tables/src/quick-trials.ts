import { trainConditional, type BoostingOptions } from '@orchard/logitboost';
import { decisionTreeOf } from '@orchard/dataset';
import { Split, type Kernel, type TrainingData } from '@orchard/kernel';
import { chooseRounds } from './choose-rounds.js';
import { decisionWork, shareOfRounds } from './decision-work.js';
import { Decisions } from './decisions.js';
import type { FittedLine } from './line/fit-line.js';
import { neverSeen } from './never-seen.js';
import { startingFrom, type VariableTask } from './train-variable.js';

/** Half of the quick trials of shoppers and hi ended by then. */
const USUAL_ROUNDS = 30;

/** The quicker settings that trials train with. */
export type QuickSettings = Pick<BoostingOptions, 'rounds' | 'shrinkage' | 'patience'>;

/** What a variable finds for itself by quick trials, on its validation rows. */
export interface Search extends QuickSettings {
  /** Candidates; null where the leaves are said. */
  readonly leaves: readonly number[] | null;
  /** `auto`: rates or a line; `linear`: a line wherever there is one; null where the start is said. */
  readonly start: 'auto' | 'linear' | null;
}

/** What a search comes to. */
export interface Found {
  readonly leaves: number | undefined;
  /** Null where trees start from rates. */
  readonly start: FittedLine | null;
}

interface Trial {
  readonly leaves: number;
  readonly start: FittedLine | null;
}

/**
 * The start and the leaves by which a variable's validation rows are likeliest, of equal ones the earlier: each
 * candidate trains all its decisions quickly, with as many rounds of each as these rows favour. Starts are tried with
 * the fewest leaves, the other leaves with the start that is found. The trees are let go.
 *
 * @param line the start that is tried beside rates; null where there is none
 * @param onProgress gets the share of the search that is done, and its trees so far
 * @returns null where it was cancelled
 */
export function searchQuickly(
  kernel: Kernel,
  data: TrainingData,
  task: VariableTask,
  { leaves, start, ...quick }: Search,
  line: FittedLine | null,
  isCancelled: () => boolean,
  onProgress: (share: number, trees: number) => void,
): Found | null {
  const candidates = leaves ?? [task.options.leaves];
  const fewest = candidates[0]!;
  const starts = line === null ? [null] : start === 'auto' ? [null, line] : [line];
  const all = starts.length > 1 || candidates.length > 1 ? starts.length + candidates.length - 1 : 0;
  const trials = new QuickTrials(kernel, data, task, quick, isCancelled);
  let done = 0;
  let best: (Trial & { readonly nats: number }) | null = null;
  const attempt = (trial: Trial): boolean => {
    const nats = trials.natsOf(trial, (share, trees) => {
      onProgress((done + share) / all, trees);
    });
    if (nats === null) return false;
    done++;
    if (best === null || nats > best.nats) best = { ...trial, nats };
    return true;
  };
  if (all > 0) for (const each of starts) if (!attempt({ leaves: fewest, start: each })) return null;
  const found: Trial = best ?? { leaves: fewest, start: starts[0]! };
  for (const each of candidates.slice(1)) if (!attempt({ leaves: each, start: found.start })) return null;
  return { leaves: leaves === null ? undefined : (best ?? found).leaves, start: found.start };
}

/** Trainings of all decisions of a variable by quicker settings. */
class QuickTrials {
  readonly #decisions: Decisions;
  readonly #works: readonly number[];
  readonly #allWork: number;
  #trees = 0;

  constructor(
    private readonly kernel: Kernel,
    private readonly data: TrainingData,
    private readonly task: VariableTask,
    private readonly quick: QuickSettings,
    private readonly isCancelled: () => boolean,
  ) {
    const decisions = new Decisions(data, task);
    this.#decisions = decisions;
    this.#works = Array.from({ length: decisions.count }, (_, decision) =>
      decisionWork(decisions.rowsOf(decision), decisions.predictors, task.options.rowsPerTree),
    );
    this.#allWork = this.#works.reduce((sum, work) => sum + work, 0);
  }

  /** Summed nats of the validation rows; null where it was cancelled. */
  natsOf({ leaves, start }: Trial, onProgress: (share: number, trees: number) => void): number | null {
    const { kernel, data, task, quick, isCancelled } = this;
    const decisions = this.#decisions;
    const isOfToday = task.revision !== undefined;
    const targets = startingFrom(decisions, task, start);
    const curves: Float64Array[] = [];
    let done = 0;
    for (let decision = 0; decision < decisions.count; decision++) {
      const work = this.#works[decision]!;
      const never = isOfToday ? neverSeen(data, decisions.predictors, decisions.counts(decision)) : null;
      if (never !== null) {
        curves.push(never.curves.valid!);
        done += work;
        continue;
      }
      const trial = trainConditional(
        kernel,
        data,
        targets(decision),
        { ...task.options, ...quick, leaves },
        {
          cancelled: isCancelled,
          onProgress: (rounds) => {
            const within = shareOfRounds(rounds, quick.rounds, USUAL_ROUNDS);
            onProgress((done + work * within) / this.#allWork, this.#trees + rounds);
          },
        },
      );
      if (!trial.finished) return null;
      this.#trees += trial.ensemble.leafCounts.length;
      curves.push(trial.curves.valid!);
      done += work;
    }
    const tree = decisionTreeOf(task.table.variables[task.ordering[task.position]!]!);
    const rounds = chooseRounds(tree, curves, isOfToday ? decisions.reaching(Split.valid) : null);
    return curves.reduce((sum, curve, index) => sum + curve[rounds[index]!]!, 0);
  }
}
