import type { OrderedVariable } from '@orchard/contracts';
import type { ValueRange } from './restriction.js';

/** Between what the values of a column lie, as far as it is known: infinite where it is not. */
export function boundsOf({ bounds }: Pick<OrderedVariable, 'bounds'>): ValueRange {
  return [bounds?.[0] ?? -Infinity, bounds?.[1] ?? Infinity];
}
