import { exp, log } from '@orchard/numerics';

/**
 * log Σ exp(value), by the largest so that nothing overflows; -Infinity where all are. The values are summed in their
 * order.
 */
export function logSumExp(values: ArrayLike<number>): number {
  let highest = -Infinity;
  for (let at = 0; at < values.length; at++) highest = Math.max(highest, values[at]!);
  if (highest === -Infinity) return highest;
  let sum = 0;
  for (let at = 0; at < values.length; at++) sum += exp(values[at]! - highest);
  return highest + log(sum);
}
