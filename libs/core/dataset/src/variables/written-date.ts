import type { DateFormat } from '@orchard/contracts';
import { digitsOf, writtenWhole } from './whole-number.js';

/** How days are written that are not as 2025-04-03: their order, what stands between, and how the month is called. */
export type WrittenDates = NonNullable<DateFormat['written']>;

const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];

/** 03/04/2025, 3.4.2025, 2025/04/03; and 3 Apr 2025, 03-APRIL-2025, 03Apr2025. What follows is a time. */
const NUMBERS = /^(\d{1,2}|\d{4})([/.-])(\d{1,2})\2(\d{4}|\d{1,2})(?=$|[T ])/;
const DAY_FIRST = /^(\d{1,2})([ /.-]?)([A-Za-z]{3,9})\2(\d{4}|\d{2})(?=$|[T ])/;
/** 3/4/25, 03.04.25 and 03-04-25, but not 1.2.10, which is a release. */
const SHORT_YEAR = /^(?:\d{1,2}\/\d{1,2}\/\d\d|\d\d\.\d\d\.\d\d|\d\d-\d\d-\d\d)(?=$|[T ])/;
const MONTH_FIRST = /^([A-Za-z]{3,9}) (\d{1,2}), (\d{4})(?=$|[T ])/;
/** Months: 2025-04, 2025/04, 04/2025, 04-2025; and Apr 2025, April-2025. A point would make it a number. */
const YEAR_AND_MONTH = /^(\d{4})([/-])(\d\d)$/;
const MONTH_AND_YEAR = /^(\d\d)([/-])(\d{4})$/;
const NAMED_MONTH = /^([A-Za-z]{3,9})([ /.-]?)(\d{4})$/;

/** A day that may be read, and how it is written then. */
export interface WrittenDay {
  readonly written: WrittenDates;
  /** As `2025-04-03`, and the time behind it. */
  readonly iso: string;
}

/** What a text may be read as: nothing, one day, or two where day and month could be each other. */
export function readWrittenDay(text: string): readonly WrittenDay[] {
  const numbers = NUMBERS.exec(text);
  if (numbers !== null) {
    const [all, first = '', separator = '', second = '', third = ''] = numbers;
    const rest = text.slice(all.length);
    if (separator === '-' && first.length === 4) return [];
    const isShort = first.length < 4 && third.length === 2 && SHORT_YEAR.test(text);
    const day = (order: WrittenDates['order'], year: string, month: string, date: string): readonly WrittenDay[] => {
      if ((year.length !== 4 && !isShort) || Number(month) > 12 || Number(date) > 31) return [];
      const padded = month.length === 2 && date.length === 2;
      const written: WrittenDates = { order, separator, month: 'number', padded, ...shortYearOf(year) };
      return [{ written, iso: isoOf(year, month, date) + rest }];
    };
    if (first.length === 4) return day('ymd', first, second, third);
    return [
      ...day('mdy', third, first, second),
      ...day('dmy', third, second, first),
      ...(isShort && separator === '-' ? day('ymd', first, second, third) : []),
    ];
  }
  const dayFirst = DAY_FIRST.exec(text);
  if (dayFirst !== null) {
    const [all, date = '', separator = '', month = '', year = ''] = dayFirst;
    return named('dmy', separator, text.slice(all.length), year, month, date);
  }
  const monthFirst = MONTH_FIRST.exec(text);
  if (monthFirst !== null) {
    const [all, month = '', date = '', year = ''] = monthFirst;
    return named('mdy', ' ', text.slice(all.length), year, month, date);
  }
  return readWrittenMonth(text);
}

/** The first day of a month. */
function readWrittenMonth(text: string): readonly WrittenDay[] {
  const word = NAMED_MONTH.exec(text);
  if (word !== null) {
    const [, month = '', separator = '', year = ''] = word;
    return named('my', separator, '', year, month, '01');
  }
  const yearFirst = YEAR_AND_MONTH.exec(text);
  const [, first = '', separator = '', second = ''] = yearFirst ?? MONTH_AND_YEAR.exec(text) ?? [];
  const [year, month] = yearFirst === null ? [second, first] : [first, second];
  if (year === '' || Number(month) > 12) return [];
  const order = yearFirst === null ? 'my' : 'ym';
  return [{ written: { order, separator, month: 'number', padded: true }, iso: isoOf(year, month, '01') }];
}

