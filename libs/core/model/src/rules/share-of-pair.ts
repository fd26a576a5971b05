import type { OrderedVariable } from '@orchard/contracts';
import { ownValue, shareIn, valueCount } from '@orchard/dataset';
import type { Comparison } from './read-rule.js';

/** A cell of a column. */
export interface Cell {
  readonly variable: OrderedVariable;
  readonly code: number;
}

/** Steps by which it is summed how much of two cells that overlap follows a comparison. */
const STEPS = 64;
/** So many scales of a tail hold all of it but e^-40. */
const WHOLE_TAIL = 40;

/**
 * How likely a value of one cell compares so with a value of the other, if they are independent within their cells; 1
 * where one of them is missing. Of cells that overlap it is summed in steps, within about 1e-3.
 */
export function shareOfPair(comparison: Comparison, one: Cell, other: Cell): number {
  if (comparison === '>' || comparison === '>=') return shareOfPair(comparison === '>' ? '<' : '<=', other, one);
  if (one.code >= valueCount(one.variable) || other.code >= valueCount(other.variable)) return 1;
  const [a, b] = [ownValue(one.variable, one.code), ownValue(other.variable, other.code)];
  if (a !== null && b !== null) return Number(comparison === '<' ? a < b : a <= b);
  if (a !== null) return shareIn(other.variable, other.code, a, Infinity);
  if (b !== null) return shareIn(one.variable, one.code, -Infinity, b);
  const [lowA, highA] = endsOf(one);
  const [lowB, highB] = endsOf(other);
  if (highA <= lowB) return 1;
  if (lowA >= highB) return 0;
  const [low, high] = [Math.max(lowA, lowB), Math.min(highA, highB)];
  // below the other cell any value is the smaller one
  let share = lowA < lowB ? shareIn(one.variable, one.code, -Infinity, lowB) : 0;
  const step = (high - low) / STEPS;
  for (let at = 0; at < STEPS; at++) {
    const [from, to] = [low + at * step, low + (at + 1) * step];
    share += shareIn(one.variable, one.code, from, to) * shareIn(other.variable, other.code, (from + to) / 2, Infinity);
  }
  return Math.min(1, share);
}

/** Where a cell of many values begins and ends; a tail ends where next to nothing is left of it. */
function endsOf({ variable, code }: Cell): [low: number, high: number] {
  const { edges, tails } = variable;
  const [low, high] = [edges[code - 1], edges[code]];
  return [low ?? high! - WHOLE_TAIL * tails![0], high ?? low! + WHOLE_TAIL * tails![1]];
}
