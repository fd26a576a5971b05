import type { TimeFormat } from '@orchard/contracts';

const TIME = /^(\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,6}))?)?$/;
const SECONDS_OF_A_DAY = 86_400;

/**
 * How the text of a time of day is written, or null where it is none: 24:00 is none, nor is 8:12, which would be
 * written back as 08:12.
 */
export function timeFormatOf(text: string): TimeFormat | null {
  const match = TIME.exec(text);
  if (match === null || Number.isNaN(secondsOf(match))) return null;
  const [, , , seconds, fraction = ''] = match;
  return { type: 'time', seconds: seconds !== undefined, digits: fraction.length };
}

/** One format for a whole column: the most digits; null where some have seconds and others have not. */
export function commonTimeFormat(one: TimeFormat, other: TimeFormat): TimeFormat | null {
  if (one.seconds !== other.seconds) return null;
  return one.digits >= other.digits ? one : other;
}

/** How times of a format look: `hh:mm:ss.fff`. */
export function timePattern({ seconds, digits }: TimeFormat): string {
  return `hh:mm${seconds ? ':ss' : ''}${digits === 0 ? '' : `.${'f'.repeat(digits)}`}`;
}

/**
 * The number that the text of a time is in a column of that format (10^-digits seconds since midnight), NaN where it is
 * none.
 */
export function timeFromText(text: string, { digits }: TimeFormat): number {
  const match = TIME.exec(text);
  if (match === null) return NaN;
  const scale = 10 ** digits;
  const value = secondsOf(match) * scale + Math.round(Number(`0.${match[4] ?? '0'}`) * scale);
  // more digits than the column has must not round to the next day
  return Math.min(value, SECONDS_OF_A_DAY * scale - 1);
}

/** As the file writes it: what lies beyond the day as its first or last moment. */
export function writeTime(time: number, { seconds, digits }: TimeFormat): string {
  const scale = 10 ** digits;
  const value = Math.max(0, Math.min(Math.floor(time), SECONDS_OF_A_DAY * scale - 1));
  const whole = Math.floor(value / scale);
  const two = (part: number): string => String(Math.floor(part)).padStart(2, '0');
  const clock = [two(whole / 3600), two((whole % 3600) / 60), ...(seconds ? [two(whole % 60)] : [])].join(':');
  return digits === 0 ? clock : `${clock}.${String(value - whole * scale).padStart(digits, '0')}`;
}

function secondsOf([, hours, minutes, seconds = '0']: RegExpExecArray): number {
  const isOnClock = Number(hours) < 24 && Number(minutes) < 60 && Number(seconds) < 60;
  return isOnClock ? Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds) : NaN;
}
