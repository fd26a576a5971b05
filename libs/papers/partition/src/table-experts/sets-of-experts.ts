import { exp, greatestOf, log, sumOf } from '@orchard/numerics';
import type { TableExperts } from './table-experts.js';

/** Sets of experts times codes of all variables: 16 MB of probabilities. */
const MOST_CELLS = 2 ** 21;

/**
 * How many of so many experts can take part in a row, so that all their sets can be summed over; 0 where even one by
 * one they are too many.
 */
export function mostTogether(experts: number, codes: number): number {
  let sets = 0;
  let ofSize = 1;
  for (let size = 1; size <= experts; size++) {
    ofSize *= (experts - size + 1) / size;
    sets += ofSize;
    if (sets * codes > MOST_CELLS) return size - 1;
  }
  return experts;
}

/** The most experts of so many codes that {@link mostTogether} sums over. */
export function mostExpertsOf(codes: number): number {
  return Math.floor(MOST_CELLS / codes);
}

/** All sets of 1 to `most` experts, by size. */
export function setsOfExperts(count: number, most: number): readonly (readonly number[])[] {
  let ofSize: (readonly number[])[] = Array.from({ length: count }, (_, expert) => [expert]);
  const all = [...ofSize];
  for (let size = 2; size <= most; size++) {
    ofSize = ofSize.flatMap((set) => {
      const first = set.at(-1)! + 1;
      return Array.from({ length: count - first }, (_, at) => [...set, first + at]);
    });
    for (const set of ofSize) all.push(set);
  }
  return all;
}

/** The rows that experts make, as a mixture of products: one of each set that may take part. */
export interface ProductsOfSets {
  /** P(set), each expert by itself, but never none and never more than can be summed over. */
  readonly weights: Float64Array;
  /** Of each variable P(code | set): `chances[variable][code * sets + set]`. */
  readonly chances: readonly Float64Array[];
}

export function productsOfSets(experts: TableExperts): ProductsOfSets {
  const { active, classes, count } = experts;
  const sets = setsOfExperts(count, mostTogether(count, classes.codes));
  // of many experts a product of chances would be 0
  const logOdds = active.map((p) => log(p) - log(1 - p));
  const nats = Float64Array.from(sets, (set) => set.reduce((sum, expert) => sum + logOdds[expert]!, 0));
  const highest = greatestOf(nats);
  const weights = nats.map((own) => exp(own - highest));
  const sum = sumOf(weights);
  const chances = classes.variables.map(({ codes }, index) => {
    const own = new Float64Array(codes * sets.length);
    sets.forEach((set, at) => {
      experts.composeInto(set, index, own, at, sets.length);
    });
    return own;
  });
  return { weights: weights.map((weight) => weight / sum), chances };
}
