import type { CountedRows } from '@orchard/dataset';
import { ForestsOfRows, type Forest } from '@orchard/forests';
import { exp, log } from '@orchard/numerics';
import { lineSearch } from './line-search.js';

/** How the tree of a round is fitted. */
export interface FitOptions {
  /** Rows of all training rows together that are added to those that a tree is fitted to. */
  readonly pseudoCount: number;
  /** How often a tree is fitted again, to the rows by its share in them. */
  readonly refits: number;
}

/** A tree h, and the step ε of (1 − ε) f + ε h. */
export interface Fitted {
  readonly forest: Forest;
  readonly step: number;
  /** log h of each row. */
  readonly logs: Float64Array;
}

/** log P of all distinct rows under a tree. */
export type LogsOf = (forest: Forest) => Float64Array;

/** A ratio of e^700 is as good as any that is greater, and still a number. */
const HIGHEST_LOG = 700;
/** A tree is not fitted again for less than this, in nats per row. */
const LEAST_GAIN = 1e-5;
/** The share of the model that a tree is taken to have while no step towards it helps yet. Of .02, .1 and .3 this was best on three sets. */
const FIRST_SHARE = 0.3;

/** Fits the trees of a run's rounds: what all of them need is made once. */
export class TreeFitter {
  readonly #forests: ForestsOfRows;

  constructor(
    private readonly train: CountedRows,
    private readonly logsOf: LogsOf,
    private readonly options: FitOptions,
  ) {
    this.#forests = new ForestsOfRows(train);
  }

  /** The tree of Chow and Liu of all rows alike, which the rounds begin with. */
  first(): Fitted {
    const { forest } = this.#forests.ofAll();
    return { forest, step: 1, logs: this.logsOf(forest) };
  }

  /**
   * The tree fitted to the rows weighted by 1 / f (Rosset and Segal: the tree of most Σ log h / f stands for that of most Σ h / f, which would
   * be a single row), and its step. Then, as often as is said, fitted again to each row by the tree's share in it, ε h / ((1 − ε) f + ε h), as EM
   * does. Of these trees that one is taken whose step makes the rows likeliest.
   *
   * @param model log f of each row
   * @returns a step of 0 where there is none that does
   */
  next(model: Float64Array): Fitted {
    const { counts, rows } = this.train;
    // 1 / f, up to a factor: the weights are worth as many rows as equal ones of the same spread (Kish), Σ² / Σ of squares
    const least = model.reduce((low, nats) => Math.min(low, nats), Infinity);
    const weights = model.map((nats) => exp(least - nats));
    const sum = weights.reduce((total, weight, row) => total + counts[row]! * weight, 0);
    const squares = weights.reduce((total, weight, row) => total + counts[row]! * weight ** 2, 0);
    let fitted = this.#fit(
      weights.map((weight, row) => (counts[row]! * weight * sum) / squares),
      model,
    );
    let best = fitted;
    for (let refit = 0; refit < this.options.refits; refit++) {
      const { ratios, gain } = fitted;
      const step = fitted.step === 0 ? FIRST_SHARE : fitted.step;
      fitted = this.#fit(
        ratios.map((ratio, row) => (counts[row]! * step * ratio) / (1 - step + step * ratio)),
        model,
      );
      if (fitted.gain > best.gain) best = fitted;
      if (gain > 0 && !(fitted.gain - gain > LEAST_GAIN * rows)) break;
    }
    return best;
  }

  #fit(weights: Float64Array, model: Float64Array) {
    const { train } = this;
    const { forest } = this.#forests.weighted(weights, this.options.pseudoCount);
    const logs = this.logsOf(forest);
    const ratios = logs.map((nats, row) => exp(Math.min(HIGHEST_LOG, nats - model[row]!)));
    const step = lineSearch(ratios, train.counts);
    let gain = 0;
    ratios.forEach((ratio, row) => (gain += train.counts[row]! * log(1 - step + step * ratio)));
    return { forest, step, logs, ratios, gain };
  }
}

/** log ((1 − ε) f + ε h) of each row, into log f. */
export function addStep(model: Float64Array, { logs, step }: Pick<Fitted, 'logs' | 'step'>): void {
  if (step === 0) return;
  if (step === 1) {
    model.set(logs);
    return;
  }
  const [logKept, logStep] = [log(1 - step), log(step)];
  for (let row = 0; row < model.length; row++) {
    const [kept, added] = [logKept + model[row]!, logStep + logs[row]!];
    const [high, low] = kept > added ? [kept, added] : [added, kept];
    model[row] = high + log(1 + exp(low - high));
  }
}
