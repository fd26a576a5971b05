/**
 * Takes so many rows by their weights, systematically: where the sums of the weights, scaled to the number of rows,
 * pass start, 1 + start, 2 + start and so on. A row of weight w is taken n w times, rounded down or up.
 *
 * @param weights 0 or more, together 1
 * @param start from 0 to below 1, at random
 * @returns the rows that are taken, ascending
 */
export function resample(weights: Float64Array, count: number, start: number): Uint32Array {
  const taken = new Uint32Array(count);
  let [sum, row, last] = [0, -1, 0];
  for (let at = 0; at < count; at++) {
    while (sum <= at + start && row < weights.length - 1) {
      row++;
      sum += count * weights[row]!;
      if (weights[row]! > 0) last = row;
    }
    // what the sums lose by rounding is the last row's
    taken[at] = last;
  }
  return taken;
}

/** How many of so many rows each part is given: its share of them rounded down, the rest to the largest remainders. */
export function countsOf(shares: readonly number[], count: number): number[] {
  const counts = shares.map((share) => Math.floor(share * count + 1e-9));
  const left = count - counts.reduce((sum, own) => sum + own, 0);
  const byRemainder = shares
    .map((share, part) => ({ part, remainder: share * count - counts[part]! }))
    .sort((a, b) => b.remainder - a.remainder || a.part - b.part);
  for (const { part } of byRemainder.slice(0, left)) counts[part]!++;
  return counts;
}
