import type { MomentFormat, OrderedFormat } from '@orchard/contracts';
import { DatasetError, quote } from '../errors.js';
import { noWord, withWord, type OptionWord } from '../reading/option-words.js';
import type { TableOptionName } from '../table-files/table-options.js';
import { isMarkAmongNumbers } from '../variables/marks-among-numbers.js';
import { areNamesWithAnE, mergedTexts } from '../variables/merged-texts.js';
import { numberFromText } from '../variables/number-format.js';
import { durationFormatOf, durationFormatOfTimes } from '../variables/duration-format.js';
import { momentFormatOf, momentPattern } from '../variables/moment-format.js';
import { timeFormatOf } from '../variables/time-format.js';
import type { ColumnProfile } from './column-profile.js';
import { formOfColumn } from './form-of-column.js';
import { isLong } from './moment-profile.js';
import { areLikelyDates, yearsFarApart } from './likely-dates.js';
import { wholeDatesOf, type WholeDates } from './whole-dates.js';
import type { DayOrder } from './written-forms.js';

/** What a column can be said to be. */
export const KINDS = ['binary', 'categorical', 'ordered', 'excluded'] as const;
export type Kind = (typeof KINDS)[number];

/** Why a column is left out that was said to be excluded. */
export const EXCLUDED = 'it was excluded';
/** Why the column of weights is left out. */
export const WEIGHS_ROWS = 'it weighs the rows';

/** What a column is taken for, and why, where that needs saying. */
export type Inferred =
  | {
      readonly kind: 'binary' | 'categorical' | 'ordered';
      /** What is made of cells that are not read as they stand; absent where all are. */
      readonly how?: string;
      /** How an ordered column is written where most cells are neither plain numbers nor dates as 2025-04-03. */
      readonly format?: OrderedFormat;
      /** Whether some cells of an ordered column are missing values for what they say. */
      readonly hasMissing?: boolean;
    }
  | { readonly kind: 'excluded'; readonly why: string };

/** How a column is judged. */
export interface Judging {
  /** The file, for messages. */
  readonly where: string;
  /** Whether a cell that does not fit its column is refused. @default false: it is a missing value */
  readonly isStrict?: boolean | undefined;
  /** Whether the file says of what type its columns are, so that numbers in texts are texts. @default false */
  readonly isTyped?: boolean | undefined;
  readonly wordFor?: OptionWord<TableOptionName> | undefined;
  /** Which of day and month comes first, where dates do not show it. */
  readonly dates?: DayOrder | undefined;
}

/** Up to so many distinct texts are labels, however few rows there are. */
const ALWAYS_LABELS = 10;
/** Fewer rows may count up by chance. */
const COUNTING_ROWS = 3;
/** Fewer rows may rise by chance. */
const RISING_ROWS = 10;
/** How columns are called that number rows. */
const IDENTIFIERS = [/(?:^|[^a-z])(?:id|key|index|idx|no|nr|number|row)$/i, /[a-z]I[dD]$/, /^id(?:[^a-z]|$)/i];
/** Of more distinct cells, nine in ten of which are numbers, dates or times, the others are taken for mistakes. */
const FEW_DISTINCT = 20;

/**
 * The kind of a column from all that is in it:
 *
 * | the cells are                                          | kind        |
 * |--------------------------------------------------------|-------------|
 * | missing values alone                                   | excluded    |
 * | whole numbers that are all days, months or times of day | ordered    |
 * | whole numbers that count the rows                      | excluded    |
 * | whole numbers that rise from row to row, called an id  | excluded    |
 * | two distinct values                                    | binary      |
 * | numbers, dates in one format, times of day in one format, or durations | ordered |
 * | ... in more than nine of ten of more than 20 distinct  | ordered, the others missing |
 * | digits, some of which begin with a zero                | categorical |
 * | texts of which more than half are distinct             | excluded    |
 * | other texts                                            | categorical |
 *
 * @throws DatasetError `header` where the names of the columns come again; where it is strict, `value` for cells that
 *   do not fit
 */
