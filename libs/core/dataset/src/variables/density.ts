import type { OrderedVariable, Variable } from '@orchard/contracts';
import { exp, log } from '@orchard/numerics';
import { otherCode } from './codes.js';
import { cellOf, stepOf } from './cell-values.js';
import { GREATEST_NUMBER } from './number-format.js';

/** Scales beyond an edge from where on a tail is not told from flat: a density is finite everywhere. */
const FARTHEST = 1e300;

/** Values between and beyond those of a variable with masses that its "other" is spread over: three times its range. */
function otherValues(variable: OrderedVariable): number {
  const step = stepOf(variable);
  const [least, greatest] = variable.range;
  const reach = Math.round((greatest - least) / step) + 1;
  return Math.max(1, 3 * reach - variable.values.length);
}

/** Whether a code stands for an outermost cell, where the density depends on the value. */
export function isTail(variable: Variable, code: number): boolean {
  return (
    variable.kind === 'ordered' && variable.measure === 'density' && (code === 0 || code === variable.edges.length)
  );
}

/**
 * What a value adds to the log-probability of its code, in nats: 0 for a label or a value with a mass; for a density minus the log
 * of the cell's width in the column's units, or that of the exponential tail.
 */
export function logDensityIn(variable: Variable, code: number, value: number): number {
  if (variable.kind !== 'ordered') return 0;
  if (variable.measure === 'mass') return code === otherCode(variable) ? -log(otherValues(variable)) : 0;
  if (code > variable.edges.length) return 0;
  if (!isTail(variable, code)) return -log(variable.edges[code]! - variable.edges[code - 1]!);
  const scale = variable.tails![code === 0 ? 0 : 1];
  return -log(scale) - Math.min(FARTHEST, Math.abs(value - edgeOfTail(variable, code)) / scale);
}

/** A value of a cell, drawn by a number that is uniform in (0, 1), and in the cell. */
export function drawIn(variable: OrderedVariable, code: number, uniform: number): number {
  const known = variable.values[code];
  if (known !== null && known !== undefined) return known;
  if (isTail(variable, code)) {
    const distance = -log(uniform) * variable.tails![code === 0 ? 0 : 1];
    const edge = edgeOfTail(variable, code);
    return code === 0
      ? Math.max(-GREATEST_NUMBER, Math.min(edge - distance, justBelow(edge)))
      : Math.min(GREATEST_NUMBER, edge + distance);
  }
  const [from, to] = [variable.edges[code - 1]!, variable.edges[code]!];
  return Math.max(from, Math.min(from + uniform * (to - from), justBelow(to)));
}

/** As {@link drawIn}, of the values in [low, high] alone: some of the cell's are. */
export function drawWithin(
  variable: OrderedVariable,
  code: number,
  uniform: number,
  [low, high]: readonly [number, number],
): number {
  const known = variable.values[code];
  if (known !== null && known !== undefined) return known;
  const from = Math.max(low, variable.edges[code - 1] ?? -Infinity);
  const to = Math.min(high, variable.edges[code] ?? Infinity);
  if (!isTail(variable, code)) return from + uniform * (to - from);
  // what is left of an exponential between two ends is one that is cut, counted from the end that lies nearer
  const scale = variable.tails![code === 0 ? 0 : 1];
  const distance = -scale * log(1 - uniform * (1 - exp(-(to - from) / scale)));
  return code === 0 ? Math.max(-GREATEST_NUMBER, to - distance) : Math.min(GREATEST_NUMBER, from + distance);
}

/** A number that is less, by hardly more than the last digit. */
function justBelow(edge: number): number {
  return edge - Math.max(Math.abs(edge) * 2 ** -52, Number.MIN_VALUE);
}

/** The mean of a cell. */
export function meanOf(variable: OrderedVariable, code: number): number {
  const known = variable.values[code];
  if (known !== null && known !== undefined) return known;
  if (code === 0) return variable.edges[0]! - variable.tails![0];
  if (code === variable.edges.length) return variable.edges[code - 1]! + variable.tails![1];
  return (variable.edges[code - 1]! + variable.edges[code]!) / 2;
}

/** The share of a cell's probability that lies in [low, high]. */
export function shareIn(variable: OrderedVariable, code: number, low: number, high: number): number {
  const known = variable.values[code];
  if (known !== null && known !== undefined) return known >= low && known <= high ? 1 : 0;
  const [from, to] = [variable.edges[code - 1] ?? -Infinity, variable.edges[code] ?? Infinity];
  const [a, b] = [Math.max(low, from), Math.min(high, to)];
  if (!(b > a)) return 0;
  if (!isTail(variable, code)) return (b - a) / (to - from);
  const edge = edgeOfTail(variable, code);
  const beyond = (at: number): number => exp(-Math.abs(at - edge) / variable.tails![code === 0 ? 0 : 1]);
  return code === 0 ? beyond(b) - beyond(a) : beyond(a) - beyond(b);
}

/** The cells that may hold values of [low, high]. */
export function cellsIn(variable: OrderedVariable, low: number, high: number): readonly number[] {
  const first = cellOf(variable, low);
  const last = cellOf(variable, high);
  return Array.from({ length: last - first + 1 }, (_, at) => first + at).filter(
    (code) => shareIn(variable, code, low, high) > 0,
  );
}

function edgeOfTail(variable: OrderedVariable, code: number): number {
  return code === 0 ? variable.edges[0]! : variable.edges[code - 1]!;
}
