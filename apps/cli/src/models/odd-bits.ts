import type { BitMatrix } from '@orchard/dataset';
import { isBound, type DensityModel } from '@orchard/model';
import { nameOfDimension } from '../rows/name-of-dimension.js';
import { leastLikely, type OddRow, type Reason } from '../tables/odd-rows.js';

/**
 * The least likely of rows of 0 and 1, the least likely first, and the columns that speak most against them, by their surprise in the order
 * that the model takes them; none of a model whose likelihoods are bounds, which have no share for each column.
 */
export function oddBits(
  network: DensityModel,
  rows: BitMatrix,
  likelihoods: Float64Array,
  { worst, top }: { readonly worst: number; readonly top: number },
): OddRow[] {
  const { dimensions, names } = network;
  const named = isBound(network) ? 0 : Math.min(top, dimensions);
  const those = leastLikely(likelihoods, worst);
  const chosen = rows.selectRows(those);
  const { surprise, columns } = network.score(chosen, { top: named });
  return those.map((row, at): OddRow => {
    const reasons = Array.from(columns.subarray(at * named, (at + 1) * named), (dim): Reason => {
      const nats = surprise[at * dimensions + dim]!;
      const probability = Math.exp(-nats);
      const value = chosen.get(at, dim);
      const expected = probability < 0.5 ? 1 - value : value;
      return {
        column: nameOfDimension(dim, names),
        value: String(value),
        probability,
        expected: String(expected),
        surprise: nats,
      };
    });
    return { row: row + 1, logLikelihood: likelihoods[row]!, reasons };
  });
}
