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
  // cells stand in the order of their values, those too that stand for one value alone
  const size = variable.kind === 'ordered' ? variable.values.length : 0;
  const reach = Math.floor(size / BINS_PER_NEIGHBOUR);
  if (reach === 0) return (shares) => shares;
  return (shares) => {
    const upTo = new Float64Array(size + 1);
    for (let code = 0; code < size; code++) upTo[code + 1] = upTo[code]! + shares[code]!;
    const means = new Float64Array(size);
    for (let code = 0; code < size; code++) {
      const [from, to] = [Math.max(0, code - reach), Math.min(size, code + reach + 1)];
      means[code] = (upTo[to]! - upTo[from]!) / (to - from);
    }
    const sum = means.reduce((all, mean) => all + mean, 0);
    // a value that is missing for certain leaves nothing to spread
    if (sum === 0) return shares;
    const smoothed = Float64Array.from(shares);
    for (let code = 0; code < size; code++)
      smoothed[code] = (1 - SPREAD) * shares[code]! + (SPREAD * means[code]! * upTo[size]!) / sum;
    return smoothed;
  };
}
