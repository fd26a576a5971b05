import type { Variable } from '@orchard/contracts';

/** The part of a bin's probability that is spread over its neighbours. */
const SPREAD = 0.25;

/** One bin in so many is a neighbour on each side: of fewer values none is. */
const BINS_PER_NEIGHBOUR = 32;

/**
 * Smooths the probabilities of a column's values: a quarter of each is spread over the values near it. A group has few
 * rows for many bins, so that trees find a bin that none of them hit as unlikely as one far away. With this a bin among
 * likely ones is never much less likely than these, and how far a value lies from them counts. Columns of few values,
 * and of labels, stay as they are.
 *
 * @returns of P(code) of all codes of a row, the smoothed ones
 */
export function smoothing(variable: Variable): (shares: Float64Array) => Float64Array {
  const values = variable.kind === 'ordered' ? variable.values : [];
  const reach = Math.floor(values.length / BINS_PER_NEIGHBOUR);
  if (reach === 0) return (shares) => shares;
  const order = Uint16Array.from(values.keys()).sort((a, b) => values[a]! - values[b]! || a - b);
  return (shares) => {
    const upTo = new Float64Array(order.length + 1);
    order.forEach((code, at) => {
      upTo[at + 1] = upTo[at]! + shares[code]!;
    });
    const means = new Float64Array(order.length);
    for (let at = 0; at < means.length; at++) {
      const [from, to] = [Math.max(0, at - reach), Math.min(means.length, at + reach + 1)];
      means[at] = (upTo[to]! - upTo[from]!) / (to - from);
    }
    const sum = means.reduce((all, mean) => all + mean, 0);
    // a value that is missing for certain leaves nothing to spread
    if (sum === 0) return shares;
    const smoothed = Float64Array.from(shares);
    order.forEach((code, at) => {
      smoothed[code] = (1 - SPREAD) * shares[code]! + (SPREAD * means[at]! * upTo[order.length]!) / sum;
    });
    return smoothed;
  };
}
