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
const DAY_FIRST = /^(\d{1,2})([ -])([A-Za-z]{3,9})\2(\d{4})(?=$|[T ])/;
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
    const day = (order: WrittenDates['order'], year: string, month: string, date: string): readonly WrittenDay[] =>
      year.length !== 4 || Number(month) > 12 || Number(date) > 31
        ? []
        : [
            {
              written: { order, separator, month: 'number', padded: month.length === 2 && date.length === 2 },
              iso: isoOf(year, month, date) + rest,
            },
          ];
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
      written: { order, separator, month, padded: date.length === 2 },
      iso: isoOf(year, String(index + 1), date) + rest,
    },
  ];
}

/** The text of a date, as `2025-04-03` and perhaps a time behind it, in the form of its column. */
export function writtenDay(iso: string, { order, separator, month, padded }: WrittenDates): string {
  const [, year = '', number = '', day = '', rest = ''] = /^(\d{4})-(\d\d)-(\d\d)(.*)$/.exec(iso) ?? [];
  const own = (digits: string): string => (padded ? digits : String(Number(digits)));
  const date = own(day);
  if (month !== 'number') {
    const whole = MONTHS[Number(number) - 1]!;
    const word = month === 'short' ? whole.slice(0, 3) : whole;
    return (order === 'mdy' ? `${word} ${date}, ${year}` : [date, word, year].join(separator)) + rest;
  }
  const parts = { d: date, m: own(number), y: year };
  return Array.from(order, (part) => parts[part as 'd' | 'm' | 'y']).join(separator) + rest;
}

/** How days of a form look: `DD/MM/YYYY`, `D MMM YYYY`. */
export function dayPattern({ order, separator, month, padded }: WrittenDates): string {
  const day = padded ? 'DD' : 'D';
  if (month !== 'number') {
    const word = month === 'short' ? 'MMM' : 'MMMM';
    return order === 'mdy' ? `${word} ${day}, YYYY` : [day, word, 'YYYY'].join(separator);
  }
  const parts = { d: day, m: padded ? 'MM' : 'M', y: 'YYYY' };
  return Array.from(order, (part) => parts[part as 'd' | 'm' | 'y']).join(separator);
}

/**
 * The day of a text as ISO writes it, where it is written so; null otherwise. Zeros before days and months do not
 * count.
 */
export function isoOfWritten(text: string, { order, separator, month }: WrittenDates): string | null {
  const found = readWrittenDay(text).find(
    ({ written }) =>
      written.order === order &&
      written.separator === separator &&
      (written.month === 'number') === (month === 'number'),
  );
  return found?.iso ?? null;
}

function isoOf(year: string, month: string, day: string): string {
  return `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
}
