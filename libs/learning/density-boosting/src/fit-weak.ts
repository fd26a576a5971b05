import { meanOverRows, type BitMatrix, type CountedRows } from '@orchard/dataset';
import { exp, log } from '@orchard/numerics';
import { lineSearch } from './line-search.js';

/** A distribution of rows that is one of many to be mixed. */
export interface Weak {
  /** log P of each row, nats. */
  logLikelihood(rows: BitMatrix): Float64Array;
}

/** What a round fits to weighted rows. */
export interface WeakLearner<Model extends Weak> {
  /** What the rounds begin with. */
  first(): Model;
  /**
   * @param weights of each distinct row, none negative
   * @param place the round, from 1, and how often its model has been fitted before: for those that draw random numbers
   */
  fit(weights: Float64Array, place: { readonly round: number; readonly refit: number }): Model;
}

/** A weak model h, and the step ε of (1 − ε) f + ε h. */
export interface Fitted<Model> {
  readonly model: Model;
  readonly step: number;
  /** log h of each row. */
  readonly logs: Float64Array;
  /**
   * Mean h / f of the h that is fitted to the rows weighted by 1 / f: the paper's condition is that it is above 1. Null
   * of the first round.
   */
  readonly ratio: number | null;
}

/** A ratio of e^700 is as good as any that is greater, and still a number. */
const HIGHEST_LOG = 700;
/** A model is not fitted again for less than this, in nats per row. */
const LEAST_GAIN = 1e-5;
/**
 * The share of the mixture that a model is taken to have while no step towards it helps yet. Of .02, .1 and .3 this was
 * best on three sets.
 */
const FIRST_SHARE = 0.3;

/** Fits the weak models of a run's rounds. */
export class WeakFitter<Model extends Weak> {
  constructor(
    private readonly train: CountedRows,
    private readonly learner: WeakLearner<Model>,
    private readonly refits: number,
  ) {}

  /** What the rounds begin with. */
  first(): Fitted<Model> {
    const model = this.learner.first();
    return { model, step: 1, logs: model.logLikelihood(this.train.distinct), ratio: null };
  }

  /**
   * The weak model fitted to the rows weighted by 1 / f (Rosset and Segal: the one of most Σ log h / f stands for that
   * of most Σ h / f, which would be a single row), and its step. Then, as often as is said, fitted again to each row by
   * its share in it, ε h / ((1 − ε) f + ε h), as EM does. Of these that one is taken whose step makes the rows
   * likeliest.
   *
   * @param mixture log f of each row
   * @param round from 1
   * @returns a step of 0 where there is none that does
   */
  next(mixture: Float64Array, round: number): Fitted<Model> {
    const { counts, rows } = this.train;
    // 1 / f, up to a factor: the weights are worth as many rows as equal ones of the same spread (Kish), Σ² / Σ of
    // squares
    const least = mixture.reduce((low, nats) => Math.min(low, nats), Infinity);
    const weights = mixture.map((nats) => exp(least - nats));
    const sum = weights.reduce((total, weight, row) => total + counts[row]! * weight, 0);
    const squares = weights.reduce((total, weight, row) => total + counts[row]! * weight ** 2, 0);
    let fitted = this.#fit(
      weights.map((weight, row) => (counts[row]! * weight * sum) / squares),
      mixture,
      { round, refit: 0 },
    );
    const ratio = meanOverRows(fitted.ratios, this.train);
    let best = fitted;
    for (let refit = 0; refit < this.refits; refit++) {
      const { ratios, gain } = fitted;
      const step = fitted.step === 0 ? FIRST_SHARE : fitted.step;
      fitted = this.#fit(
        ratios.map((each, row) => (counts[row]! * step * each) / (1 - step + step * each)),
        mixture,
        { round, refit: refit + 1 },
      );
      if (fitted.gain > best.gain) best = fitted;
      if (gain > 0 && !(fitted.gain - gain > LEAST_GAIN * rows)) break;
    }
    const { model, step, logs } = best;
    return { model, step, logs, ratio };
  }

  #fit(weights: Float64Array, mixture: Float64Array, place: Parameters<WeakLearner<Model>['fit']>[1]) {
    const { distinct, counts } = this.train;
    const model = this.learner.fit(weights, place);
    const logs = model.logLikelihood(distinct);
    const ratios = logs.map((nats, row) => exp(Math.min(HIGHEST_LOG, nats - mixture[row]!)));
    const step = lineSearch(ratios, counts);
    let gain = 0;
    ratios.forEach((ratio, row) => {
      gain += counts[row]! * log(1 - step + step * ratio);
    });
    return { model, step, logs, ratios, gain };
  }
}

/** log ((1 − ε) f + ε h) of each row, into log f. */
export function addStep(mixture: Float64Array, { logs, step }: Pick<Fitted<unknown>, 'logs' | 'step'>): void {
  if (step === 0) return;
  if (step === 1) {
    mixture.set(logs);
    return;
  }
  const [logKept, logStep] = [log(1 - step), log(step)];
  for (let row = 0; row < mixture.length; row++) {
    const [kept, added] = [logKept + mixture[row]!, logStep + logs[row]!];
    const [high, low] = kept > added ? [kept, added] : [added, kept];
    mixture[row] = high + log(1 + exp(low - high));
  }
}
