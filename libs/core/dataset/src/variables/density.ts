import type { OrderedVariable, Variable } from '@orchard/contracts';
import { exp, log } from '@orchard/numerics';
import { codeCount, otherCode, ownValue } from './codes.js';
import { stepOf } from './cell-values.js';
import { GREATEST_NUMBER } from './number-format.js';
import { FARTHEST, PieceDensities, piecesOfCell, type Piece } from './pieces.js';

/** Values of the column's grid from the least to the greatest of the training rows. */
function valuesInRange(variable: OrderedVariable): number {
  const [least, greatest] = variable.range;
  return Math.round((greatest - least) / stepOf(variable)) + 1;
}

/**
 * log P(value | "other") of masses: one half is spread over the gaps between the values, and on both sides a geometric
 * distribution falls by e for each breadth of the range. So a value outside costs more than any gap, and the more the
 * farther off it is.
 */
function logShareOfOther(variable: OrderedVariable, value: number): number {
  const reach = valuesInRange(variable);
  const gaps = Math.max(0, reach - variable.values.length);
  // older files have them all alike, within three times the range
  if (variable.beyond === undefined) return -log(Math.max(1, 3 * reach - variable.values.length));
  const [least, greatest] = variable.range;
  const distance = Math.max(least - value, value - greatest);
  if (distance <= 0) return -log(2 * Math.max(1, gaps));
  const steps = Math.min(FARTHEST, Math.max(1, Math.round(distance / stepOf(variable))));
  return log(gaps > 0 ? 0.25 : 0.5) + log(1 - exp(-1 / reach)) - (steps - 1) / reach;
}

/**
 * Whether a number has the code of a mass and is not the value of it: training never had it, and it is read as the
 * nearest value that training had.
 */
export function isNewNumber(variable: Variable, code: number, value: number): boolean {
  return isNearest(variable) && code < variable.values.length && variable.values[code] !== value;
}

/** Whether numbers that training never had are read as the nearest that it had. */
function isNearest(variable: Variable): variable is OrderedVariable {
  return isMass(variable) && variable.beyond !== undefined;
}

/** Whether each value of an ordered variable has a probability of its own. */
export function isMass(variable: Variable): variable is OrderedVariable {
  return variable.kind === 'ordered' && variable.measure === 'mass';
}

/**
 * log P(value | the code of the nearest value that training had), nats. Of all rows, half a one is shared out among the
 * numbers that training never had, as {@link logShareOfOther} says; what is known of the row makes one as much likelier
 * or less likely as the value that it is nearest to. So new numbers take half a row of all probability, and no more
 * where that value is expected.
 *
 * It is on top of the values that training had, which keep the probability of their codes: so that of rows of these
 * values likelihoods are exactly what samples follow, which have no new numbers. All numbers of a column come to
 * 1 + 1 / (2 N) by its rates in N rows; given other columns to 1 + 1 / 4 at most, where only a value at an end is
 * expected that one row had.
 */
function logShareOfNew(variable: OrderedVariable, code: number, value: number): number {
  return logShareOfOther(variable, value) - log(2 * variable.counts[code]! + 1);
}

/** `logShareOfNew` of a number between values that training had, which is the same for all. */
export function logShareOfGap(variable: OrderedVariable, code: number): number {
  return logShareOfNew(variable, code, variable.range[0]);
}

/**
 * log P(label | code), nats: 0 but for labels that are pooled as "(other)". Without their shares a label that training
 * never saw would be likelier than those that it saw often, in a column of many.
 */
export function logShareOfLabel(variable: Variable, code: number): number {
  if (variable.kind !== 'categorical' || variable.otherLabels === undefined) return 0;
  return code === otherCode(variable) ? -log(variable.otherLabels + 1) : 0;
}

/** Whether some values of a column add to the log-probabilities of their codes. */
export function addsToCodes(variable: Variable): boolean {
  return variable.kind === 'ordered' || (variable.kind === 'categorical' && variable.otherLabels !== undefined);
}

/** Whether a code stands for an outermost cell of a density. */
export function isTail(variable: Variable, code: number): boolean {
  if (variable.kind !== 'ordered' || variable.measure === 'mass') return false;
  return code === 0 || code === variable.edges.length;
}

/**
 * Whether what a value adds to the log-probability of a code depends on which of the code's values it is; of a number
 * that training never had it does too ({@link isNewNumber}), which its code does not say.
 */
export function dependsOnValue(variable: Variable, code: number): boolean {
  if (variable.kind !== 'ordered') return false;
  if (variable.measure === 'mass') return variable.beyond !== undefined && code === otherCode(variable);
  return variable.pieces === undefined ? isTail(variable, code) : code < variable.values.length;
}

