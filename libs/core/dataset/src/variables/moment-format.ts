import type { MomentFormat } from '@orchard/contracts';
import { commonDateFormat, dateFormatOf, dateFromText, datePattern, writeDate } from './date-format.js';
import { commonTimeFormat, timeFormatOf, timeFromText, timePattern, writeTime } from './time-format.js';

/** How the text of a date or of a time of day is written, or null where it is neither. */
export function momentFormatOf(text: string): MomentFormat | null {
  return dateFormatOf(text) ?? timeFormatOf(text);
}

/** One format for a whole column; null where texts are written in more than one form. */
export function commonMomentFormat(one: MomentFormat, other: MomentFormat): MomentFormat | null {
  if (one.type === 'date') return other.type === 'date' ? commonDateFormat(one, other) : null;
  return other.type === 'time' ? commonTimeFormat(one, other) : null;
}

/** How texts of a format look: `YYYY-MM-DD`, `hh:mm`. */
export function momentPattern(format: MomentFormat): string {
  return format.type === 'date' ? datePattern(format) : timePattern(format);
}

/** The number that a text is in a column of that format, NaN where it is none. */
export function momentFromText(text: string, format: MomentFormat): number {
  return format.type === 'date' ? dateFromText(text, format) : timeFromText(text, format);
}

/** As the file writes it. */
export function writeMoment(value: number, format: MomentFormat): string {
  return format.type === 'date' ? writeDate(value, format) : writeTime(value, format);
}

/** A day, a minute where no seconds are written, else the least fraction of a second that is. */
export function momentStep(format: MomentFormat): number {
  const { seconds } = format.type === 'time' ? format : (format.time ?? { seconds: true });
  return seconds ? 1 : 60;
}
