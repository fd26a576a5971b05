import {
  refitConditional,
  refitDecision,
  roundsOf,
  trainConditional,
  type BoostingOptions,
  type TrainedConditional,
  type TrainingHooks,
} from '@orchard/logitboost';
import type { Decision, Kernel, TrainingData } from '@orchard/kernel';
import type { Ensemble } from '@orchard/model';

/** A decision as it is stored: refitted, with its rule. */
export interface FinishedDecision {
  readonly ensemble: Ensemble;
  /** Summed nats of the test rows that reach it; null where there are none. */
  readonly test: number | null;
}

/** What a variable's task has done. From here it goes on to the same bytes. */
export interface DoneOfVariable {
  /** Of each trial of leaves, in their order: summed validation nats after 0, 1, … rounds. */
  readonly trials: readonly Float64Array[];
  readonly decisions: readonly TrainedConditional[];
  readonly finished: readonly FinishedDecision[];
  /** The trial, or else the decision, that was being trained, with one round at least; null where none was. */
  readonly begun: TrainedConditional | null;
  /** The refit that was under way, with one round at least; null where none was. */
  readonly refit: TrainedConditional | null;
}

const nothing: DoneOfVariable = { trials: [], decisions: [], finished: [], begun: null, refit: null };

export interface WorkHooks {
  readonly isCancelled?: () => boolean;
  /** Called wherever there could be a checkpoint, with what makes one and with {@link VariableWork.rounds}. */
  readonly onDone?: (done: () => DoneOfVariable, rounds: number) => void;
}

/**
 * The work on one variable, step by step: trials of leaves, then its decisions, then their refits. What was done before
 * is there already; a trial, a decision or a refit that was begun goes on from where it was left.
 */
export class VariableWork {
  readonly trials: Float64Array[];
  readonly decisions: TrainedConditional[];
  readonly finished: FinishedDecision[];
  #begun: TrainedConditional | null;
  #refit: TrainedConditional | null;
  #rounds: number;
  #trees = 0;

  constructor(
    readonly kernel: Kernel,
    readonly data: TrainingData,
    private readonly hooks: WorkHooks = {},
    { trials, decisions, finished, begun, refit }: DoneOfVariable = nothing,
  ) {
    this.trials = [...trials];
    this.decisions = [...decisions];
    this.finished = [...finished];
    this.#begun = begun;
    this.#refit = refit;
    const trained = [...trials, ...decisions.map(({ curves }) => curves.train)];
    this.#rounds =
      trained.reduce((sum, { length }) => sum + length, 0) +
      finished.reduce((sum, decision) => sum + roundsOfFinished(decision), 0);
  }

  /**
   * All rounds so far, also of refits, and one for each trial, decision and refit that is done: it rises with every
   * step, and is the same wherever the work was interrupted.
   */
  get rounds(): number {
    const begun = this.#begun ?? this.#refit;
    return this.#rounds + (begun === null ? 0 : roundsOf(begun));
  }

  /** Trees that were grown here, and not before. */
  get trees(): number {
    return this.#trees;
  }

  get done(): DoneOfVariable {
    const { trials, decisions, finished } = this;
    const open = { begun: this.#begun, refit: this.#refit };
    return { trials: [...trials], decisions: [...decisions], finished: [...finished], ...open };
  }

  get isCancelled(): boolean {
    return this.hooks.isCancelled?.() ?? false;
  }

  /**
   * Trains the next trial or decision.
   *
   * @param onProgress gets its rounds so far
   * @returns null where it was cancelled: what it has is in `done`
   */
  train(target: Decision, options: BoostingOptions, onProgress: (rounds: number) => void): TrainedConditional | null {
    const resumeFrom = this.#begun;
    const before = this.#trees - (resumeFrom === null ? 0 : roundsOf(resumeFrom));
    const result = trainConditional(this.kernel, this.data, target, options, {
      cancelled: () => this.isCancelled,
      onProgress: (rounds, _, checkpoint) => {
        this.#trees = before + rounds;
        onProgress(rounds);
        this.hooks.onDone?.(() => ({ ...this.done, begun: checkpoint() }), this.#rounds + rounds);
      },
      ...(resumeFrom !== null && { resumeFrom }),
    });
    const isBegun = !result.finished && roundsOf(result) > 0;
    this.#begun = isBegun ? result : null;
    return result.finished ? result : null;
  }

  /**
   * Refits the next decision.
   *
   * @param pooled training and validation rows together
   * @param trees whose leaves are found anew
   * @param onProgress gets its rounds so far
   * @returns null where it was cancelled: what it has is in `done`
   */
  refit(
    pooled: TrainingData,
    target: Decision,
    trees: Ensemble,
    options: BoostingOptions,
    onProgress: (rounds: number) => void,
  ): TrainedConditional | null {
    const hooks: TrainingHooks = {
      cancelled: () => this.isCancelled,
      onProgress: (rounds, _, checkpoint) => {
        onProgress(rounds);
        this.hooks.onDone?.(() => ({ ...this.done, refit: checkpoint() }), this.#rounds + rounds);
      },
      ...(this.#refit !== null && { resumeFrom: this.#refit }),
    };
    // without test rows there is no likelihood to ask the kernel for
    const refit = pooled.testRows === 0 ? refitDecision : refitConditional;
    const refitted = refit(this.kernel, pooled, target, trees, options, hooks);
    const isBegun = !refitted.finished && roundsOf(refitted) > 0;
    this.#refit = isBegun ? refitted : null;
    return refitted.finished ? refitted : null;
  }

  addTrial(curve: Float64Array): void {
    this.trials.push(curve);
    this.#add(curve.length);
  }

  addDecision(trained: TrainedConditional): void {
    this.decisions.push(trained);
    this.#add(trained.curves.train.length);
  }

  addFinished(decision: FinishedDecision): void {
    this.finished.push(decision);
    this.#add(roundsOfFinished(decision));
  }

  #add(rounds: number): void {
    this.#rounds += rounds;
    this.hooks.onDone?.(() => this.done, this.#rounds);
  }
}

/** The rounds of its refit, and one for being done; a tree that its rule became is a round too. */
function roundsOfFinished({ ensemble }: FinishedDecision): number {
  return ensemble.leafCounts.length + 1;
}
