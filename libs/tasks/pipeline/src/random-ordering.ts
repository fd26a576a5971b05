import { Purpose, RandomStream } from '@orchard/numerics';

/**
 * An ordering of so many columns or variables: Fisher-Yates from the last position down, all permutations equally
 * likely.
 *
 * @param index distinguishes the permutations of one seed
 */
export function randomOrdering(length: number, seed: number, index = 0): number[] {
  const stream = new RandomStream(seed, Purpose.ordering, index);
  const ordering = Array.from({ length }, (_, position) => position);
  for (let position = length - 1; position > 0; position--) {
    const other = stream.below(position + 1);
    const column = ordering[position]!;
    ordering[position] = ordering[other]!;
    ordering[other] = column;
  }
  return ordering;
}