function named(
  order: WrittenDates['order'],
  separator: string,
  rest: string,
  year: string,
  word: string,
  date: string,
): readonly WrittenDay[] {
  const index = MONTHS.findIndex((name) => [name, name.slice(0, 3)].some((one) => casesOf(one).includes(word)));
  if (index < 0) return [];
  const month = word.length === 3 ? 'short' : 'long';
  return [
    {
      written: { order, separator, month, padded: date.length === 2, ...shortYearOf(year), ...lettersOf(word) },
      iso: isoOf(year, String(index + 1), date) + rest,
    },
  ];
}

function casesOf(name: string): readonly string[] {
  return [name, name.toUpperCase(), name.toLowerCase()];
}

function lettersOf(word: string): Pick<WrittenDates, 'letters'> {
  if (word === word.toUpperCase()) return { letters: 'upper' };
  return word === word.toLowerCase() ? { letters: 'lower' } : {};
}

/** Whether dates of a form have no day: they are months. */
export function isOfMonths(written: WrittenDates | undefined): boolean {
  return written !== undefined && !written.order.includes('d');
}

/** The text of a date, as `2025-04-03` and perhaps a time behind it, in the form of its column. */
export function writtenDay(iso: string, form: WrittenDates): string {
  const { order, separator, month, padded, shortYear, whole } = form;
  const [, years = '', number = '', day = '', rest = ''] = /^(\d{4})-(\d\d)-(\d\d)(.*)$/.exec(iso) ?? [];
  const own = (digits: string): string => (padded ? digits : String(Number(digits)));
  const year = shortYear === true ? years.slice(2) : years;
  const date = own(day);
  const name = month === 'number' ? own(number) : monthName(Number(number) - 1, form);
  if (isMonthFirstByName(form)) return `${name} ${date}, ${year}${rest}`;
  const parts = { d: date, m: name, y: year };
  const text = Array.from(order, (part) => parts[part as 'd' | 'm' | 'y']).join(separator) + rest;
  return whole === undefined ? text : writtenWhole(text, true, whole);
}

function monthName(index: number, { month, letters }: WrittenDates): string {
  const name = month === 'short' ? MONTHS[index]!.slice(0, 3) : MONTHS[index]!;
  if (letters === undefined) return name;
  return letters === 'upper' ? name.toUpperCase() : name.toLowerCase();
}

/** As `April 3, 2025`, the one order that has a comma. */
function isMonthFirstByName({ order, month }: WrittenDates): boolean {
  return order === 'mdy' && month !== 'number';
}

/** How days of a form look: `DD/MM/YYYY`, `D MMM YY`. */
export function dayPattern(form: WrittenDates): string {
  const { order, separator, month, padded, shortYear, whole } = form;
  const day = padded ? 'DD' : 'D';
  const year = shortYear === true ? 'YY' : 'YYYY';
  const name = { number: padded ? 'MM' : 'M', short: 'MMM', long: 'MMMM' }[month];
  if (isMonthFirstByName(form)) return `${name} ${day}, ${year}`;
  const parts = { d: day, m: name, y: year };
  const pattern = Array.from(order, (part) => parts[part as 'd' | 'm' | 'y']).join(separator);
  return whole === 'point' ? `${pattern}.0` : pattern;
}

/**
 * The day of a text as ISO writes it, the first of its month where it is a month; null where it is not written so.
 * Zeros before days and months do not count, nor do capitals.
 */
export function isoOfWritten(text: string, { order, separator, month, shortYear, whole }: WrittenDates): string | null {
  if (whole !== undefined) return isoOfWhole(text, order);
  const found = readWrittenDay(text).find(
    ({ written }) =>
      written.order === order &&
      written.separator === separator &&
      written.shortYear === shortYear &&
      (written.month === 'number') === (month === 'number'),
  );
  return found?.iso ?? null;
}

function isoOfWhole(text: string, order: WrittenDates['order']): string | null {
  const digits = digitsOf(text, order === 'ym' ? 6 : 8);
  return digits === null ? null : isoOf(digits.slice(0, 4), digits.slice(4, 6), digits.slice(6) || '01');
}

function shortYearOf(year: string): Pick<WrittenDates, 'shortYear'> {
  return year.length === 2 ? { shortYear: true } : {};
}

function isoOf(written: string, month: string, day: string): string {
  const year = written.length === 2 ? `${written < '69' ? 20 : 19}${written}` : written;
  return `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
}
