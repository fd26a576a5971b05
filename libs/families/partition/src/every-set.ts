import type { ForestMixture } from '@orchard/mixture';
import { mixtureOfProducts } from '@orchard/mixture/model';
import type { Experts } from './experts.js';

/** K whose every set is asked: 65,535 of them. */
const MOST_EXPERTS = 16;
/** Composed templates of all sets of experts, times columns: their probabilities and logarithms take 64 MB. */
const MOST_CELLS = 2 ** 21;

/** How many experts of so many columns can be asked exactly, each set of them at a time: 16 of 32 columns, 11 of 784. */
export function mostExact(dimensions: number): number {
  return Math.max(1, Math.min(MOST_EXPERTS, Math.floor(Math.log2(MOST_CELLS / dimensions))));
}

/**
 * The distribution of rows: each of the 2^K - 1 sets of experts is a product of columns, by the probability that just these take part.
 */
export function everySet(experts: Experts): ForestMixture {
  const { count, dimensions, active } = experts;
  const sets = 2 ** count - 1;
  const weights = new Float64Array(sets);
  const rates = new Float64Array(sets * dimensions);
  for (let set = 1; set <= sets; set++) {
    const own = Array.from(active.keys()).filter((expert) => (set >> expert) & 1);
    experts.composeInto(own, rates, (set - 1) * dimensions);
    weights[set - 1] = active.reduce((product, p, expert) => product * ((set >> expert) & 1 ? p : 1 - p), 1);
  }
  // never none: what the empty set would have is shared out
  const sum = weights.reduce((total, weight) => total + weight, 0);
  return mixtureOfProducts(
    weights.map((weight) => weight / sum),
    dimensions,
    rates,
  );
}
