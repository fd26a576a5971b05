import type { CountedRows } from '@orchard/dataset';
import { activeShares, firstLevels, MARGIN, movedLevels, type UpdateOptions } from './levels.js';
import type { RandomStream } from '@orchard/numerics';
import { Experts } from './experts.js';
import { Pursuit } from './pursuit.js';

/** A step of EM: what it makes of the experts before it, and how these explained the rows. */
export interface EmStep {
  readonly experts: Experts;
  /** Summed log P(row | its experts) of all rows, nats, by the experts before. */
  readonly explained: number;
}

/** Random opinions and levels of expertise. */
export function startOf(dimensions: number, count: number, stream: RandomStream): Experts {
  const cells = count * dimensions;
  const opinions = Float64Array.from({ length: cells }, () => MARGIN + (1 - 2 * MARGIN) * stream.uniform());
  const expertise = firstLevels(cells, stream);
  return new Experts({ dimensions, active: new Float64Array(count).fill(1 / 2), opinions, expertise });
}

/**
 * A step of EM (thesis, 4.3): every row is explained by a pursuit; levels of expertise follow the sign of the
 * likelihood's slope; then opinions are the means of the rows by the responsibility that the new levels give.
 *
 * @returns null where it was cancelled
 */
export function stepOf(
  train: CountedRows,
  experts: Experts,
  options: UpdateOptions,
  isCancelled: () => boolean = () => false,
): EmStep | null {
  const { distinct, counts, rows } = train;
  const { count, dimensions } = experts;
  const pursuit = new Pursuit(experts);
  const active = new Float64Array(count);
  const slopes = new Float64Array(count * dimensions);
  const values = new Uint8Array(dimensions);
  const sets: (readonly number[])[] = [];
  let explained = 0;
  for (let row = 0; row < distinct.rows; row++) {
    if (row % 64 === 0 && isCancelled()) return null;
    distinct.readRow(row, values);
    const { experts: own, nats } = pursuit.explain(values);
    sets.push(own);
    explained += counts[row]! * nats;
    for (const expert of own) active[expert]! += counts[row]!;
    if (own.length > 1) addSlopes(experts, values, own, counts[row]!, slopes);
  }
  const expertise = movedLevels(experts.expertise, slopes, rows, options);
  const opinions = opinionsOf(train, sets, { count, expertise }, options.pseudoCount);
  return { experts: new Experts({ dimensions, active: activeShares(active, rows), opinions, expertise }), explained };
}

/** Σ e_k df/de_k of a row (4.6.1): (x − μ) / (μ (1 − μ)) r_k (μ_k − μ). */
function addSlopes(
  { dimensions, ones, expertise, opinions }: Experts,
  values: Uint8Array,
  own: readonly number[],
  times: number,
  slopes: Float64Array,
): void {
  for (let dim = 0; dim < dimensions; dim++) {
    let one = 0;
    let whole = 0;
    for (const expert of own) {
      one += ones[expert * dimensions + dim]!;
      whole += expertise[expert * dimensions + dim]!;
    }
    const rate = one / whole;
    const slope = times / (values[dim] === 1 ? rate : rate - 1);
    for (const expert of own) {
      const at = expert * dimensions + dim;
      slopes[at]! += slope * (expertise[at]! / whole) * (opinions[at]! - rate);
    }
  }
}

/**
 * μ_k = (Σ r x + ε μ_0) / (Σ r + ε): the mean of the rows by the expert's responsibility, shrunk to that of all (4.3).
 */
function opinionsOf(
  train: CountedRows,
  sets: readonly (readonly number[])[],
  { count, expertise }: { readonly count: number; readonly expertise: Float64Array },
  pseudoCount: number,
): Float64Array {
  const { distinct, counts, rows } = train;
  const { dimensions } = distinct;
  const sums = new Float64Array(count * dimensions);
  const ones = new Float64Array(count * dimensions);
  const all = new Float64Array(dimensions);
  const values = new Uint8Array(dimensions);
  sets.forEach((own, row) => {
    const times = counts[row]!;
    distinct.readRow(row, values);
    for (let dim = 0; dim < dimensions; dim++) {
      const value = values[dim]!;
      all[dim]! += times * value;
      let whole = 0;
      for (const expert of own) whole += expertise[expert * dimensions + dim]!;
      for (const expert of own) {
        const at = expert * dimensions + dim;
        const share = (times * expertise[at]!) / whole;
        sums[at]! += share;
        if (value === 1) ones[at]! += share;
      }
    }
  });
  return ones.map((one, at) => {
    const mean = (all[at % dimensions]! + 1) / (rows + 2);
    const opinion = (one + pseudoCount * mean) / (sums[at]! + pseudoCount);
    return Math.min(Math.max(opinion, MARGIN), 1 - MARGIN);
  });
}
