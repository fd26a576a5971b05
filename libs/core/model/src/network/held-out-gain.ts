import type { BitMatrix } from '@orchard/dataset';
import { exp, greatestOf, log } from '@orchard/numerics';
import { ModelError } from '../errors.js';

/**
 * The chance, at most, that among columns which all are independent of those before them even one is taken for
 * dependent.
 */
export const NOISE_CHANCE = 0.05;

const LN2 = 0.6931471805599453;

/**
 * How much each conditional gains on rows that it was not trained on, by stored column.
 *
 * It is judged by a likelihood ratio. Where a column is independent of the columns before it, and p is its true rate,
 * the expectation of P(its values | earlier values) / p(its values) over held-out rows is 1, whatever the trees are and
 * however rare its ones are; so the ratio reaches 1 / chance with at most that chance (Markov), and a ratio to the rate
 * that fits the held-out rows best, which no true rate exceeds, does so more seldom still ("universal inference",
 * Wasserman, Ramdas and Balakrishnan 2020). The chance is shared by the columns. Where the same rows have chosen the
 * rounds, what is judged is not the chosen network but a mixture of all that could have been chosen, which is such a
 * ratio again. A mean against its standard error would not do: in a rare column a thousand tiny gains and none of the
 * losses that belong to them look certain.
 */
export interface HeldOutGains {
  /** Held-out rows. */
  readonly rows: number;
  /** Mean nats per row over the column's base rate; negative where the trees predict worse than the rate alone. */
  readonly gain: Float64Array;
  /** Nats over all held-out rows above what any one rate could have given on them. */
  readonly evidence: Float64Array;
  /** What `evidence` has to reach: log(columns / {@link NOISE_CHANCE}). */
  readonly needed: number;
  /** 1 where `evidence` reaches it: the column depends on earlier ones. */
  readonly beyondNoise: Uint8Array;
}

/** What a model gains on rows of its run that it was not fitted to. */
export interface JudgedGains {
  /** `validation` where the run has no test rows: rows that have chosen, which the judgement allows for. */
  readonly split: 'test' | 'validation';
  /** The rate of ones of each stored column in the training rows, which gains are over. */
  readonly rates: Float64Array;
  readonly gains: HeldOutGains;
  /**
   * Whether it is the model before its refit, or before it was trained again, that is judged: after it the rows were
   * seen.
   */
  readonly beforeRefit: boolean;
}

export interface HeldOutRows {
  /** Rows that the trees and their leaf values were not fitted on, in stored column order. */
  readonly matrix: BitMatrix;
  /**
   * Each column's rate of ones where nothing else is known, by stored column: {@link baseRates} of the training rows.
   */
  readonly rates: ArrayLike<number>;
}

/** The rate of ones of each stored column, with half a row of each value added: what `start: base-rate` starts from. */
export function baseRates(train: BitMatrix): Float64Array {
  return Float64Array.from(train.columnCounts(), (ones) => (ones + 0.5) / (train.rows + 1));
}

/**
 * Judges summed log-likelihoods. O(D), and one pass over the rows' bits.
 *
 * @param logLikelihoods - nats of each stored column's values given the earlier ones, summed over the rows
 * @param judged - the same of what nothing was chosen by on these rows, where that is something else:
 *   {@link overAllRounds}
 * @throws ModelError `invalid-argument` without rows, or for figures of another width
 */
export function judgeGains(
  logLikelihoods: ArrayLike<number>,
  heldOut: HeldOutRows,
  judged: ArrayLike<number> = logLikelihoods,
): HeldOutGains {
  const { matrix, rates } = heldOut;
  const { rows, dimensions } = matrix;
  checkHeldOut(heldOut, logLikelihoods.length);
  const needed = log(dimensions / NOISE_CHANCE);
  const gain = new Float64Array(dimensions);
  const evidence = new Float64Array(dimensions);
  const beyondNoise = new Uint8Array(dimensions);
  matrix.columnCounts().forEach((ones, column) => {
    gain[column] = (logLikelihoods[column]! - logLikelihoodAtRate(ones, rows, rates[column]!)) / rows;
    evidence[column] = judged[column]! - logLikelihoodAtRate(ones, rows, ones / rows);
    beyondNoise[column] = evidence[column]! >= needed ? 1 : 0;
  });
  return { rows, gain, evidence, needed, beyondNoise };
}

/**
 * The log-likelihood of a mixture of all numbers of rounds, weighted before any row was seen: t rounds by 1 / log2(t +
 * 2) - 1 / log2(t + 3), which sums to 1. It takes little from a column whose curve is flat about its best round, and
 * allows in full for that the best was chosen; a curve may end early, since what is left out is not negative.
 *
 * @param curve - summed nats of one column after 0, 1, 2, … rounds
 */
export function overAllRounds(curve: ArrayLike<number>): number {
  const best = greatestOf(curve);
  let sum = 0;
  for (let round = 0; round < curve.length; round++) {
    const weight = LN2 / log(round + 2) - LN2 / log(round + 3);
    sum += weight * exp(curve[round]! - best);
  }
  return best + log(sum);
}

/** Nats of `rows` values with `ones` ones at one rate; values that do not occur cost nothing. */
function logLikelihoodAtRate(ones: number, rows: number, rate: number): number {
  return (ones === 0 ? 0 : ones * log(rate)) + (ones === rows ? 0 : (rows - ones) * log(1 - rate));
}

function checkHeldOut({ matrix, rates }: HeldOutRows, figures: number): void {
  const { rows, dimensions } = matrix;
  const fits = rates.length === dimensions && figures === dimensions;
  if (rows > 0 && fits) return;
  throw new ModelError('invalid-argument', {
    got: `${rows} rows of ${dimensions} columns, ${rates.length} rates, ${figures} likelihoods`,
    expected: 'at least one row, and a rate and a likelihood for each column',
    remedy: 'Give rows that the network was not trained on, and baseRates of the training rows.',
  });
}