/**
 * What a value adds to the log-probability of its code, in nats: 0 for a label or a value with a mass; for a density
 * its logarithm within the cell, in the column's units; for a label that is pooled with others, or new, its share; for
 * a number that training never had, how much less likely it is than the nearest value.
 */
export function logDensityIn(variable: Variable, code: number, value: number): number {
  if (variable.kind !== 'ordered') return logShareOfLabel(variable, code);
  if (variable.measure === 'mass') {
    if (code === otherCode(variable)) return logShareOfOther(variable, value);
    return isNewNumber(variable, code, value) ? logShareOfNew(variable, code, value) : 0;
  }
  if (code >= variable.values.length) return 0;
  if (variable.pieces !== undefined) return PieceDensities.of(variable).logDensity(code, value);
  if (!isTail(variable, code)) return -log(variable.edges[code]! - variable.edges[code - 1]!);
  const scale = variable.tails![code === 0 ? 0 : 1];
  return -log(scale) - Math.min(FARTHEST, Math.abs(value - edgeOfTail(variable, code)) / scale);
}

/** The same of a code whose values all have it alike. */
export function logDensityOfCode(variable: Variable, code: number): number {
  return logDensityIn(variable, code, variable.kind === 'ordered' ? (variable.values[code] ?? 0) : 0);
}

/**
 * The same by code, of values that {@link drawIn} draws: NaN where it depends on which of a code's values is drawn, as
 * in a tail or in a cell of several pieces.
 */
export function logDensitiesOfDrawn(variable: Variable): Float64Array {
  return Float64Array.from({ length: codeCount(variable) }, (_, code) => {
    if (variable.kind !== 'ordered') return logShareOfLabel(variable, code);
    if (code >= variable.values.length) return 0;
    const known = ownValue(variable, code);
    if (known !== null) return logDensityIn(variable, code, known);
    if (isTail(variable, code)) return NaN;
    if (variable.pieces !== undefined && piecesOfCell(variable, code).length > 1) return NaN;
    return logDensityIn(variable, code, variable.edges[code - 1]!);
  });
}

/**
 * A value of a cell, drawn by a number that is uniform in (0, 1), and in the cell; where the column has bounds it keeps
 * to them. A cell that lies beyond a bound wholly, as the one below a least value of 0 that many rows have, is drawn as
 * the bound; its own probability (half a row of a column by itself, one in N³ by `tables`) stays that of rows to come
 * that break the bound, which training rows can suggest and not prove.
 */
export function drawIn(variable: OrderedVariable, code: number, uniform: number): number {
  const known = ownValue(variable, code);
  if (known !== null) return known;
  if (variable.pieces !== undefined) {
    const [least, greatest] = variable.bounds ?? [null, null];
    const within: readonly [number, number] = [least ?? -Infinity, greatest ?? Infinity];
    const drawn = drawInPieces(variable, code, uniform, within) ?? drawInPieces(variable, code, uniform, EVERYWHERE)!;
    return Math.max(within[0], Math.min(drawn, within[1]));
  }
  if (isTail(variable, code)) {
    const distance = -log(uniform) * variable.tails![code === 0 ? 0 : 1];
    const edge = edgeOfTail(variable, code);
    return code === 0
      ? Math.max(-GREATEST_NUMBER, Math.min(edge - distance, justBelow(edge)))
      : Math.min(GREATEST_NUMBER, edge + distance);
  }
  return drawBetween(variable.edges[code - 1]!, variable.edges[code]!, uniform);
}

const EVERYWHERE = [-Infinity, Infinity] as const;

/** As {@link drawIn}, of the values in [low, high] alone: some of the cell's are. */
export function drawWithin(
  variable: OrderedVariable,
  code: number,
  uniform: number,
  range: readonly [number, number],
): number {
  const known = ownValue(variable, code);
  if (known !== null) return known;
  if (variable.pieces !== undefined)
    return drawInPieces(variable, code, uniform, range) ?? Math.min(Math.max(range[0], -GREATEST_NUMBER), range[1]);
  const from = Math.max(range[0], variable.edges[code - 1] ?? -Infinity);
  const to = Math.min(range[1], variable.edges[code] ?? Infinity);
  return isTail(variable, code)
    ? drawInTail(code === 0, from, to, uniform, variable.tails![code === 0 ? 0 : 1])
    : from + uniform * (to - from);
}

