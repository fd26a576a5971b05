import { composedBy, type Experts } from './compositions/index.js';
import type { ForestMixture } from '@orchard/mixture';
import { mixtureOfProducts } from '@orchard/mixture/model';

/**
 * The distribution of rows: each of the 2^K sets of experts is a product of columns, by the probability that just these
 * are active.
 */
export function everySet(experts: Experts): ForestMixture {
  const { count, dimensions, active } = experts;
  const weights = new Float64Array(2 ** count);
  const rates = new Float64Array(weights.length * dimensions);
  // what the experts before `expert` make, at each depth
  const composed = Array.from({ length: count + 1 }, () => composedBy(experts));
  let set = 0;
  const visit = (expert: number, weight: number): void => {
    const own = composed[expert]!;
    if (expert === count) {
      weights[set] = weight;
      own.ratesInto(rates, set * dimensions);
      set++;
      return;
    }
    const next = composed[expert + 1]!;
    next.copy(own);
    visit(expert + 1, weight * (1 - active[expert]!));
    next.copy(own);
    next.add(expert);
    visit(expert + 1, weight * active[expert]!);
  };
  visit(0, 1);
  return mixtureOfProducts(weights, dimensions, rates);
}
