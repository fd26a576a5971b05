import type { DateFormat } from '@orchard/contracts';

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

/** 03/04/2025, 3.4.2025, 2025/04/03; and 3 Apr 2025, 03-April-2025. What follows is a time. */
const NUMBERS = /^(\d{1,2}|\d{4})([/.-])(\d{1,2})\2(\d{4}|\d{1,2})(?=$|[T ])/;
const DAY_FIRST = /^(\d{1,2})([ -])([A-Za-z]{3,9})\2(\d{4}|\d{2})(?=$|[T ])/;
/** 3/4/25 and 03.04.25, but not 1.2.10, which is a release, nor 25-04-03, which may have its year in front. */
const SHORT_YEAR = /^(?:\d{1,2}\/\d{1,2}\/\d\d|\d\d\.\d\d\.\d\d)(?=$|[T ])/;
const MONTH_FIRST = /^([A-Za-z]{3,9}) (\d{1,2}), (\d{4})(?=$|[T ])/;

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
    return first.length === 4
      ? day('ymd', first, second, third)
      : [...day('mdy', third, first, second), ...day('dmy', third, second, first)];
  }
  const dayFirst = DAY_FIRST.exec(text);
  if (dayFirst !== null) {
    const [all, date = '', separator = '', month = '', year = ''] = dayFirst;
    return named('dmy', separator, text.slice(all.length), year, month, date);
  }
  const monthFirst = MONTH_FIRST.exec(text);
  if (monthFirst === null) return [];
  const [all, month = '', date = '', year = ''] = monthFirst;
  return named('mdy', ' ', text.slice(all.length), year, month, date);
}

function named(
  order: WrittenDates['order'],
  separator: string,
  rest: string,
  year: string,
  word: string,
  date: string,
): readonly WrittenDay[] {
  const index = MONTHS.findIndex((month) => month === word || month.slice(0, 3) === word);
  if (index < 0) return [];
  const month = word.length === 3 ? 'short' : 'long';
  return [
    {
      written: { order, separator, month, padded: date.length === 2, ...shortYearOf(year) },
      iso: isoOf(year, String(index + 1), date) + rest,
    },
  ];
}

/** The text of a date, as `2025-04-03` and perhaps a time behind it, in the form of its column. */
export function writtenDay(iso: string, { order, separator, month, padded, shortYear }: WrittenDates): string {
  const [, whole = '', number = '', day = '', rest = ''] = /^(\d{4})-(\d\d)-(\d\d)(.*)$/.exec(iso) ?? [];
  const year = shortYear === true ? whole.slice(2) : whole;
  const own = (digits: string): string => (padded ? digits : String(Number(digits)));
  const date = own(day);
  if (month !== 'number') {
    const name = MONTHS[Number(number) - 1]!;
    const word = month === 'short' ? name.slice(0, 3) : name;
    return (order === 'mdy' ? `${word} ${date}, ${year}` : [date, word, year].join(separator)) + rest;
  }
  const parts = { d: date, m: own(number), y: year };
  return Array.from(order, (part) => parts[part as 'd' | 'm' | 'y']).join(separator) + rest;
}

/** How days of a form look: `DD/MM/YYYY`, `D MMM YY`. */
export function dayPattern({ order, separator, month, padded, shortYear }: WrittenDates): string {
  const day = padded ? 'DD' : 'D';
  const year = shortYear === true ? 'YY' : 'YYYY';
  if (month !== 'number') {
    const word = month === 'short' ? 'MMM' : 'MMMM';
    return order === 'mdy' ? `${word} ${day}, ${year}` : [day, word, year].join(separator);
  }
  const parts = { d: day, m: padded ? 'MM' : 'M', y: year };
  return Array.from(order, (part) => parts[part as 'd' | 'm' | 'y']).join(separator);
}

/**
 * The day of a text as ISO writes it, where it is written so; null otherwise. Zeros before days and months do not
 * count.
 */
export function isoOfWritten(text: string, { order, separator, month, shortYear }: WrittenDates): string | null {
  const found = readWrittenDay(text).find(
    ({ written }) =>
      written.order === order &&
      written.separator === separator &&
      written.shortYear === shortYear &&
      (written.month === 'number') === (month === 'number'),
  );
  return found?.iso ?? null;
}

function shortYearOf(year: string): Pick<WrittenDates, 'shortYear'> {
  return year.length === 2 ? { shortYear: true } : {};
}

function isoOf(written: string, month: string, day: string): string {
  const year = written.length === 2 ? `${written < '69' ? 20 : 19}${written}` : written;
  return `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
}
