import type { DateFormat, DurationFormat, OrderedFormat, TimeFormat } from '@orchard/contracts';
import { isOfMonths } from '@orchard/dataset';
import { powerOfTen } from '@orchard/numerics';
import { formatCount } from '../text.js';

export interface Tick {
  readonly at: number;
  readonly label: string;
}

const DAY = 86_400_000;
const HOUR = 3_600_000;

/** At most five ticks of an axis from `low` to `high`, in the words of its format; no locale is asked. */
export function axisTicks(format: OrderedFormat, low: number, high: number): readonly Tick[] {
  const ticks = ticksOf(format, low, high);
  if (ticks.length > 0) return ticks;
  const middle = low / 2 + high / 2;
  return format.type === 'number'
    ? [{ at: middle, label: numberLabel(middle, high / 10 - low / 10, Math.abs(middle)) }]
    : [];
}

function ticksOf(format: OrderedFormat, low: number, high: number): readonly Tick[] {
  if (format.type === 'number') return numberTicks(low, high);
  if (format.type === 'date') return dateTicks(format, low, high);
  return format.type === 'time' ? timeTicks(format, low, high) : durationTicks(format, low, high);
}

/** Beyond it counting by one stands still. */
const COUNTABLE = 2 ** 53;

function numberTicks(low: number, high: number): readonly Tick[] {
  // shares of each: the difference of two finite numbers may be infinite
  const step = stepOf(high / 4.5 - low / 4.5);
  const [first, last] = [Math.ceil(low / step - 1e-9), Math.floor(high / step + 1e-9)];
  if (!(step > 0) || Math.abs(first) >= COUNTABLE || Math.abs(last) >= COUNTABLE) return [];
  const ticks: Tick[] = [];
  const largest = Math.max(Math.abs(low), Math.abs(high));
  for (let count = first; count <= last; count++)
    ticks.push({ at: count * step, label: numberLabel(count * step, step, largest) });
  return ticks;
}

/** 1, 2 or 5 times a power of ten, as least as great; 0 where there is none. */
function stepOf(least: number): number {
  if (!(least > 0) || !Number.isFinite(least)) return 0;
  let power = 1;
  while (power * 10 <= least) power *= 10;
  while (power > least) power /= 10;
  const step = power * ([1, 2, 5].find((times) => power * times >= least) ?? 10);
  return Number.isFinite(step) ? step : 0;
}

/** What numbers from some size on are counted in. */
const UNITS = [
  [1e9, 'G', 1e9],
  [1e6, 'M', 1e6],
  [1e3, 'k', 1e5],
] as const;

function numberLabel(value: number, step: number, largest: number): string {
  const sign = value < 0 ? '−' : '';
  const size = Math.abs(value);
  if (largest >= 1e15 || (largest < 1e-4 && largest > 0)) return sign + size.toExponential(1);
  const [unit, name] = UNITS.find(([, , least]) => largest >= least) ?? [1, ''];
  const decimals = Math.min(6, decimalsOf(step / unit));
  const text = (size / unit).toFixed(decimals);
  if (Number(text) === 0) return '0';
  return `${sign}${decimals === 0 && unit === 1 && size >= 10_000 ? formatCount(size) : text}${name}`;
}

/** Digits behind the point that multiples of a step need. */
function decimalsOf(step: number): number {
  let decimals = 0;
  for (let scaled = step; decimals < 12 && Math.abs(scaled - Math.round(scaled)) > 1e-6 * scaled; scaled *= 10)
    decimals++;
  return decimals;
}

function dateTicks({ time, written }: DateFormat, low: number, high: number): readonly Tick[] {
  if (isOfMonths(written)) return monthTicks(low, high);
  const unit = time === null ? DAY : 1000 / powerOfTen(time.digits);
  const [from, to] = [low * unit, high * unit];
  const span = to - from;
  const ticks: Tick[] = [];
  const put = (moment: number, start: number, end: number): void => {
    if (moment >= from && moment <= to)
      ticks.push({ at: moment / unit, label: new Date(moment).toISOString().slice(start, end).replace('T', ' ') });
  };
  const first = new Date(from);
  const months = span / (30.44 * DAY);
  if (months >= 3) {
    const isYears = months > 30;
    const every = isYears
      ? 12 * Math.max(1, Math.ceil(stepOf(months / 12 / 4)))
      : ([1, 2, 3, 6, 12].find((count) => months / count <= 4.5) ?? 12);
    const begin = Math.floor((first.getUTCFullYear() * 12 + first.getUTCMonth()) / every) * every;
    for (let month = begin; month <= begin + months + 2 * every; month += every)
      put(Date.UTC(Math.floor(month / 12), month % 12), 0, isYears ? 4 : 7);
    return ticks;
  }
  const sizes = [1, 2, 5, 10, 20, 30].map((days) => days * DAY);
  const hours = [1, 3, 6, 12].map((count) => count * HOUR);
  const every = [...(time === null ? [] : hours), ...sizes].find((size) => span / size <= 3.5) ?? 30 * DAY;
  for (let moment = Math.ceil(from / every) * every; moment <= to; moment += every)
    put(moment, every < DAY ? 5 : 0, every < DAY ? 16 : 10);
  return ticks;
}

