import { exp, log } from '@orchard/numerics';
import type { CountedRows } from './counted-rows.js';
import { ProductLogs } from './product-logs.js';

/** A mixture of products while it is learned. */
export interface Products {
  readonly dimensions: number;
  readonly weights: Float64Array;
  /** P(1) of column d under component k: `rates[k * dimensions + d]`. */
  readonly rates: Float64Array;
}

/** What the rows say of the components, each by its shares in the rows. */
export interface SharedOut {
  /** Rows of each component. */
  readonly rows: Float64Array;
  /** Of these, those with a 1: `ones[k * dimensions + d]`. */
  readonly ones: Float64Array;
}

export function noShares({ weights, rates }: Products): SharedOut {
  return { rows: new Float64Array(weights.length), ones: new Float64Array(rates.length) };
}

/** Rows whose logarithms under all components are in memory together. */
const BLOCK = 1024;
/** A component that is e^20 times (500 million) less probable than another, given a row, has no share in it. */
const NO_SHARE = -20;

/**
 * EM's expectation: log P of all rows, and each row shared out among the components by how probable each is given it. A block of rows at
 * a time, in it a component after the other, so that memory is read in order: rows x components x D / 8 additions.
 *
 * @param sums zeros, to which the shares are added; null where the likelihood alone is asked for
 * @returns summed nats of all rows
 */
export function expectation(
  counted: CountedRows,
  { dimensions, weights, rates }: Products,
  sums: SharedOut | null,
): number {
  const { distinct, counts } = counted;
  const components = weights.length;
  const products = new ProductLogs(components, dimensions, rates);
  const block = Math.min(BLOCK, distinct.rows);
  const shares = new Float64Array(components * block);
  const highest = new Float64Array(block);
  const totals = new Float64Array(block);
  const logWeights = weights.map(log);
  let nats = 0;
  for (let first = 0; first < distinct.rows; first += block) {
    const count = Math.min(block, distinct.rows - first);

    // log (w_k P_k(row)), and the highest of each row
    highest.fill(-Infinity);
    for (let k = 0; k < components; k++) {
      const start = k * block;
      products.logsInto(k, distinct, first, count, logWeights[k]!, shares, start);
      for (let row = 0; row < count; row++)
        if (shares[start + row]! > highest[row]!) highest[row] = shares[start + row]!;
    }

    // up to a factor of each row, P(component k | row)
    totals.fill(0);
    for (let k = 0; k < components; k++) {
      const start = k * block;
      for (let row = 0; row < count; row++) {
        const gap = shares[start + row]! - highest[row]!;
        if (gap < NO_SHARE) {
          shares[start + row] = 0;
          continue;
        }
        const share = exp(gap);
        shares[start + row] = share;
        totals[row]! += share;
      }
    }
    for (let row = 0; row < count; row++) {
      const times = counts[first + row]!;
      nats += times * (highest[row]! + log(totals[row]!));
      // from here on what a share is multiplied by
      totals[row] = times / totals[row]!;
    }

    if (sums !== null) shareOut(counted, first, count, { shares, block, factors: totals }, sums, dimensions);
  }
  return nats;
}

/** Adds each row to the components by its shares in them: only where it has a 1, and only to those that have a share. */
function shareOut(
  { starts, columns }: CountedRows,
  first: number,
  count: number,
  { shares, block, factors }: { shares: Float64Array; block: number; factors: Float64Array },
  { rows, ones }: SharedOut,
  dimensions: number,
): void {
  for (let k = 0; k < rows.length; k++) {
    const own = ones.subarray(k * dimensions, (k + 1) * dimensions);
    let all = 0;
    for (let row = 0; row < count; row++) {
      const relative = shares[k * block + row]!;
      if (relative === 0) continue;
      const share = relative * factors[row]!;
      all += share;
      const end = starts[first + row + 1]!;
      for (let at = starts[first + row]!; at < end; at++) own[columns[at]!]! += share;
    }
    rows[k]! += all;
  }
}
