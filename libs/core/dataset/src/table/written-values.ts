import type { OrderedVariable } from '@orchard/contracts';
import { numberOf, stepAsWritten } from '../variables/cell-values.js';
import { ownValue } from '../variables/codes.js';
import { shareIn } from '../variables/density.js';
import { MOST_DECIMALS } from '../variables/number-format.js';
import { textWithin, writtenNear } from './drawn-text.js';

/** A number as a column writes it, and how likely a value of its cell is written so. */
export interface WrittenValue {
  readonly value: number;
  readonly weight: number;
}

/** The outermost values of a cell of very many lie so far out. */
const OUTERMOST = 2 ** -40;

/**
 * The values of a cell as they are written, ascending; their weights are 1 together. Of a cell of more than `most` they
 * are its outermost values, with next to no weight, and as many others, each of which stands for as much of the cell.
 *
 * @param code of a value, not of a missing one
 */
export function writtenValues(variable: OrderedVariable, code: number, most: number): readonly WrittenValue[] {
  const own = ownValue(variable, code);
  if (own !== null) return [{ value: own, weight: 1 }];
  return valuesOnGrid(variable, code, most) ?? evenlySpread(variable, code, most);
}

/** Every value of the column's grid in a cell; null where the cell has no ends, the column no grid, or more values. */
function valuesOnGrid(variable: OrderedVariable, code: number, most: number): WrittenValue[] | null {
  const { format, edges, bounds } = variable;
  const low = edges[code - 1] ?? bounds?.[0] ?? null;
  const high = edges[code] ?? bounds?.[1] ?? null;
  if (low === null || high === null) return null;
  if (format.type === 'number' && format.places >= MOST_DECIMALS) return null;
  const step = stepAsWritten(format);
  const [first, last] = [Math.round(low / step), Math.round(high / step)];
  if (last - first > most) return null;
  const [from, to] = [Math.max(low, bounds?.[0] ?? low), Math.min(high, bounds?.[1] ?? high)];
  const weights = new Map<number, number>();
  for (let at = first; at <= last; at++) {
    const [begin, end] = [Math.max(from, (at - 0.5) * step), Math.min(to, (at + 0.5) * step)];
    const share = begin < end ? shareIn(variable, code, begin, end) : 0;
    if (share === 0) continue;
    // what is rounded to a value of another cell is written as its neighbour
    const value = numberOf(writtenNear(variable, code, Math.min(Math.max(at * step, begin), end)), format);
    weights.set(value, (weights.get(value) ?? 0) + share);
  }
  return weights.size === 0 ? null : normalized(weights);
}

function evenlySpread(variable: OrderedVariable, code: number, most: number): WrittenValue[] {
  const weights = new Map<number, number>();
  const add = (uniform: number, weight: number): void => {
    const value = numberOf(textWithin(variable, code, uniform), variable.format);
    weights.set(value, (weights.get(value) ?? 0) + weight);
  };
  const inner = Math.max(1, most - 2);
  for (let at = 0; at < inner; at++) add((at + 0.5) / inner, 1 / inner);
  add(OUTERMOST, OUTERMOST);
  add(1 - OUTERMOST, OUTERMOST);
  return normalized(weights);
}

function normalized(weights: ReadonlyMap<number, number>): WrittenValue[] {
  let sum = 0;
  for (const weight of weights.values()) sum += weight;
  return [...weights].sort(([a], [b]) => a - b).map(([value, weight]) => ({ value, weight: weight / sum }));
}
