import { counted } from '@orchard/refusal';
import { quote } from '../errors.js';
import { withWord, type OptionWord } from '../reading/option-words.js';
import type { TableOptionName } from '../table-files/table-options.js';
import { isBeyondNumbers, numberFromText } from '../variables/number-format.js';
import type { ColumnProfile } from './column-profile.js';
import { datesByWeek } from './dates-by-week.js';
import { yearsFarApart } from './likely-dates.js';
import { TIMES_READ } from './times-read.js';

/** Digits with signs around or between them: 1,234.50 € and 12 %. */
const DECORATED = /^[-+(]?\s*\p{Sc}?\s*[-+]?\d[\d.,'_\s]*(?:[eE][-+]?\d+)?\s*(?:%|‰|\p{Sc})?\s*\)?$/u;
const DIGITS = /^\d+$/;
/** As 10.0.98.253: neither a date nor a number. */
const OF_FOUR_NUMBERS = /^\d+(?:\.\d+){3,}$/;
const OTHER_DATE = /^\d{1,4}[./-]\d{1,2}[./-]\d{1,4}(?:\D|$)/;
/** As Jan 31 2026, Saturday, January 31, 2026, and 31. Jan 2026 7:30 PM. */
const WORDED_DATE =
  /^(?:[a-z]{2,9}[.,]? +)?(?:\d{1,2}\.? +)?(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}[.,]? +\d[\d ,.:]*[a-z]{0,5}$/i;
const OTHER_TIME = /^\d{1,3}:\d\d(?::\d\d(?:[.,]\d+)?)?\s*(?:[ap]\.?m\.?)?(?:Z|[+-]\d\d:?\d\d)?$/i;

/** A number and what it counts, as 66 kg, 5cm and 12.5 km/h. */
const WITH_UNIT = /^[-+]?\d+(?:[.,]\d+)*\s?([\p{L}µ°][\p{L}\p{N}µ°²³/·^]{0,7})$/u;

/** Behind a number they count its place, as in 3rd. */
const ORDINALS = /^(?:st|nd|rd|th|er|ème|º|ª)$/i;
/** Fewer labels with a unit, as 2D and 3D, may well be names. */
const LEAST_WITH_UNIT = 3;

/** The unit that all texts have behind their numbers, however its letters are; null where some have another or none. */
function unitOf(texts: readonly string[]): string | null {
  let unit: string | null = null;
  for (const text of texts) {
    const own = WITH_UNIT.exec(text)?.[1] ?? null;
    if (own === null || (unit !== null && own.toLowerCase() !== unit.toLowerCase())) return null;
    unit ??= own;
  }
  return unit;
}

/** What is said of labels that seem to be numbers with a unit; null of any others. */
export function unitOfLabels(labels: ReadonlyMap<string, number>): string | null {
  const texts = [...labels.keys()];
  const unit = texts.length < LEAST_WITH_UNIT ? null : unitOf(texts);
  if (unit === null || ORDINALS.test(unit)) return null;
  return `texts as ${quote(texts[0]!)} are labels; if they are numbers of ${quote(unit)}, write them without it, the unit in the name of the column`;
}

/** Fewer labels, as May 1 and May 2, may well be names. */
const LEAST_DATES = 3;
const FOUR_DIGITS = /\d{4}/;

/** What is said of labels that seem to be dates in a form that is not read; null of any others. */
export function datesOfLabels(labels: ReadonlyMap<string, number>): string | null {
  const texts = [...labels.keys()];
  // of numbers with points between them some are releases: a year says that they are none
  const isDate = (text: string): boolean => FOUR_DIGITS.test(text) && (OTHER_DATE.test(text) || WORDED_DATE.test(text));
  if (texts.length < LEAST_DATES || !texts.every(isDate)) return null;
  return `texts as ${quote(texts[0]!)} are labels; if they are dates, write them as 2026-01-31, 1/31/2026 or 31 Jan 2026, all alike`;
}

/** Why texts that are written as dates are not read as such; null of any others. */
export function whyUnlikely({ written, labels, ofMoments }: ColumnProfile): string | null {
  const format = ofMoments.format ?? written.most(undefined)?.form.format ?? null;
  const years = format === null ? null : yearsFarApart(labels, format);
  if (years === null) return null;
  return `its texts are mostly distinct: names, or dates whose years, ${years[0]} to ${years[1]}, are too far apart to be read as such`;
}

/** What texts seem to be that are too many for labels. */
export function whyDistinct(
  { labels, numbers, codes, values }: ColumnProfile,
  wordFor: OptionWord<TableOptionName>,
): string {
  const texts = [...labels.keys()];
  const beyond = codes === 0 ? texts.filter(isBeyondNumbers) : [];
  // the other cells are numbers that are read
  if (beyond.length > 0 && texts.every((text) => isBeyondNumbers(text) || !Number.isNaN(numberFromText(text))))
    return `its values are mostly distinct numbers, some beyond 1e300, as ${quote(beyond[0]!)}, and numbers are read up to that: write them in a larger unit`;
  if (codes === 0 && numbers * 2 > values) {
    const word = texts.find((text) => Number.isNaN(numberFromText(text)))!;
    const others = counted(values - numbers, 'cell is not one', 'cells are not');
    const remedy = withWord(wordFor, 'say so beside the other marks', 'missing');
    return `its values are mostly distinct numbers, but ${others}, as ${quote(word)}; if they mark missing values, ${remedy}`;
  }
  const mostly = (pattern: RegExp): boolean =>
    texts.filter((text) => pattern.test(text)).length * 10 > texts.length * 9;
  const such = `as ${quote(texts[0]!)}`;
  if (mostly(DIGITS)) {
    const code = texts.find((text) => text.startsWith('0')) ?? texts[0]!;
    return `its values are codes, as ${quote(code)}, and mostly distinct: digits that begin with a zero are not read as numbers`;
  }
  if (mostly(OF_FOUR_NUMBERS)) return `its texts are mostly distinct: addresses or versions, ${such}`;
  const byWeek = datesByWeek(labels);
  if (byWeek !== null)
    return `its texts are mostly distinct: names, or ${byWeek.what}, as ${quote(byWeek.example)}: written as ${byWeek.means} they are read as dates`;
  if (mostly(OTHER_DATE) || mostly(WORDED_DATE))
    return `its texts are mostly distinct and seem to be dates, ${such}: those written as 2026-01-31, 1/31/2026 or 31 Jan 2026, all alike, are read as dates`;
  if (mostly(OTHER_TIME))
    return `its texts are mostly distinct and seem to be times, ${such}: only ${TIMES_READ}, all alike, are read as times`;
  if (mostly(DECORATED))
    return `its texts are mostly distinct and seem to be numbers, ${such}: those written as 1234.5, 1.2e3, $1,234.50 or 12 %, all alike, are read as numbers`;
  const unit = unitOf(texts);
  if (unit !== null)
    return `its texts are mostly distinct and seem to be numbers of ${quote(unit)}, ${such}: numbers without a unit, the unit in the name of the column, are read as numbers`;
  return 'its texts are mostly distinct: names or free text';
}