export function inferKind(profile: ColumnProfile, name: string, judging: Judging): Inferred {
  if (profile.values === 0) return { kind: 'excluded', why: 'it has no values' };
  const { numbers, isBeyondCounting } = profile;
  const marks = marksIn(profile);
  const values = profile.values - marks.rows;
  const distinct = profile.distinct - marks.distinct;
  const isNumeric = numbers === values && values > 0;
  const { format } = profile.ofMoments;
  const moments = format !== null && areLikelyDates(profile.labels, format) ? profile.moments : 0;
  const areMoments = moments === values && values > 0;
  if (isNumeric && distinct > 2) {
    const asLabels = labelsOfNumbers(profile, judging);
    if (asLabels !== null) return asLabels;
  }
  const whole = areMoments ? null : wholeDatesOf(profile, name);
  if (whole !== null && whole.misfits === 0 && distinct > 2) return wholeDates(whole, marks, judging);
  const areDistinct = profile.holes + marks.rows === 0 && (isBeyondCounting || distinct === values);
  if (isNumeric && !areMoments && profile.ofNumbers.isCounting && areDistinct && values >= COUNTING_ROWS)
    return { kind: 'excluded', why: 'it counts the rows' };
  if (
    isNumeric &&
    profile.ofNumbers.isRising &&
    areDistinct &&
    values >= RISING_ROWS &&
    IDENTIFIERS.some((pattern) => pattern.test(name))
  )
    return { kind: 'excluded', why: 'it numbers the rows: its numbers rise, and none comes twice' };
  if (profile.distinct === 2 && !isBeyondCounting) return { kind: 'binary' };
  if (isNumeric || areMoments) return ordered(profile, name, judging);
  const areCodes = profile.codes > 0 && numbers + profile.codes === values;
  const areMostlyNumbers = numbers * 10 > values * 9 && profile.ofNumbers.byNumber.size > FEW_DISTINCT;
  const areMostlyMoments = moments * 10 > values * 9 && distinct > FEW_DISTINCT;
  if (!areCodes && (areMostlyNumbers || areMostlyMoments))
    return withThousands(profile, judging) ?? ordered(profile, name, judging);
  const inForm = distinct > 2 && !areCodes ? inWrittenForm(profile, judging) : null;
  if (inForm !== null) return inForm;
  const areOddMoments = moments > 0 && profile.ofMoments.ofAnyFormat * 10 > values * 9 && distinct > FEW_DISTINCT;
  if (judging.isStrict === true && areOddMoments) throw oddMoment(profile, name, judging);
  if (profile.areMostlyDistinct && profile.distinct > ALWAYS_LABELS)
    return { kind: 'excluded', why: whyUnlikely(profile) ?? whyDistinct(profile.labels) };
  return { kind: 'categorical' };
}

/** Cells that mark missing values among numbers: how many, how many distinct ones, and the first. */
interface Marks {
  readonly rows: number;
  readonly distinct: number;
  readonly first: string | null;
}

function marksIn({ labels }: ColumnProfile): Marks {
  let [rows, distinct] = [0, 0];
  let first: string | null = null;
  for (const [text, count] of labels) {
    if (!isMarkAmongNumbers(text)) continue;
    rows += count;
    distinct++;
    first ??= text;
  }
  return { rows, distinct, first };
}

function marksAre({ rows, first }: Marks): string[] {
  if (rows === 0) return [];
  return [
    `${rows === 1 ? '1 cell counts' : `${rows.toLocaleString('en-US')} cells count`} as missing, as ${quote(first!)}`,
  ];
}

/**
 * Numbers that are names: all of digits, an E and digits; or several texts that are one number, where the file says
 * that they are text, as long as they are not too many for labels. Null of any others.
 */
function labelsOfNumbers(profile: ColumnProfile, { isTyped, wordFor = noWord }: Judging): Inferred | null {
  const { labels } = profile;
  const areTooMany = profile.areMostlyDistinct && profile.distinct > ALWAYS_LABELS;
  const [example = ''] = labels.keys();
  const otherwise = withWord(wordFor, 'if they are numbers, say that the column is ordered', 'types');
  if (areNamesWithAnE(labels.keys())) {
    if (areTooMany) return { kind: 'excluded', why: `its texts are mostly distinct: names, as ${quote(example)}` };
    return { kind: 'categorical', how: `texts as ${quote(example)} are labels; ${otherwise}` };
  }
  const merged = isTyped === true && !areTooMany ? mergedTexts(labels.keys()) : null;
  if (merged === null) return null;
  const texts = merged.map(quote).join(' and ');
  return { kind: 'categorical', how: `${texts} are one number, and stay labels since the file has text; ${otherwise}` };
}

