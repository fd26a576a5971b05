import type { Table } from '@orchard/contracts';
import { predictorCount, type SumInOrdering } from '@orchard/dataset';
import type { VariableConditional } from './conditional.js';

/** The variable that each predictor bit is of, or the two whose sum it is of. @param sums by position */
export function ownersOfPredictors(
  { variables }: Pick<Table, 'variables'>,
  ordering: Uint32Array,
  sums: readonly (readonly SumInOrdering[])[],
): readonly (readonly number[])[] {
  return Array.from(ordering).flatMap((index, position) => {
    const own = Array.from({ length: predictorCount(variables[index]!) }, () => [index]);
    const ofSums = sums[position]!.flatMap(({ first, second, cuts }) => {
      const two = [first, second].map((at) => ordering[at]!);
      return Array.from(cuts, () => two);
    });
    return [...own, ...ofSums];
  });
}

/**
 * By position, of its conditional: 1 for each position that its trees or its line read.
 *
 * @param owners of {@link ownersOfPredictors}
 */
export function readPositions(
  conditionals: readonly Pick<VariableConditional, 'ensembles' | 'line'>[],
  owners: readonly (readonly number[])[],
  ordering: Uint32Array,
): readonly Uint8Array[] {
  const places = new Uint32Array(ordering.length);
  ordering.forEach((index, position) => {
    places[index] = position;
  });
  return conditionals.map(({ ensembles, line }) => {
    const reads = new Uint8Array(ordering.length);
    for (const { splitPredictor } of ensembles)
      for (const predictor of splitPredictor) for (const owner of owners[predictor]!) reads[places[owner]!] = 1;
    for (const position of line?.reads() ?? []) reads[position] = 1;
    return reads;
  });
}
