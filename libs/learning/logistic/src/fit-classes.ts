import { exp, log } from '@orchard/numerics';
import { designOf } from './design.js';
import { Descent } from './descent.js';
import type { PathOptions } from './fit-path.js';
import type { LogisticWeights } from './logistic-weights.js';
import { logOddsInto } from './loss.js';
import type { RowShares } from './mixed-design.js';
import type { SortedRows } from './sorted-rows.js';

const MOST_SWEEPS = 100;
/**
 * Sweeps end where one lowers what is minimized by less, a row, for each unit of `tolerance`: they go on for long at
 * the end, by next to nothing.
 */
const LEAST_FALL = 1e-3;
/** Beyond this a score is as good as certain, and its exponential can still be counted with. */
const HIGHEST = 300;

/**
 * A multi-class logistic regression: the class of a row by the scores of all classes, P(h | x) in proportion to exp(b_h
 * + Σ w_hj x_j), x the first columns as ±1, of rows that are shared out among the classes. Minimizes Σ -share log P(h |
 * x), plus λ for the size of each weight and λ / scaling for that of each intercept, for one λ after the other.
 *
 * Class after class is fitted as `fitPath` fits a column, the scores of the others as they are; they go round until
 * that hardly lowers what is minimized any more. A shift of all intercepts changes no P, so that their median is kept
 * at 0, where their sizes are least.
 *
 * @param columns the first ones, that scores are made of
 * @param penalties λ, positive, descending
 * @param isCancelled asked before each class; where it says so there are no further weights
 */
export function* fitClasses(
  sorted: SortedRows,
  columns: number,
  shares: RowShares,
  penalties: readonly number[],
  { interceptScaling = 10, tolerance = 0.01 }: PathOptions = {},
  isCancelled: () => boolean = () => false,
): Generator<readonly LogisticWeights[], void, undefined> {
  const whole = designOf(sorted, columns);
  const groups = whole.trials.length;
  const onesOf = sharesOfGroups(sorted, columns, shares, groups);
  const trials = new Float64Array(groups);
  for (const ones of onesOf) for (let group = 0; group < groups; group++) trials[group]! += ones[group]!;
  const offsets = new Float64Array(groups);
  const classes = onesOf.map((ones) => {
    const design = { ...whole, trials, ones };
    return { design, descent: new Descent(design, offsets), odds: new Float64Array(groups).fill(1) };
  });
  const score = new Float64Array(groups);
  const rows = sorted.matrix.rows;
  let before: number | null = null;
  for (const penalty of penalties) {
    let cost = Infinity;
    for (let sweep = 0; sweep < MOST_SWEEPS; sweep++) {
      const old = cost;
      cost = 0;
      for (const { design, descent, odds } of classes) {
        if (isCancelled()) return;
        offsets.fill(0);
        for (const other of classes)
          if (other.odds !== odds) for (let group = 0; group < groups; group++) offsets[group]! += other.odds[group]!;
        for (let group = 0; group < groups; group++) offsets[group] = -log(offsets[group]!);
        descent.evaluate();
        descent.settle(penalty, penalty / interceptScaling, tolerance, before);
        const found = descent.weights;
        logOddsInto(design, found, score);
        for (let group = 0; group < groups; group++) {
          const own = Math.max(-HIGHEST, Math.min(HIGHEST, score[group]!));
          odds[group] = exp(own);
          cost -= design.ones[group]! * own;
        }
        cost += penalty * found.weights.reduce((sum, weight) => sum + Math.abs(weight), 0);
        cost += (penalty / interceptScaling) * Math.abs(found.intercept);
      }
      offsets.fill(0);
      for (const { odds } of classes) for (let group = 0; group < groups; group++) offsets[group]! += odds[group]!;
      for (let group = 0; group < groups; group++) cost += trials[group]! * log(offsets[group]!);
      const median = medianOf(classes.map(({ descent }) => descent.weights.intercept));
      const factor = exp(-median);
      for (const { descent, odds } of classes) {
        descent.shift(-median);
        for (let group = 0; group < groups; group++) odds[group]! *= factor;
      }
      if (old - cost < LEAST_FALL * tolerance * rows) break;
    }
    before = penalty;
    yield classes.map(({ descent }) => descent.weights);
  }
}

/** Of each class what groups of equal first columns have of it. */
function sharesOfGroups(
  { common }: SortedRows,
  columns: number,
  { components, starts, componentOf, shares }: RowShares,
  groups: number,
): readonly Float64Array[] {
  const found = Array.from({ length: components }, () => new Float64Array(groups));
  for (let row = 0, group = -1; row < common.length; row++) {
    if (row === 0 || common[row]! < columns) group++;
    for (let at = starts[row]!; at < starts[row + 1]!; at++) found[componentOf[at]!]![group]! += shares[at]!;
  }
  return found;
}

/** The lower one of two. */
function medianOf(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) / 2)]!;
}