/** Whole numbers that are all dates or times of day. */
function wholeDates(whole: WholeDates, marks: Marks, { wordFor = noWord }: Judging): Inferred {
  const { format, many, example, means } = whole;
  const otherwise = withWord(wordFor, 'if they are plain numbers, say that the column is ordered', 'types');
  const how = [`${many} as ${quote(example)} are read as ${means}; ${otherwise}`, ...marksAre(marks)].join('; ');
  return { kind: 'ordered', format, how, ...(marks.rows > 0 && { hasMissing: true }) };
}

/**
 * Numbers, dates or times, of which some cells may be none.
 *
 * @throws DatasetError where it is strict, and where the name of the column is one of them
 */
function ordered(profile: ColumnProfile, name: string, judging: Judging): Inferred {
  const { numbers, moments, firstWord } = profile;
  const { firstOther, firstOtherZone } = profile.ofMoments;
  const marks = marksIn(profile);
  const values = profile.values - marks.rows;
  const areMoments = moments > numbers;
  const misfits = values - (areMoments ? moments : numbers);
  const isOdd = misfits > 0 || (areMoments && firstOtherZone !== null);
  if (isOdd && (firstWord?.text === name || judging.isStrict === true))
    throw areMoments ? oddMoment(profile, name, judging) : wordAmongNumbers(profile, name, judging);
  const first = areMoments ? firstOther : firstWord;
  const such = first === null || isMarkAmongNumbers(first.text) ? '' : `, as ${quote(first.text)} in row ${first.row}`;
  const merged = areMoments ? null : mergedInForce(profile, judging);
  const parts = [
    ...(merged === null ? [] : [merged]),
    ...(misfits > 0 ? [misfitsAre(misfits, areMoments ? momentWord(profile) : 'numbers', such)] : []),
    ...marksAre(marks),
    ...(areMoments && firstOtherZone !== null ? ['times in several zones are read, and written, as UTC'] : []),
    ...(areMoments && hasNanoseconds(profile.ofMoments.format) ? [TO_THE_MICROSECOND] : []),
    ...(areMoments ? clocksAre(profile, name) : []),
  ];
  const format = areMoments ? momentFormatOfColumn(profile, name) : null;
  const hasMissing = misfits + marks.rows > 0;
  return {
    kind: 'ordered',
    ...(format !== null && { format }),
    ...(parts.length > 0 && { how: parts.join('; ') }),
    ...(hasMissing && { hasMissing }),
  };
}

/** Of more distinct numbers, several texts of one are how a program writes it rather than names. */
const MOST_MERGED = 100;
const WHOLE_WITH_POINT = /^[-+]?\d+\.0+$/;

/** What is said where several texts become one number. */
function mergedInForce({ labels, isBeyondCounting }: ColumnProfile, { wordFor = noWord }: Judging): string | null {
  if (isBeyondCounting || labels.size > MOST_MERGED) return null;
  // 0 beside 0.0, and of many numbers 1 beside 1.0, are a program's ways to write them
  const mayBeName = (text: string): boolean =>
    numberFromText(text) !== 0 && (labels.size <= FEW_DISTINCT || !WHOLE_WITH_POINT.test(text));
  const texts = mergedTexts([...labels.keys()].filter(mayBeName));
  if (texts === null) return null;
  const otherwise = withWord(wordFor, 'if they are names, say that the column is categorical', 'types');
  return `${texts.map(quote).join(' and ')} are read as one number; ${otherwise}`;
}

const TO_THE_MICROSECOND = 'nanoseconds are read, and written, to the microsecond';

function hasNanoseconds(format: MomentFormat | null): boolean {
  if (format === null || format.type === 'duration') return false;
  return ((format.type === 'date' ? format.time : format)?.fraction?.zeros ?? 0) > 0;
}

