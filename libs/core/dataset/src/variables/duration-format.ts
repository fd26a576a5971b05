import type { DurationFormat, TimeFormat } from '@orchard/contracts';
import { powerOfTen } from '@orchard/numerics';

/** As pandas writes them: `1 days 02:30:00`, `-1 days +23:59:30`. */
const DURATION = /^(-?\d{1,9}) days? \+?([01]\d|2[0-3]):([0-5]\d):([0-5]\d)(?:\.(\d{1,9}))?$/;
/** The same without days, which may be more than 23 hours: `36:15:00`. */
const CLOCK = /^(-?)(\d{1,9}):([0-5]\d):([0-5]\d)(?:\.(\d{1,9}))?$/;
/** Without seconds: `36:15`. */
const SHORT_CLOCK = /^(-?)(\d{1,9}):([0-5]\d)$/;
const SECONDS_OF_A_DAY = 86_400;

/** How the text of a duration is written, or null where it is none. A clock below 24 hours may be a time of day. */
export function durationFormatOf(text: string): DurationFormat | null {
  const match = DURATION.exec(text);
  // zeros at the end say which program wrote the file, not how fine its values are
  if (match !== null) return { type: 'duration', digits: (match[5] ?? '').replace(/0+$/, '').length };
  const clock = CLOCK.exec(text) ?? SHORT_CLOCK.exec(text);
  if (clock === null) return null;
  const [, sign = '', hours = '', , seconds, fraction = ''] = clock;
  if (sign === '' && Number(hours) < 24) return null;
  return {
    type: 'duration',
    digits: fraction.length,
    clock: { seconds: seconds !== undefined, padded: hours.length > 1 },
  };
}

/** The format of durations that are written as these times of day are; null of clocks with AM and PM. */
export function durationFormatOfTimes({ seconds, digits, clock, fraction }: TimeFormat): DurationFormat | null {
  const isPlain =
    fraction === undefined && (clock === undefined || (clock.morning === '' && clock.whole === undefined));
  return isPlain ? { type: 'duration', digits, clock: { seconds, padded: clock?.padded ?? true } } : null;
}

/** One format for a whole column: the most digits; null where some are clocks, or have seconds, and others not. */
export function commonDurationFormat(one: DurationFormat, other: DurationFormat): DurationFormat | null {
  const { clock } = one;
  const isAlike = clock?.seconds === other.clock?.seconds;
  if (!isAlike) return null;
  const digits = Math.max(one.digits, other.digits);
  if (clock === undefined) return { type: 'duration', digits };
  return { type: 'duration', digits, clock: { ...clock, padded: clock.padded && other.clock!.padded } };
}

/** How durations of a format look: `0 days hh:mm:ss.fff`, `h:mm`. */
export function durationPattern({ digits, clock }: DurationFormat): string {
  const fraction = digits === 0 ? '' : `.${'f'.repeat(digits)}`;
  if (clock === undefined) return `0 days hh:mm:ss${fraction}`;
  return `${clock.padded ? 'hh' : 'h'}:mm${clock.seconds ? ':ss' : ''}${fraction}`;
}

/**
 * The number that the text of a duration is in a column of that format (10^-digits seconds), NaN where it is none. Days
 * may be left out; seconds only where the column has none.
 */
export function durationFromText(text: string, format: DurationFormat): number {
  const { digits } = format;
  const withDays = DURATION.exec(text);
  const [, first, hours, minutes, seconds = '0', fraction = '0'] = withDays ?? clockOf(text, format) ?? [];
  if (first === undefined) return NaN;
  const scale = powerOfTen(digits);
  const clock = Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
  const parts = Math.round(Number(`0.${fraction}`) * scale);
  if (withDays === null) return (first === '-' ? -1 : 1) * (clock * scale + parts) + 0;
  return (Number(first) * SECONDS_OF_A_DAY + clock) * scale + parts;
}

function clockOf(text: string, { clock }: DurationFormat): RegExpExecArray | null {
  return (clock?.seconds === false ? SHORT_CLOCK : CLOCK).exec(text);
}

/** A duration as its column has it, on a clock that goes on beyond 24 hours or as pandas does. */
export function writeDuration(duration: number, format: DurationFormat): string {
  return format.clock === undefined ? withDays(duration, format) : onClock(duration, format.digits, format.clock);
}

function onClock(duration: number, digits: number, { seconds, padded }: NonNullable<DurationFormat['clock']>): string {
  const scale = powerOfTen(digits);
  const value = Math.abs(Math.floor(duration));
  const whole = Math.floor(value / scale);
  const two = (part: number): string => String(Math.floor(part)).padStart(2, '0');
  const hours = String(Math.floor(whole / 3600)).padStart(padded ? 2 : 1, '0');
  const fraction = digits === 0 ? '' : `.${String(value - whole * scale).padStart(digits, '0')}`;
  const sign = Math.floor(duration) < 0 ? '-' : '';
  return `${sign}${hours}:${two((whole % 3600) / 60)}${seconds ? `:${two(whole % 60)}` : ''}${fraction}`;
}

/** As pandas writes it: of a negative one the days are below it, and the time of day is added. */
function withDays(duration: number, { digits }: DurationFormat): string {
  const scale = powerOfTen(digits);
  const value = Math.floor(duration);
  const whole = Math.floor(value / scale);
  const days = Math.floor(whole / SECONDS_OF_A_DAY);
  const clock = whole - days * SECONDS_OF_A_DAY;
  const two = (part: number): string => String(Math.floor(part)).padStart(2, '0');
  const time = `${two(clock / 3600)}:${two((clock % 3600) / 60)}:${two(clock % 60)}`;
  const fraction = digits === 0 ? '' : `.${String(value - whole * scale).padStart(digits, '0')}`;
  return `${days.toFixed(0)} days ${days < 0 ? '+' : ''}${time}${fraction}`;
}
