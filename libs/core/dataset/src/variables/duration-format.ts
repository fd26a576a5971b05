import type { DurationFormat } from '@orchard/contracts';

/** As pandas writes them: `1 days 02:30:00`, `-1 days +23:59:30`. */
const DURATION = /^(-?\d{1,9}) days? \+?([01]\d|2[0-3]):([0-5]\d):([0-5]\d)(?:\.(\d{1,9}))?$/;
/** The same without days, which may be more than 23 hours: `36:15:00`. */
const CLOCK = /^(-?)(\d{1,9}):([0-5]\d):([0-5]\d)(?:\.(\d{1,9}))?$/;
const SECONDS_OF_A_DAY = 86_400;

/** How the text of a duration is written, or null where it is none: 36:15:00 may be many things and is none. */
export function durationFormatOf(text: string): DurationFormat | null {
  const match = DURATION.exec(text);
  // zeros at the end say which program wrote the file, not how fine its values are
  return match === null ? null : { type: 'duration', digits: (match[5] ?? '').replace(/0+$/, '').length };
}

/** One format for a whole column: the most digits. */
export function commonDurationFormat(one: DurationFormat, other: DurationFormat): DurationFormat {
  return one.digits >= other.digits ? one : other;
}

/** How durations of a format look: `0 days hh:mm:ss.fff`. */
export function durationPattern({ digits }: DurationFormat): string {
  return `0 days hh:mm:ss${digits === 0 ? '' : `.${'f'.repeat(digits)}`}`;
}

/**
 * The number that the text of a duration is in a column of that format (10^-digits seconds), NaN where it is none. Days
 * may be left out.
 */
export function durationFromText(text: string, { digits }: DurationFormat): number {
  const withDays = DURATION.exec(text);
  const [, first, hours, minutes, seconds, fraction = '0'] = withDays ?? CLOCK.exec(text) ?? [];
  if (first === undefined) return NaN;
  const scale = 10 ** digits;
  const clock = Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
  const parts = Math.round(Number(`0.${fraction}`) * scale);
  if (withDays === null) return (first === '-' ? -1 : 1) * (clock * scale + parts) + 0;
  return (Number(first) * SECONDS_OF_A_DAY + clock) * scale + parts;
}

/** As pandas writes it: of a negative one the days are below it, and the time of day is added. */
export function writeDuration(duration: number, { digits }: DurationFormat): string {
  const scale = 10 ** digits;
  const value = Math.floor(duration);
  const whole = Math.floor(value / scale);
  const days = Math.floor(whole / SECONDS_OF_A_DAY);
  const clock = whole - days * SECONDS_OF_A_DAY;
  const two = (part: number): string => String(Math.floor(part)).padStart(2, '0');
  const time = `${two(clock / 3600)}:${two((clock % 3600) / 60)}:${two(clock % 60)}`;
  const fraction = digits === 0 ? '' : `.${String(value - whole * scale).padStart(digits, '0')}`;
  return `${days.toFixed(0)} days ${days < 0 ? '+' : ''}${time}${fraction}`;
}
