import type { DateFormat, DurationFormat, MomentFormat } from '@orchard/contracts';
import { commonDateFormat, dateFormatOf, dateFromText, datePattern, writeDate } from './date-format.js';
import {
  commonDurationFormat,
  durationFormatOf,
  durationFormatOfTimes,
  durationFromText,
  durationPattern,
  writeDuration,
} from './duration-format.js';
import { commonTimeFormat, timeFormatOf, timeFromText, timePattern, writeTime } from './time-format.js';

/** How the text of a date, of a time of day or of a duration is written, or null where it is none of them. */
export function momentFormatOf(text: string): MomentFormat | null {
  return dateFormatOf(text) ?? timeFormatOf(text) ?? durationFormatOf(text);
}

/** One format for a whole column; null where texts are written in more than one form. */
export function commonMomentFormat(one: MomentFormat, other: MomentFormat): MomentFormat | null {
  if (one.type === 'date') return other.type === 'date' ? commonDateFormat(one, other) : null;
  if (other.type === 'date') return null;
  if (one.type === 'time' && other.type === 'time') return commonTimeFormat(one, other);
  // 7:08:00 beside 31:15:00
  const [first, second] = [one, other].map((each) => (each.type === 'time' ? durationFormatOfTimes(each) : each));
  return first && second ? commonDurationFormat(first, second) : null;
}

/** How texts of a format look: `YYYY-MM-DD`, `hh:mm`. */
export function momentPattern(format: MomentFormat): string {
  switch (format.type) {
    case 'date':
      return datePattern(format);
    case 'time':
      return timePattern(format);
    case 'duration':
      return durationPattern(format);
  }
}

/** The number that a text is in a column of that format, NaN where it is none. */
export function momentFromText(text: string, format: MomentFormat): number {
  switch (format.type) {
    case 'date':
      return dateFromText(text, format);
    case 'time':
      return timeFromText(text, format);
    case 'duration':
      return durationFromText(text, format);
  }
}

/** As the file writes it. */
export function writeMoment(value: number, format: MomentFormat): string {
  switch (format.type) {
    case 'date':
      return writeDate(value, format);
    case 'time':
      return writeTime(value, format);
    case 'duration':
      return writeDuration(value, format);
  }
}

/** Whether dates or times of day are written as whole numbers: 20250403, 202504, 930. */
export function isOfWholeNumbers(format: MomentFormat): boolean {
  if (format.type === 'date') return format.written?.whole !== undefined;
  return format.type === 'time' && format.clock?.whole !== undefined;
}

/** A day, a month, a minute where no seconds are written, else the least fraction of a second that is. */
export function momentStep(format: MomentFormat): number {
  const { seconds } = format.type === 'time' ? format : (clockFormat(format) ?? { seconds: true });
  return seconds ? 1 : 60;
}

function clockFormat(format: DateFormat | DurationFormat): { readonly seconds: boolean } | null | undefined {
  return format.type === 'date' ? format.time : format.clock;
}
