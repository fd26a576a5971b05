import type { DateFormat } from '@orchard/contracts';
import { powerOfTen } from '@orchard/numerics';
import { clockPattern, commonClock, plainClock, readClock, writtenClock } from './written-clock.js';
import { withoutMidnight } from './midnight.js';
import { OFFSET, offsetOf } from './zone-offset.js';
import { dayPattern, isOfMonths, isoOfWritten, writtenDay } from './written-date.js';
import {
  commonFraction,
  FRACTION,
  fractionPattern,
  readFraction,
  unitsOfFraction,
  writtenFraction,
} from './written-fraction.js';

const DATE = new RegExp(
  String.raw`^(\d{4})-(\d\d)-(\d\d)(?:([T ])(\d\d):(\d\d)(?::(\d\d)(${FRACTION})?)?(${OFFSET})?)?$`,
);
const SECONDS_OF_A_DAY = 86_400;
const MILLISECONDS_OF_A_DAY = SECONDS_OF_A_DAY * 1000;
/** 0100-01-01, and the day behind 9999-12-31. */
const FIRST_DAY = -683_003;
const END_DAY = 2_932_897;
/** January of the year 100, and the month behind December 9999. */
const FIRST_MONTH = (100 - 1970) * 12;
const END_MONTH = (10_000 - 1970) * 12;
/** 1969-01-01, and the day behind 2068-12-31: what years of two digits can say. */
const FIRST_DAY_OF_SHORT_YEARS = -365;
const END_DAY_OF_SHORT_YEARS = 36_160;

/** How the text of a date is written, or null where it is none. A day that no calendar has is none. */
export function dateFormatOf(text: string): DateFormat | null {
  const { text: plain, clock } = readClock(text);
  const match = DATE.exec(plain);
  if (match === null || Number.isNaN(daysOf(match))) return null;
  const [, , , , separator, , , seconds, fraction, , zone = ''] = match;
  if (separator === undefined) return { type: 'date', time: null };
  const { digits, fraction: written } = readFraction(fraction);
  return {
    type: 'date',
    time: {
      separator: separator as 'T' | ' ',
      seconds: seconds !== undefined,
      digits,
      zone,
      ...(clock && { clock }),
      ...(written && { fraction: written }),
    },
  };
}

/**
 * One format for a whole column: the most digits, in UTC where there are several zones; null where texts are written in
 * more than one form.
 */
export function commonDateFormat(one: DateFormat, other: DateFormat): DateFormat | null {
  if (one.time === null || other.time === null) return one.time === other.time ? one : null;
  const isAlike =
    one.time.separator === other.time.separator &&
    (one.time.zone === '') === (other.time.zone === '') &&
    one.time.seconds === other.time.seconds;
  const clock = commonClock(one.time.clock, other.time.clock);
  const common = commonFraction(one.time, other.time);
  if (!isAlike || clock === null || common === null) return null;
  const { separator, seconds } = one.time;
  const { digits, fraction } = common;
  // clocks that are put forward and back write one zone in two ways
  const zone = one.time.zone === other.time.zone ? one.time.zone : 'Z';
  return {
    type: 'date',
    time: { separator, seconds, digits, zone, ...(clock && { clock }), ...(fraction && { fraction }) },
  };
}

/** How dates of a format look: `YYYY-MM-DDThh:mm:ss+01:00`. */
export function datePattern({ time, written, midnight = '' }: DateFormat): string {
  const day = written === undefined ? 'YYYY-MM-DD' : dayPattern(written);
  if (time === null) return day + midnight;
  const clock = clockPattern(`hh:mm${time.seconds ? ':ss' : ''}${fractionPattern(time)}`, time.clock);
  return `${day}${time.separator}${clock}${time.zone}`;
}

/**
 * The number that the text of a date is in a column of that format (days, months, or 10^-digits seconds), NaN where it
 * is none.
 */
