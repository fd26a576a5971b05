import { meanOverRows, type CountedSplits } from '@orchard/dataset';
import { addStep, WeakFitter, type Weak, type WeakLearner } from './fit-weak.js';
import { endsWith, type BoostingEnd, type BoostingRound } from './rounds.js';

export interface BoostingOptions extends BoostingEnd {
  /** How often a round's model is fitted again to its share of each row. */
  readonly refits: number;
}

/** What the rows have beside what models say of them, mean nats: densities of a table's values. */
export interface NatsBeside {
  readonly train: number;
  readonly valid: number;
}

/**
 * Boosted densities, one round after the other: f ← (1 − ε) f + ε h, h fitted to the training rows weighted by 1 / f, ε
 * by line search (Rosset and Segal, 2002). What a round is depends on those before it alone, whether they were computed
 * here or read.
 */
export class Boosting<Model extends Weak> {
  readonly rounds: BoostingRound[] = [];
  /** log f of each row. */
  readonly #train: Float64Array;
  readonly #valid: Float64Array;
  readonly #fitter: WeakFitter<Model>;

  constructor(
    private readonly rows: CountedSplits,
    learner: WeakLearner<Model>,
    private readonly options: BoostingOptions,
    private readonly beside: NatsBeside = { train: 0, valid: 0 },
  ) {
    const { train, valid } = rows;
    this.#train = new Float64Array(train.distinct.rows);
    this.#valid = new Float64Array(valid.distinct.rows);
    this.#fitter = new WeakFitter(train, learner, options.refits);
  }

  next(): { readonly facts: BoostingRound; readonly model: Model } {
    const round = this.rounds.length + 1;
    const { model, step, logs, ratio } = round === 1 ? this.#fitter.first() : this.#fitter.next(this.#train, round);
    this.#add(model, step, logs);
    const { rows, beside } = this;
    const train = meanOverRows(this.#train, rows.train) + beside.train;
    const valid = meanOverRows(this.#valid, rows.valid) + beside.valid;
    const made = { round, step, train, valid, ...(ratio === null ? {} : { ratio }) };
    const facts = { ...made, isLast: endsWith(made, this.rounds, this.options) };
    this.rounds.push(facts);
    return { facts, model };
  }

  /** Takes a round that was computed before. */
  follow({ facts, model }: { readonly facts: BoostingRound; readonly model: Model }): void {
    this.#add(model, facts.step, model.logLikelihood(this.rows.train.distinct));
    this.rounds.push(facts);
  }

  #add(model: Model, step: number, logs: Float64Array): void {
    addStep(this.#train, { logs, step });
    addStep(this.#valid, { logs: model.logLikelihood(this.rows.valid.distinct), step });
  }
}