/**
 * Plain numbers of which the few largest have thousands, or the few below 0 brackets: null of any others. They would be
 * missing, and they are the ones that count.
 */
function withThousands(profile: ColumnProfile, judging: Judging): Inferred | null {
  const format = profile.written.most(judging.dates)?.form.format;
  if (format?.type !== 'number' || format.written === undefined) return null;
  const { prefix, suffix } = format.written;
  return prefix === '' && suffix === '' ? inWrittenForm(profile, judging) : null;
}

/**
 * Numbers and dates as people write them, `$1,046.75`, `4.8%`, `03/04/2025`: null where nine in ten cells are not
 * written in one such way, plain numbers among them, or where only labels fit (few distinct ones, of which some are not
 * numbers).
 *
 * @param isSaid whether the column was said to be ordered: then dates need not be likely
 * @throws DatasetError where it is strict and cells are not written so
 */
function inWrittenForm(
  profile: ColumnProfile,
  { isStrict, where, wordFor = noWord, dates }: Judging,
  isSaid = false,
): Inferred | null {
  const { labels } = profile;
  const marks = marksIn(profile);
  const values = profile.values - marks.rows;
  const distinct = profile.distinct - marks.distinct;
  const found = profile.written.most(dates, ({ format }) => isSaid || areLikelyDates(labels, format));
  if (found === null) return null;
  const { form, isEither } = found;
  const { format, fitting, bare, misfit } = formOfColumn(profile, form);
  const misfits = values - fitting;
  if (misfits > 0 && (fitting * 10 <= values * 9 || distinct <= FEW_DISTINCT)) return null;
  const what = format.type === 'number' ? 'numbers' : 'dates';
  if (misfits > 0 && isStrict === true)
    throw new DatasetError('value', {
      got: `${misfits} of ${values} cells that are not written as ${quote(form.example)}`,
      expected: `${what} written alike, or labels`,
      where,
      remedy: correctOrSay(wordFor),
    });
  const otherOrder = format.type === 'date' && format.written?.order === 'dmy' ? 'mdy' : 'dmy';
  const other = withWord(wordFor, `if day and month are the other way round, say ${otherOrder}`, 'dates');
  const parts = [
    `${what} as ${quote(form.example)} are read as ${form.means}${isEither && dates === undefined ? `; ${other}` : ''}`,
    ...(bare > 0 ? [bareAre(profile, bare, format)] : []),
    ...(misfits > 0 ? [misfitsAre(misfits, what, misfit === null ? '' : `, as ${quote(misfit)}`)] : []),
    ...marksAre(marks),
  ];
  return { kind: 'ordered', format, how: parts.join('; '), ...(misfits + marks.rows > 0 && { hasMissing: true }) };
}

/** Numbers without the signs that others have; where they may be shares of 1 beside per cents, it is said. */
function bareAre({ ofNumbers }: ColumnProfile, bare: number, format: OrderedFormat): string {
  const { prefix, suffix } = (format.type === 'number' ? format.written : undefined) ?? { prefix: '', suffix: '' };
  const sign = `${prefix}${suffix}`.trim();
  const cells = bare === 1 ? '1 cell has' : `${bare.toLocaleString('en-US')} cells have`;
  const alike = `${cells} no ${quote(sign)} and ${bare === 1 ? 'is' : 'are'} read as if ${bare === 1 ? 'it' : 'they'} had it`;
  const numbers = ofNumbers.byNumber;
  const fraction = [...numbers.keys()].find((number) => !Number.isInteger(number));
  const areShares = fraction !== undefined && [...numbers.keys()].every((number) => Math.abs(number) <= 1);
  if (!(sign === '%' || sign === '‰') || !areShares) return alike;
  const whole = Number((fraction * (sign === '%' ? 100 : 1000)).toPrecision(12));
  return `${alike}: ${fraction} is ${fraction}${suffix}; if it means ${whole}${suffix}, write all cells alike`;
}

/** @param such an example, and where it is: `, as "n/k" in row 7` */
function misfitsAre(misfits: number, what: string, such: string): string {
  const cells = misfits === 1 ? '1 cell is' : `${misfits.toLocaleString('en-US')} cells are`;
  return `${cells} not read as ${what}${such}: missing`;
}

