import { meanOverRows, type CountedSplits } from '@orchard/dataset';
import type { DensityModel } from '@orchard/model';
import { headOfStep } from '@orchard/pipeline';
import type { BoostedSpecification } from './boosted-run.js';
import { addStep, WeakFitter } from './fit-weak.js';
import { endsWith, withHead, type Round, type StoredRound } from './rounds.js';
import { weakLearnerOf } from './weak-learner.js';

/**
 * The rounds of a run, one after the other: f ← (1 − ε) f + ε h, h fitted to the training rows weighted by 1 / f, ε by
 * line search (Rosset and Segal, 2002). What a round is depends on those before it alone, whether they were computed
 * here or read.
 */
export class Boosting {
  readonly rounds: Round[] = [];
  /** log f of each row. */
  readonly #train: Float64Array;
  readonly #valid: Float64Array;
  readonly #fitter: WeakFitter;

  constructor(
    private readonly rows: CountedSplits,
    private readonly options: BoostedSpecification,
  ) {
    const { train, valid } = rows;
    this.#train = new Float64Array(train.distinct.rows);
    this.#valid = new Float64Array(valid.distinct.rows);
    this.#fitter = new WeakFitter(train, weakLearnerOf(train, options), options);
  }

  /** Computes the next round. */
  next(): StoredRound {
    const isFirst = this.rounds.length === 0;
    const { model, step, logs, ratio } = isFirst ? this.#fitter.first() : this.#fitter.next(this.#train);
    this.#add(model, step, logs);
    const [train, valid] = [meanOverRows(this.#train, this.rows.train), meanOverRows(this.#valid, this.rows.valid)];
    const made = { round: this.rounds.length + 1, step, train, valid, ...(ratio === null ? {} : { ratio }) };
    const facts = { ...made, isLast: endsWith(made, this.rounds, this.options) };
    this.rounds.push(facts);
    return { facts, model: withHead(headOfStep(this.rows.train.distinct, facts, train), model) };
  }

  /** Takes a round that was computed before. */
  follow({ facts, model }: StoredRound): void {
    this.#add(model, facts.step, model.logLikelihood(this.rows.train.distinct));
    this.rounds.push(facts);
  }

  #add(model: DensityModel, step: number, logs: Float64Array): void {
    addStep(this.#train, { logs, step });
    addStep(this.#valid, { logs: model.logLikelihood(this.rows.valid.distinct), step });
  }
}
