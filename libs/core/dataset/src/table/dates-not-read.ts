import type { ColumnProfile } from './column-profile.js';
import { dayOfWeek, dayOfYear } from './dates-by-week.js';

/** Whole numbers that may be dates or times in a form that is not read. */
export interface DatesNotRead {
  readonly example: number;
  /** What they may be, and how: `dates (DDMMYYYY)`. */
  readonly what: string;
  /** The example, written so that it is read. */
  readonly means: string;
}

interface Form {
  readonly what: string;
  /** So many distinct numbers are of the form by no accident. */
  readonly least: number;
  /** How columns are called that have it, where numbers of any other kind may have it too. */
  readonly names?: RegExp;
  /** What a number means; null of one that is not of the form. */
  meaningOf(number: number): string | null;
  /** Whether numbers that are all of the form are not rather something else. */
  isLikely?(numbers: readonly number[]): boolean;
}

const MOMENTS = /time|date|stamp|epoch|created|updated|(?:^|_)(?:ts|at|on)$/i;
const DAYS = /date|day|datum|fecha|jour/i;
const DAY = 86_400_000;
/** Times of day are no accident of so many numbers. */
const LEAST_CLOCKS = 20;
/** What spreadsheets count days from. */
const FIRST_SERIAL = Date.UTC(1899, 11, 30);

/** A day of the calendar as 2025-04-03; null where there is none. */
function dayOf(year: number, month: number, day: number): string | null {
  if (month < 1 || month > 12 || day < 1 || day > 31) return null;
  const date = new Date(Date.UTC(year, month - 1, day));
  return date.getUTCDate() === day ? date.toISOString().slice(0, 10) : null;
}

function clockOf(digits: string): string | null {
  const parts = [digits.slice(0, 2), digits.slice(2, 4), digits.slice(4, 6) || '00'];
  const most = [23, 59, 59];
  return parts.every((part, at) => Number(part) <= most[at]!) ? parts.join(':') : null;
}

/** Digits of a number with zeros before them; null where it has others than so many. */
function digitsOf(number: number, most: number, least = most): string | null {
  const text = String(number);
  return /^\d+$/.test(text) && text.length >= least && text.length <= most ? text.padStart(most, '0') : null;
}

/** @param places where year, month and day begin, and how long the year is */
function dayAt(
  digits: string | null,
  [year, length, month, day]: readonly [number, 2 | 4, number, number],
): string | null {
  if (digits === null) return null;
  const short = Number(digits.slice(year, year + length));
  const whole = length === 4 ? short : short < 69 ? 2000 + short : 1900 + short;
  if (whole < 1900 || whole >= 2100) return null;
  return dayOf(whole, Number(digits.slice(month, month + 2)), Number(digits.slice(day, day + 2)));
}

/** @param dayOfNumber the day of a year of four digits and what stands behind it */
function dayIn(digits: string | null, dayOfNumber: (year: number, number: number) => string | null): string | null {
  const year = Number(digits?.slice(0, 4));
  return digits === null || year < 1900 || year >= 2100 ? null : dayOfNumber(year, Number(digits.slice(4)));
}

function momentAt(digits: string | null): string | null {
  const day = dayAt(digits, [0, 4, 4, 6]);
  const clock = clockOf(digits?.slice(8) ?? '');
  return day === null || clock === null ? null : `${day} ${clock}`;
}

function since1970(number: number, unit: number): string | null {
  const seconds = number / unit;
  return seconds >= 1e9 && seconds < 2.2e9 ? new Date(seconds * 1000).toISOString().slice(0, 19) : null;
}

const FORMS: readonly Form[] = [
  { what: 'moments (YYYYMMDDHHMMSS)', least: 3, meaningOf: (number) => momentAt(digitsOf(number, 14)) },
  { what: 'moments (YYYYMMDDHHMM)', least: 3, meaningOf: (number) => momentAt(digitsOf(number, 12)) },
  { what: 'dates (DDMMYYYY)', least: 5, meaningOf: (number) => dayAt(digitsOf(number, 8, 7), [4, 4, 2, 0]) },
  { what: 'dates (MMDDYYYY)', least: 5, meaningOf: (number) => dayAt(digitsOf(number, 8, 7), [4, 4, 0, 2]) },
  { what: 'dates (YYMMDD)', least: 10, meaningOf: (number) => dayAt(digitsOf(number, 6, 5), [0, 2, 2, 4]) },
  { what: 'dates (DDMMYY)', least: 10, meaningOf: (number) => dayAt(digitsOf(number, 6, 5), [4, 2, 2, 0]) },
  {
    what: 'days of the year (YYYYDDD)',
    least: 10,
    meaningOf: (number) => dayIn(digitsOf(number, 7), dayOfYear),
  },
  {
    what: 'weeks (YYYYWW)',
    least: 10,
    meaningOf: (number) => dayIn(digitsOf(number, 6), dayOfWeek),
    // numbers that all end as months do are months
    isLikely: (numbers) => numbers.some((number) => number % 100 > 12),
  },
  {
    what: 'times of day (HHMMSS)',
    least: LEAST_CLOCKS,
    meaningOf: (number) => clockOf(digitsOf(number, 6, 1) ?? '99'),
    // numbers below 60 are seconds of the first minute, and anything else
    isLikely: (numbers) => numbers.filter((number) => number >= 10_000).length >= LEAST_CLOCKS,
  },
  { what: 'seconds since 1970', least: 2, names: MOMENTS, meaningOf: (number) => since1970(number, 1) },
  { what: 'milliseconds since 1970', least: 2, names: MOMENTS, meaningOf: (number) => since1970(number, 1000) },
  {
    what: 'days as spreadsheets count them',
    least: 2,
    names: DAYS,
    meaningOf: (number) =>
      number >= 20_000 && number < 70_000 ? new Date(FIRST_SERIAL + number * DAY).toISOString().slice(0, 10) : null,
  },
];

/** What the whole numbers of a column may be instead, where every one may be; null of any others. */
export function datesNotRead({ ofNumbers, values, numbers }: ColumnProfile, name: string): DatesNotRead | null {
  if (ofNumbers.places > 0 || ofNumbers.mostDecimals > 0 || numbers < values) return null;
  const distinct = ofNumbers.areAllCounted ? [...ofNumbers.byNumber.keys()] : [...new Set(ofNumbers.sorted())];
  const [example] = distinct;
  if (example === undefined) return null;
  for (const form of FORMS) {
    if (distinct.length < form.least || form.names?.test(name) === false) continue;
    if (distinct.some((number) => form.meaningOf(number) === null)) continue;
    if (form.isLikely?.(distinct) === false) continue;
    return { example, what: form.what, means: form.meaningOf(example)! };
  }
  return null;
}