/** How columns of lengths of time are called. */
const LENGTHS = /duration|elapsed|length|worked|spent|run_?time|lap_?time|total_?time/i;

/** Clocks as 7:08:00 of a column that is called as a length of time: no time of day is written without a zero. */
function areLengths({ ofMoments: { format } }: ColumnProfile, name: string): boolean {
  const isOfClocks = format?.type === 'time' && format.seconds && format.clock?.padded === false;
  return isOfClocks && format.clock?.morning === '' && LENGTHS.test(name);
}

/** The format of a column of dates, times or durations. */
function momentFormatOfColumn(profile: ColumnProfile, name: string): MomentFormat | null {
  const { format, formatOfColumn } = profile.ofMoments;
  return format?.type === 'time' && areLengths(profile, name) ? durationFormatOfTimes(format) : formatOfColumn;
}

/** What is said of clocks that may be times of day, and are durations. */
function clocksAre(profile: ColumnProfile, name: string): string[] {
  const { labels, ofMoments } = profile;
  const [first = ''] = labels.keys();
  if (areLengths(profile, name)) return [`clocks as ${quote(first)} are read as durations, as the name says`];
  const { format } = ofMoments;
  if (format?.type !== 'duration' || format.clock === undefined) return [];
  const units = format.clock.seconds ? '' : ' of hours and minutes';
  const beyond = [...labels.keys()].find((text) => timeFormatOf(text) === null && durationFormatOf(text) !== null);
  return [`clocks are read as durations${units}, since some are no times of day, as ${quote(beyond ?? first)}`];
}

function momentWord({ ofMoments: { format } }: ColumnProfile): string {
  return ({ date: 'dates', time: 'times', duration: 'durations' } as const)[format?.type ?? 'date'];
}