/** Of months that are counted from January 1970. */
function monthTicks(low: number, high: number): readonly Tick[] {
  const every = [1, 2, 3, 6, 12].find((months) => (high - low) / months <= 4.5) ?? 12 * stepOf((high - low) / 12 / 4);
  const ticks: Tick[] = [];
  for (let month = Math.ceil(low / every) * every; month <= high; month += every)
    ticks.push({ at: month, label: new Date(Date.UTC(1970, month)).toISOString().slice(0, every < 12 ? 7 : 4) });
  return ticks;
}

/** Seconds between ticks of times of day. */
const CLOCK_STEPS = [
  ...[1, 2, 5, 10, 15, 30],
  ...[1, 2, 5, 10, 15, 30].map((minutes) => minutes * 60),
  ...[1, 2, 3, 4, 6].map((hours) => hours * 3600),
];

function timeTicks({ seconds, digits }: TimeFormat, low: number, high: number): readonly Tick[] {
  const unit = powerOfTen(digits);
  // no finer than the column is written
  const least = Math.max((high - low) / unit / 4.5, seconds ? 1 / unit : 60);
  // of less than a second the ticks are those of numbers
  const every = least <= 0.5 ? stepOf(least) : (CLOCK_STEPS.find((size) => size >= least) ?? CLOCK_STEPS.at(-1)!);
  const decimals = Math.min(digits, decimalsOf(every));
  const ticks: Tick[] = [];
  for (let count = Math.max(0, Math.ceil(low / unit / every - 1e-9)); count * every * unit <= high; count++) {
    const at = count * every;
    // the day ends at 24:00
    if (at > 86_400) break;
    ticks.push({ at: at * unit, label: clockLabel(at, seconds && every % 60 !== 0, decimals) });
  }
  return ticks;
}

/** Units of durations in seconds, the longest first. */
const DURATION_UNITS = [
  [86_400, 'd'],
  [3600, 'h'],
  [60, 'min'],
  [1, 's'],
] as const;

function durationTicks({ digits }: DurationFormat, low: number, high: number): readonly Tick[] {
  const scale = powerOfTen(digits);
  // shares of each: the difference of two finite numbers may be infinite
  const least = Math.max(high / scale / 4.5 - low / scale / 4.5, 1 / scale);
  const clock = CLOCK_STEPS.find((size) => size >= least);
  const every = least <= 0.5 ? stepOf(least) : least > 6 * 3600 ? longStep(least) : (clock ?? 6 * 3600);
  const [unit, name] = DURATION_UNITS.find(([seconds]) => every >= seconds) ?? DURATION_UNITS.at(-1)!;
  const [first, last] = [Math.ceil(low / scale / every - 1e-9), Math.floor(high / scale / every + 1e-9)];
  if (!(every > 0) || Math.abs(first) >= COUNTABLE || Math.abs(last) >= COUNTABLE) return [];
  const ticks: Tick[] = [];
  for (let count = first; count <= last; count++) {
    const label = numberLabel(
      (count * every) / unit,
      every / unit,
      Math.max(Math.abs(first), Math.abs(last)) * (every / unit),
    );
    ticks.push({ at: count * every * scale, label: `${label} ${name}` });
  }
  return ticks;
}

/** Half a day, or whole days. */
function longStep(least: number): number {
  return least <= 43_200 ? 43_200 : 86_400 * stepOf(Math.max(1, least / 86_400));
}

function clockLabel(time: number, withSeconds: boolean, decimals: number): string {
  const two = (part: number): string => String(Math.floor(part)).padStart(2, '0');
  const whole = Math.floor(time + 1e-9);
  const minutes = `${two(whole / 3600)}:${two((whole % 3600) / 60)}`;
  if (!withSeconds) return minutes;
  const fraction =
    decimals === 0
      ? ''
      : Math.abs(time - whole)
          .toFixed(decimals)
          .slice(1);
  return `${minutes}:${two(whole % 60)}${fraction}`;
}
