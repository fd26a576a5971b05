import type { DateFormat, OrderedFormat } from '@orchard/contracts';
import { powerOfTen } from '@orchard/numerics';
import { isOfMonths } from '../variables/written-date.js';
import { offsetOf } from '../variables/zone-offset.js';

const SECONDS_OF_A_DAY = 86_400;
const MILLISECONDS_OF_A_DAY = SECONDS_OF_A_DAY * 1000;

/**
 * A value of a column of one format in the units of another of the same type; NaN where it has none there.
 *
 * Midnight is the day, and a day is its midnight, as the first day is the month; a later moment is not a day. A moment
 * with a zone and one without are not the same, unless both are midnights of days.
 */
export function inUnitsOf(value: number, from: OrderedFormat, to: OrderedFormat): number {
  if (from.type !== to.type) return NaN;
  if (from.type === 'number' || to.type === 'number') return value;
  if (from.type !== 'date' || to.type !== 'date') return rescaled(value, digitsOf(from), digitsOf(to));
  if (from.time === null || to.time === null) {
    const days = daysOf(value, from);
    if (to.time !== null) return days * SECONDS_OF_A_DAY * powerOfTen(to.time.digits);
    const own = inDays(days, to);
    return daysOf(own, to) === days ? own : NaN;
  }
  if ((from.time.zone === '') !== (to.time.zone === '')) return NaN;
  const moved = rescaled(value, from.time.digits, to.time.digits);
  return moved + (offsetOf(to.time.zone) - offsetOf(from.time.zone)) * powerOfTen(to.time.digits);
}

/** A moment as the day, or the month, that it is in. */
export function wholeOf(value: number, from: OrderedFormat, to: OrderedFormat): number {
  return from.type === 'date' && to.type === 'date' ? inDays(daysOf(value, from), to) : NaN;
}

/** Days from 1970-01-01, with a fraction of a moment. */
function daysOf(value: number, { time, written }: DateFormat): number {
  if (time !== null) return value / (SECONDS_OF_A_DAY * powerOfTen(time.digits));
  return isOfMonths(written) ? Date.UTC(1970, value) / MILLISECONDS_OF_A_DAY : value;
}

/** The day, or the month of a format of months. */
function inDays(days: number, { written }: DateFormat): number {
  const whole = Math.floor(days);
  if (!isOfMonths(written)) return whole;
  const date = new Date(whole * MILLISECONDS_OF_A_DAY);
  return (date.getUTCFullYear() - 1970) * 12 + date.getUTCMonth();
}

function digitsOf(format: OrderedFormat): number {
  return format.type === 'time' || format.type === 'duration' ? format.digits : 0;
}

/** Digits beyond those of the column are rounded, as where its own texts have more of them. */
function rescaled(value: number, from: number, to: number): number {
  return to >= from ? value * powerOfTen(to - from) : Math.round(value / powerOfTen(from - to));
}