/** Digits with signs around or between them: 1,234.50 € and 12 %. */
const DECORATED = /^[-+(]?\s*\p{Sc}?\s*[-+]?\d[\d.,'_\s]*(?:[eE][-+]?\d+)?\s*(?:%|‰|\p{Sc})?\s*\)?$/u;
const DIGITS = /^\d+$/;
const OTHER_DATE = /^\d{1,4}[./-]\d{1,2}[./-]\d{1,4}(?:\D|$)/;

const OTHER_TIME = /^\d{1,3}:\d\d(?::\d\d(?:[.,]\d+)?)?\s*(?:[ap]\.?m\.?)?(?:Z|[+-]\d\d:?\d\d)?$/i;
const TIMES_READ = 'times of day from 00:00 to 23:59, written as 08:30, 8:30 PM or 08:30:00.25';

/** Why texts that are written as dates are not read as such; null of any others. */
function whyUnlikely({ written, labels, ofMoments }: ColumnProfile): string | null {
  const format = ofMoments.format ?? written.most(undefined)?.form.format ?? null;
  const years = format === null ? null : yearsFarApart(labels, format);
  if (years === null) return null;
  return `its texts are mostly distinct: names, or dates whose years, ${years[0]} to ${years[1]}, are too far apart to be read as such`;
}

/** What texts seem to be that are too many for labels. */
function whyDistinct(labels: ReadonlyMap<string, number>): string {
  const texts = [...labels.keys()];
  const mostly = (pattern: RegExp): boolean =>
    texts.filter((text) => pattern.test(text)).length * 10 > texts.length * 9;
  const such = `as ${quote(texts[0]!)}`;
  if (mostly(DIGITS)) {
    const code = texts.find((text) => text.startsWith('0')) ?? texts[0]!;
    return `its values are codes, as ${quote(code)}, and mostly distinct: digits that begin with a zero are not read as numbers`;
  }
  if (mostly(OTHER_DATE))
    return `its texts are mostly distinct and seem to be dates, ${such}: those written as 2026-01-31 or 1/31/2026, all alike, are read as dates`;
  if (mostly(OTHER_TIME))
    return `its texts are mostly distinct and seem to be times, ${such}: only ${TIMES_READ}, all alike, are read as times`;
  if (mostly(DECORATED))
    return `its texts are mostly distinct and seem to be numbers, ${such}: those of digits, a point and an exponent alone, up to 1e300, are read as numbers`;
  return 'its texts are mostly distinct: names or free text';
}

type Word = OptionWord<TableOptionName>;

function correctOrSay(wordFor: Word): string {
  const hole = withWord(wordFor, 'say that it marks a missing value', 'missing');
  return `Correct the cell, ${hole}, or ${withWord(wordFor, 'that the column is categorical', 'types')}.`;
}

function wordAmongNumbers(
  { firstWord, numbers, values }: ColumnProfile,
  name: string,
  { where, wordFor = noWord }: Judging,
): DatasetError {
  const { row, text } = firstWord!;
  if (text === name)
    return new DatasetError('header', {
      got: `the name of the column as its value in row ${row}`,
      expected: 'names on line 1 alone',
      where: `${where}, column ${quote(name)}`,
      remedy: 'Remove the lines on which the names come again.',
    });
  return new DatasetError('value', {
    got: `${quote(text)} in row ${row} and ${numbers} numbers in ${values} cells`,
    expected: 'numbers or labels',
    where: `${where}, column ${quote(name)}`,
    remedy: correctOrSay(wordFor),
  });
}

function oddMoment(profile: ColumnProfile, name: string, { where, wordFor = noWord }: Judging): DatasetError {
  const { firstOther, firstOtherZone, ofAnyFormat, firstFormat } = profile.ofMoments;
  const { row, text } = (firstOther ?? firstOtherZone)!;
  const written = momentFormatOf(text);
  // 24:00 is no time of day
  const format = written !== null && isLong(written) ? null : written;
  const column = `${where}, column ${quote(name)}`;
  const { type } = firstFormat!;
  const what = `${type}s`;
  const alike = {
    date: 'dates in one format and one zone',
    time: 'times of day in one format',
    duration: 'durations',
  }[type];
  if (format !== null)
    return new DatasetError('value', {
      got: `${quote(text)} in row ${row}, written as ${momentPattern(format)}`,
      expected: `${alike}: those before it are written as ${momentPattern(firstFormat!)}`,
      where: column,
      remedy: `Write all alike, or ${withWord(wordFor, 'say that the column is categorical or excluded', 'types')}.`,
    });
  return new DatasetError('value', {
    got: `${quote(text)} in row ${row} and ${ofAnyFormat} ${what} in ${profile.values} cells`,
    expected: type === 'time' ? `${TIMES_READ}, or labels` : `${what} or labels`,
    where: column,
    remedy: correctOrSay(wordFor),
  });
}

/**
 * What becomes of a column that is said to be of a kind.
 *
 * @throws DatasetError `value` where no cell is a number, a date or a time that should be, and for more than two labels
 * where there may be two; where it is strict, for cells that do not fit
 */
export function kindAsSaid(
  kind: Exclude<Kind, 'excluded'>,
  profile: ColumnProfile,
  name: string,
  judging: Judging,
): Inferred {
  const { numbers, moments, labels, distinct, firstWord, values } = profile;
  const { where, wordFor = noWord } = judging;
  const column = `${where}, column ${quote(name)}`;
  if (kind === 'ordered' && values > 0) {
    const inForm = numbers < values && moments < values ? inWrittenForm(profile, judging, true) : null;
    if (inForm !== null) return inForm;
    if (numbers > 0 || moments > 0) return ordered(profile, name, judging);
    throw new DatasetError('value', {
      got: `${quote(firstWord?.text ?? '')} in row ${firstWord?.row ?? 1}`,
      expected: 'a number, or a date or time in the format of the others',
      where: column,
      remedy: correctOrSay(wordFor),
    });
  }
  if (kind === 'binary' && distinct > 2)
    throw new DatasetError('value', {
      got: `${[...labels.keys()].slice(0, 3).map(quote).join(', ')}${distinct > 3 ? ' and more' : ''}`,
      expected: 'two labels',
      where: column,
      remedy: `Correct the cells, or ${withWord(wordFor, 'say that the column is categorical or ordered', 'types')}.`,
    });
  return { kind };
}
