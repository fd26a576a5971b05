import { roundsOf, trainConditional, type BoostingOptions, type TrainedConditional } from '@orchard/logitboost';
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
}

const nothing: DoneOfVariable = { trials: [], decisions: [], finished: [], begun: null };

export interface WorkHooks {
  readonly isCancelled?: () => boolean;
  /** Called wherever there could be a checkpoint, with what makes one and with {@link VariableWork.rounds}. */
  readonly onDone?: (done: () => DoneOfVariable, rounds: number) => void;
}

/**
 * The work on one variable, step by step: trials of leaves, then its decisions, then their refits. What was done before
 * is there already; a trial or a decision that was begun is trained from where it was left.
 */
export class VariableWork {
  readonly trials: Float64Array[];
  readonly decisions: TrainedConditional[];
  readonly finished: FinishedDecision[];
  #begun: TrainedConditional | null;
  #rounds: number;
  #trees = 0;

  constructor(
    readonly kernel: Kernel,
    readonly data: TrainingData,
    private readonly hooks: WorkHooks = {},
    { trials, decisions, finished, begun }: DoneOfVariable = nothing,
  ) {
    this.trials = [...trials];
    this.decisions = [...decisions];
    this.finished = [...finished];
    this.#begun = begun;
    const trained = [...trials, ...decisions.map(({ curves }) => curves.train)];
    this.#rounds = trained.reduce((sum, { length }) => sum + length, finished.length);
  }

  /**
   * All rounds so far, and one for each trial, decision and refit that is done: it rises with every step, and is the
   * same wherever the work was interrupted.
   */
  get rounds(): number {
    return this.#rounds + (this.#begun === null ? 0 : roundsOf(this.#begun));
  }

  /** Trees that were grown here, and not before. */
  get trees(): number {
    return this.#trees;
  }

  get done(): DoneOfVariable {
    const { trials, decisions, finished } = this;
    return { trials: [...trials], decisions: [...decisions], finished: [...finished], begun: this.#begun };
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
    this.#add(1);
  }

  #add(rounds: number): void {
    this.#rounds += rounds;
    this.hooks.onDone?.(() => this.done, this.#rounds);
  }
}
