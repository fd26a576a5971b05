import { exp } from './exp.js';
import { greatestOf } from './greatest.js';
import { log } from './log.js';

/**
 * log Σ exp(value), by the largest so that nothing overflows; -Infinity where all are. The values are summed in their
 * order.
 */
export function logSumExp(values: ArrayLike<number>): number {
  const highest = greatestOf(values);
  if (highest === -Infinity) return highest;
  let sum = 0;
  for (let at = 0; at < values.length; at++) sum += exp(values[at]! - highest);
  return highest + log(sum);
}