export function dateFromText(text: string, format: DateFormat): number {
  const alone = format.midnight === undefined ? text : withoutMidnight(text);
  const day = format.written === undefined ? alone : isoOfWritten(alone, format.written);
  const clock = format.time?.clock;
  const iso = clock === undefined || day === null ? day : plainClock(day, clock);
  const match = iso === null ? null : DATE.exec(iso);
  if (match === null) return NaN;
  const days = daysOf(match);
  const [, , , , separator, hours, minutes, seconds = '0', , fraction, zone = ''] = match;
  if (format.time === null) {
    if (separator !== undefined || Number.isNaN(days)) return NaN;
    return isOfMonths(format.written) ? monthOf(match) : days;
  }
  if (separator === undefined || (zone === '') !== (format.time.zone === '')) return NaN;
  const onClock = days * SECONDS_OF_A_DAY + Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
  const whole = zone === format.time.zone ? onClock : onClock - offsetOf(zone) + offsetOf(format.time.zone);
  const scale = powerOfTen(format.time.digits);
  return whole * scale + unitsOfFraction(fraction, format.time.digits);
}

/** Months from January 1970. */
function monthOf([, year, month]: RegExpExecArray): number {
  return (Number(year) - 1970) * 12 + Number(month) - 1;
}

/**
 * As the file writes it: what lies beyond the years that are read, 100 to 9999, or 1969 to 2068 where they have two
 * digits, as their first or last moment.
 */
export function writeDate(date: number, format: DateFormat): string {
  const iso = isOfMonths(format.written) ? isoMonth(date) : isoDate(date, format);
  const day = format.written === undefined ? iso : writtenDay(iso, format.written);
  return day + (format.midnight ?? '');
}

/** The first day of a month that is counted from January 1970. */
function isoMonth(month: number): string {
  const whole = Math.max(FIRST_MONTH, Math.min(Math.floor(month), END_MONTH - 1));
  const year = 1970 + Math.floor(whole / 12);
  return `${String(year).padStart(4, '0')}-${String(whole - (year - 1970) * 12 + 1).padStart(2, '0')}-01`;
}

function isoDate(date: number, { time, written }: DateFormat): string {
  const [first, last] =
    written?.shortYear === true ? [FIRST_DAY_OF_SHORT_YEARS, END_DAY_OF_SHORT_YEARS] : [FIRST_DAY, END_DAY];
  const scale = powerOfTen(time?.digits ?? 0);
  const unit = time === null ? 1 : SECONDS_OF_A_DAY * scale;
  const end = last * unit;
  const value = Math.max(first * unit, Math.min(date, end - Math.max(1, end * 2 ** -52)));
  if (time === null) return dayText(value);
  const seconds = Math.floor(value / scale);
  const days = Math.floor(seconds / SECONDS_OF_A_DAY);
  const ofDay = seconds - days * SECONDS_OF_A_DAY;
  const two = (part: number): string => String(Math.floor(part)).padStart(2, '0');
  const clock = [two(ofDay / 3600), two((ofDay % 3600) / 60), ...(time.seconds ? [two(ofDay % 60)] : [])].join(':');
  const plain = clock + writtenFraction(Math.round(value - seconds * scale), time);
  const onClock = time.clock === undefined ? plain : writtenClock(plain, time.clock);
  return `${dayText(days)}${time.separator}${onClock}${time.zone}`;
}

function dayText(days: number): string {
  return new Date(days * MILLISECONDS_OF_A_DAY).toISOString().slice(0, 10);
}

function daysOf([, year, month, day, , hours = '0', minutes = '0', seconds = '0']: RegExpExecArray): number {
  const isOnClock = Number(hours) < 24 && Number(minutes) < 60 && Number(seconds) < 60;
  return isOnClock ? dayOnCalendar(Number(year), Number(month), Number(day)) : NaN;
}

/** Days from 1970-01-01, NaN where no calendar has the day, and before the year 100. */
function dayOnCalendar(year: number, month: number, day: number): number {
  if (year < 100 || month < 1 || month > 12 || day < 1 || day > daysOfMonth(year, month)) return NaN;
  return Date.UTC(year, month - 1, day) / MILLISECONDS_OF_A_DAY;
}

function daysOfMonth(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}
