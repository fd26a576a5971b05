// Pairs of columns in rows that count by weights. A triangle has of each column a line: itself with every column up to
// it. All numbers are f64.
import { logOfTwo } from '../../../core/numerics/assembly/log-of-two';

/** Where a line of a triangle begins, in bytes. */
// @ts-ignore: decorator
@inline function lineOf(column: i32): usize {
  return ((column as usize) * (column + 1)) << 2;
}

/**
 * Adds the weight of each row to every pair of columns that are 1 in it, rows in their order.
 *
 * @param starts u32, where the columns of each row begin in `columns`, and behind the last one where they end
 * @param columns u16, ascending in a row
 * @returns the weights of all rows, added to `sum` in their order
 */
export function addWeighted(starts: usize, columns: usize, rows: i32, weights: usize, both: usize, sum: f64): f64 {
  for (let row = 0; row < rows; row++) {
    const weight = load<f64>(weights + (row << 3));
    if (weight == 0) continue;
    sum += weight;
    const place = starts + (row << 2);
    const first = columns + ((load<u32>(place) as usize) << 1);
    const end = columns + ((load<u32>(place, 4) as usize) << 1);
    for (let at = first; at < end; at += 2) {
      const line = both + lineOf(load<u16>(at));
      for (let other = first; other <= at; other += 2) {
        const pair = line + ((load<u16>(other) as usize) << 3);
        store<f64>(pair, load<f64>(pair) + weight);
      }
    }
  }
  return sum;
}

/**
 * Makes probabilities of sums: those of `added` rows, shared out as `beside` says, are added, and all divided by
 * `rows`. Two abreast, one more than `pairs` where these are odd.
 */
export function share(both: usize, beside: usize, pairs: u32, added: f64, rows: f64): void {
  const times = f64x2.splat(added);
  const all = f64x2.splat(rows);
  for (const end = both + ((pairs as usize) << 3); both < end; both += 16, beside += 16)
    v128.store(both, f64x2.div(f64x2.add(v128.load(both), f64x2.mul(times, v128.load(beside))), all));
}

/** p log p; 0 of what rounding made of 0. */
// @ts-ignore: decorator
@inline function weighed(probabilities: v128): v128 {
  return v128.and(f64x2.mul(probabilities, logOfTwo(probabilities)), f64x2.gt(probabilities, f64x2.splat(0)));
}

/**
 * I(a; b) in nats of all pairs, two abreast: a line of an odd number of pairs writes one more, which the next one
 * writes over.
 *
 * @param rates P(1) of each column
 * @param margins Σ p log p of each column's two values
 */
export function inform(both: usize, rates: usize, margins: usize, dimensions: i32, information: usize): void {
  for (let a = 0; a < dimensions; a++) {
    const rate = f64x2.splat(load<f64>(rates + (a << 3)));
    const margin = f64x2.splat(load<f64>(margins + (a << 3)));
    const line = lineOf(a);
    for (let at: usize = 0, end: usize = (a + 1) << 3; at < end; at += 16) {
      const together = v128.load(both + line + at);
      const other = v128.load(rates + at);
      const neither = f64x2.add(f64x2.sub(f64x2.splat(1.0), f64x2.add(rate, other)), together);
      const alike = f64x2.add(weighed(together), weighed(neither));
      const unlike = f64x2.add(weighed(f64x2.sub(rate, together)), weighed(f64x2.sub(other, together)));
      const nats = f64x2.sub(f64x2.add(alike, unlike), f64x2.add(margin, v128.load(margins + at)));
      v128.store(information + line + at, nats);
    }
  }
}
