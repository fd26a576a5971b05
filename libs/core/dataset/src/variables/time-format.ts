import type { TimeFormat } from '@orchard/contracts';
import { powerOfTen } from '@orchard/numerics';
import { clockPattern, commonClock, plainClock, readClock, writtenClock } from './written-clock.js';
import {
  commonFraction,
  FRACTION,
  fractionPattern,
  readFraction,
  unitsOfFraction,
  writtenFraction,
  type SecondDigits,
} from './written-fraction.js';

const TIME = new RegExp(String.raw`^(\d\d):(\d\d)(?::(\d\d)(${FRACTION})?)?$`);
const SECONDS_OF_A_DAY = 86_400;

/** How the text of a time of day is written, or null where it is none, as 24:00. */
export function timeFormatOf(text: string): TimeFormat | null {
  const { text: plain, clock } = readClock(text);
  const match = TIME.exec(plain);
  if (match === null || Number.isNaN(secondsOf(match))) return null;
  const [, , , seconds, fraction] = match;
  return timeFormat(seconds !== undefined, readFraction(fraction), clock);
}

/** One format for a whole column: the most digits; null where some have seconds or an AM and others have not. */
export function commonTimeFormat(one: TimeFormat, other: TimeFormat): TimeFormat | null {
  if (one.seconds !== other.seconds) return null;
  const clock = commonClock(one.clock, other.clock);
  const fraction = commonFraction(one, other);
  if (clock === null || fraction === null) return null;
  return timeFormat(one.seconds, fraction, clock);
}

function timeFormat(seconds: boolean, { digits, fraction }: SecondDigits, clock: TimeFormat['clock']): TimeFormat {
  return { type: 'time', seconds, digits, ...(clock && { clock }), ...(fraction && { fraction }) };
}

/** How times of a format look: `hh:mm:ss.fff`. */
export function timePattern(format: TimeFormat): string {
  return clockPattern(`hh:mm${format.seconds ? ':ss' : ''}${fractionPattern(format)}`, format.clock);
}

/**
 * The number that the text of a time is in a column of that format (10^-digits seconds since midnight), NaN where it is
 * none.
 */
export function timeFromText(text: string, { digits, clock }: TimeFormat): number {
  const plain = clock === undefined ? text : plainClock(text, clock);
  const match = plain === null ? null : TIME.exec(plain);
  if (match === null) return NaN;
  const scale = powerOfTen(digits);
  const value = secondsOf(match) * scale + unitsOfFraction(match[5], digits);
  // more digits than the column has must not round to the next day
  return Math.min(value, SECONDS_OF_A_DAY * scale - 1);
}

/** As the file writes it: what lies beyond the day as its first or last moment. */
export function writeTime(time: number, format: TimeFormat): string {
  const { seconds, digits, clock } = format;
  const scale = powerOfTen(digits);
  const value = Math.max(0, Math.min(Math.floor(time), SECONDS_OF_A_DAY * scale - 1));
  const whole = Math.floor(value / scale);
  const two = (part: number): string => String(Math.floor(part)).padStart(2, '0');
  const parts = [two(whole / 3600), two((whole % 3600) / 60), ...(seconds ? [two(whole % 60)] : [])].join(':');
  const plain = parts + writtenFraction(value - whole * scale, format);
  return clock === undefined ? plain : writtenClock(plain, clock);
}

function secondsOf([, hours, minutes, seconds = '0']: RegExpExecArray): number {
  const isOnClock = Number(hours) < 24 && Number(minutes) < 60 && Number(seconds) < 60;
  return isOnClock ? Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds) : NaN;
}
