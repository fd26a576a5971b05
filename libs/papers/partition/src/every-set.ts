import type { ForestMixture } from '@orchard/mixture';
import { mostExperts } from '@orchard/mixture/every-set';
import { mixtureOfProducts } from '@orchard/mixture/model';
import type { Experts } from './experts.js';

/** How many experts of so many columns can be asked exactly: one always, whose sets are one. */
export function mostExact(dimensions: number): number {
  return Math.max(1, mostExperts(dimensions));
}

/**
 * The distribution of rows: each of the 2^K - 1 sets of experts is a product of columns, by the probability that just
 * these take part.
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
