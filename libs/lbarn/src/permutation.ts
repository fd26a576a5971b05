import { Purpose, RandomStream } from '@orchard/numerics';

/**
 * Fisher-Yates from the last position down: all permutations are equally likely.
 *
 * @param index tells the permutations of one seed apart
 */
export function randomOrdering(dimensions: number, seed: number, index = 0): number[] {
  const stream = new RandomStream(seed, Purpose.ordering, index);
  const ordering = Array.from({ length: dimensions }, (_, position) => position);
  for (let position = dimensions - 1; position > 0; position--) {
    const other = stream.below(position + 1);
    [ordering[position], ordering[other]] = [ordering[other]!, ordering[position]!];
  }
  return ordering;
}
