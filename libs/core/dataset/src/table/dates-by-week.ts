/** Dates by the week or the day of the year, which are not read. */
export interface DatesByWeek {
  readonly example: string;
  /** What they are: weeks, days of weeks, or days of the year. */
  readonly what: string;
  /** The example, written so that it is read. */
  readonly means: string;
}

const DAY = 86_400_000;
/** As 2024-W05, 2024W05 and 2024-W05-3. */
const BY_WEEK = /^((?:19|20)\d\d)-?W(\d\d)(?:-?([1-7]))?$/i;
/** As 2024-035. */
const BY_DAY = /^((?:19|20)\d\d)-(\d{3})$/;
/** Fewer distinct texts are in such a form by accident. */
const LEAST = 3;

/** The Monday, or another day from 1 to 7, of a week as ISO 8601 counts them; null where the year has no such week. */
export function dayOfWeek(year: number, week: number, day = 1): string | null {
  // the fourth of January is in the first week
  const fourth = Date.UTC(year, 0, 4);
  const monday = fourth - ((new Date(fourth).getUTCDay() + 6) % 7) * DAY + (week - 1) * 7 * DAY;
  const isOfYear = new Date(monday + 3 * DAY).getUTCFullYear() === year;
  return isOfYear ? isoOf(monday + (day - 1) * DAY) : null;
}

/** Day 1 is the first of January; null where the year has no such day. */
export function dayOfYear(year: number, day: number): string | null {
  const time = Date.UTC(year, 0, day);
  return new Date(time).getUTCFullYear() === year ? isoOf(time) : null;
}

/** What all texts of a column are; null where some are anything else. */
export function datesByWeek(labels: ReadonlyMap<string, number>): DatesByWeek | null {
  if (labels.size < LEAST) return null;
  let first: DatesByWeek | null = null;
  for (const text of labels.keys()) {
    const read = readText(text);
    if (read === null || (first !== null && read.what !== first.what)) return null;
    first ??= read;
  }
  return first;
}

function readText(text: string): DatesByWeek | null {
  const [, year, week, day] = BY_WEEK.exec(text) ?? [];
  if (year !== undefined) {
    const means = dayOfWeek(Number(year), Number(week), day === undefined ? 1 : Number(day));
    return means === null ? null : { example: text, what: day === undefined ? 'weeks' : 'days of weeks', means };
  }
  const [, ofYear, number] = BY_DAY.exec(text) ?? [];
  const means = ofYear === undefined ? null : dayOfYear(Number(ofYear), Number(number));
  return means === null ? null : { example: text, what: 'days of the year', means };
}

function isoOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}
