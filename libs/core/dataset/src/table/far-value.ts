import type { OrderedFormat } from '@orchard/contracts';
import type { NumberProfile } from './number-profile.js';

/** Numbers that people write for "not known": one digit several times, as 99, 8888, -999. Of dates any may be one. */
const MARK = /^-?(\d)\1+$/;
/** Of fewer distinct values nothing is far. */
const FEW = 5;

/** A value of several rows, and the range of all others. */
export interface FarValue {
  readonly value: number;
  readonly others: readonly [least: number, greatest: number];
}

/**
 * A value of a column that may mark a missing one: it is the least or the greatest, comes more than once, and is
 * farther from all others than these are from each other. Null where there is none.
 */
export function farValueOf(profile: NumberProfile, format: OrderedFormat): FarValue | null {
  const { areAllCounted, byNumber } = profile;
  const rows = areAllCounted ? null : profile.sorted();
  const values = rows === null ? Float64Array.from(byNumber.keys()).sort() : rows.filter((x, i) => x !== rows[i - 1]);
  if (values.length <= FEW) return null;
  const comesAgain = (value: number): boolean =>
    rows === null ? byNumber.get(value)! > 1 : rows.indexOf(value) < rows.lastIndexOf(value);
  const isFar = (value: number, [least, greatest]: FarValue['others']): boolean =>
    Math.max(least - value, value - greatest) > greatest - least &&
    comesAgain(value) &&
    (format.type !== 'number' || MARK.test(String(value)));
  const [low, next] = [values[0]!, values[1]!];
  const [before, high] = [values.at(-2)!, values.at(-1)!];
  if (isFar(low, [next, high])) return { value: low, others: [next, high] };
  return isFar(high, [low, before]) ? { value: high, others: [low, before] } : null;
}