/** In the pieces of a cell as far as they lie in a range, in their order; null where none does. */
function drawInPieces(
  variable: OrderedVariable,
  code: number,
  uniform: number,
  [low, high]: readonly [number, number],
): number | null {
  // two passes and no list: models of many rows draw millions of values
  const pieces = piecesOfCell(variable, code);
  const weightIn = ({ from, to, weight }: Piece): number =>
    weight * shareOfPiece(variable, from, to, Math.max(from, low), Math.min(to, high));
  let sum = 0;
  let last = -1;
  for (let at = 0; at < pieces.length; at++) {
    const weight = weightIn(pieces[at]!);
    if (!(weight > 0)) continue;
    sum += weight;
    last = at;
  }
  if (last < 0) return null;
  let rest = uniform * sum;
  let [at, weight] = [0, weightIn(pieces[0]!)];
  while (at < last && !(weight > 0 && rest <= weight)) {
    if (weight > 0) rest -= weight;
    at++;
    weight = weightIn(pieces[at]!);
  }
  const isBelow = pieces[at]!.from === -Infinity;
  const [from, to] = [Math.max(pieces[at]!.from, low), Math.min(pieces[at]!.to, high)];
  const left = Math.min(1, rest / weight);
  const isAbove = code === variable.edges.length && from >= variable.pieces!.borders.at(-1)!;
  if (!isBelow && !isAbove) return drawBetween(from, to, left);
  return drawInTail(isBelow, from, to, Math.max(left, 2 ** -53), variable.tails![isBelow ? 0 : 1]);
}

/** What is left of an exponential between two ends is one that is cut, counted from the end that lies nearer. */
function drawInTail(isBelow: boolean, from: number, to: number, uniform: number, scale: number): number {
  const distance = -scale * log(1 - uniform * (1 - exp(-(to - from) / scale)));
  if (isBelow) return Math.max(-GREATEST_NUMBER, from, Math.min(to - distance, justBelow(to)));
  return Math.min(GREATEST_NUMBER, to, from + distance);
}

function drawBetween(from: number, to: number, uniform: number): number {
  return Math.max(from, Math.min(from + uniform * (to - from), justBelow(to)));
}

/** A number that is less, by hardly more than the last digit. */
function justBelow(edge: number): number {
  return edge - Math.max(Math.abs(edge) * 2 ** -52, Number.MIN_VALUE);
}

export function meanOfCode(variable: OrderedVariable, code: number): number {
  const known = ownValue(variable, code);
  if (known !== null) return known;
  if (variable.pieces !== undefined) {
    let [sum, all] = [0, 0];
    for (const { from, to, weight } of piecesOfCell(variable, code)) {
      const isBelow = from === -Infinity;
      const isAbove = to === Infinity;
      const mean = isBelow ? to - variable.tails![0] : isAbove ? from + variable.tails![1] : from / 2 + to / 2;
      sum += weight * mean;
      all += weight;
    }
    return sum / all;
  }
  if (code === 0) return variable.edges[0]! - variable.tails![0];
  if (code === variable.edges.length) return variable.edges[code - 1]! + variable.tails![1];
  return (variable.edges[code - 1]! + variable.edges[code]!) / 2;
}

/** The share of a cell's probability that lies in [low, high]. */
export function shareIn(variable: OrderedVariable, code: number, low: number, high: number): number {
  const known = ownValue(variable, code);
  if (known !== null) return known >= low && known <= high ? 1 : 0;
  if (variable.pieces !== undefined) {
    let [inside, all] = [0, 0];
    for (const { from, to, weight } of piecesOfCell(variable, code)) {
      inside += weight * shareOfPiece(variable, from, to, Math.max(from, low), Math.min(to, high));
      all += weight;
    }
    return inside / all;
  }
  const [from, to] = [variable.edges[code - 1] ?? -Infinity, variable.edges[code] ?? Infinity];
  const [a, b] = [Math.max(low, from), Math.min(high, to)];
  return shareOfPiece(variable, from, to, a, b);
}

/** The share of what lies between `from` and `to`, one of them perhaps infinite, that lies between a and b. */
function shareOfPiece({ tails }: OrderedVariable, from: number, to: number, a: number, b: number): number {
  if (!(b > a)) return 0;
  if (a === from && b === to) return 1;
  if (from > -Infinity && to < Infinity) return (b - a) / (to - from);
  if (from === -Infinity) return exp(-(to - b) / tails![0]) - exp(-(to - a) / tails![0]);
  return exp(-(a - from) / tails![1]) - exp(-(b - from) / tails![1]);
}

function edgeOfTail(variable: OrderedVariable, code: number): number {
  return code === 0 ? variable.edges[0]! : variable.edges[code - 1]!;
}
