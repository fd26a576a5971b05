import type { TimeFormat } from '@orchard/contracts';
import { clockPattern, commonClock, plainClock, readClock, writtenClock } from './written-clock.js';

const TIME = /^(\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,6}))?)?$/;
const SECONDS_OF_A_DAY = 86_400;

/** How the text of a time of day is written, or null where it is none, as 24:00. */
export function timeFormatOf(text: string): TimeFormat | null {
  const { text: plain, clock } = readClock(text);
  const match = TIME.exec(plain);
  if (match === null || Number.isNaN(secondsOf(match))) return null;
  const [, , , seconds, fraction = ''] = match;
  return { type: 'time', seconds: seconds !== undefined, digits: fraction.length, ...(clock && { clock }) };
}

/** One format for a whole column: the most digits; null where some have seconds or an AM and others have not. */
export function commonTimeFormat(one: TimeFormat, other: TimeFormat): TimeFormat | null {
  if (one.seconds !== other.seconds) return null;
  const clock = commonClock(one.clock, other.clock);
  if (clock === null) return null;
  const { type, seconds, digits } = one.digits >= other.digits ? one : other;
  return { type, seconds, digits, ...(clock && { clock }) };
}

/** How times of a format look: `hh:mm:ss.fff`. */
export function timePattern({ seconds, digits, clock }: TimeFormat): string {
  return clockPattern(`hh:mm${seconds ? ':ss' : ''}${digits === 0 ? '' : `.${'f'.repeat(digits)}`}`, clock);
}

/**
 * The number that the text of a time is in a column of that format (10^-digits seconds since midnight), NaN where it is
 * none.
 */
export function timeFromText(text: string, { digits, clock }: TimeFormat): number {
  const plain = clock === undefined ? text : plainClock(text, clock);
  const match = plain === null ? null : TIME.exec(plain);
  if (match === null) return NaN;
  const scale = 10 ** digits;
  const value = secondsOf(match) * scale + Math.round(Number(`0.${match[4] ?? '0'}`) * scale);
  // more digits than the column has must not round to the next day
  return Math.min(value, SECONDS_OF_A_DAY * scale - 1);
}

/** As the file writes it: what lies beyond the day as its first or last moment. */
export function writeTime(time: number, { seconds, digits, clock }: TimeFormat): string {
  const scale = 10 ** digits;
  const value = Math.max(0, Math.min(Math.floor(time), SECONDS_OF_A_DAY * scale - 1));
  const whole = Math.floor(value / scale);
  const two = (part: number): string => String(Math.floor(part)).padStart(2, '0');
  const parts = [two(whole / 3600), two((whole % 3600) / 60), ...(seconds ? [two(whole % 60)] : [])].join(':');
  const plain = digits === 0 ? parts : `${parts}.${String(value - whole * scale).padStart(digits, '0')}`;
  return clock === undefined ? plain : writtenClock(plain, clock);
}

function secondsOf([, hours, minutes, seconds = '0']: RegExpExecArray): number {
  const isOnClock = Number(hours) < 24 && Number(minutes) < 60 && Number(seconds) < 60;
  return isOnClock ? Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds) : NaN;
}
