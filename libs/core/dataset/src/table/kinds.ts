import { DatasetError, quote } from '../errors.js';
import { noWord, withWord, type OptionWord } from '../reading/option-words.js';
import type { TableOptionName } from '../table-files/table-options.js';
import { momentFormatOf, momentPattern } from '../variables/moment-format.js';
import type { ColumnProfile } from './column-profile.js';

/** What a column can be said to be. */
export const KINDS = ['binary', 'categorical', 'ordered', 'excluded'] as const;
export type Kind = (typeof KINDS)[number];

/** What a column is taken for, and why, where that needs saying. */
export type Inferred =
  { readonly kind: 'binary' | 'categorical' | 'ordered' } | { readonly kind: 'excluded'; readonly why: string };

/** Up to so many distinct texts are labels, however few rows there are. */
const ALWAYS_LABELS = 10;
/** Fewer rows may count up by chance. */
const COUNTING_ROWS = 3;
/** Of more distinct cells, nine in ten of which are numbers, dates or times, the others are taken for mistakes. */
const FEW_DISTINCT = 20;

/**
 * The kind of a column from all that is in it:
 *
 * | the cells are                                          | kind        |
 * |--------------------------------------------------------|-------------|
 * | holes alone                                            | excluded    |
 * | whole numbers that count the rows                      | excluded    |
 * | two distinct values                                    | binary      |
 * | numbers, dates in one format and zone, or times of day in one format | ordered |
 * | texts of which more than half are distinct             | excluded    |
 * | other texts                                            | categorical |
 *
 * @throws DatasetError `value` for words among so many numbers, dates or times that one of both must be a mistake, and for dates or times in several formats
 */
export function inferKind(profile: ColumnProfile, name: string, where: string, wordFor: Word = noWord): Inferred {
  const { values, numbers, moments, distinct, isBeyondCounting } = profile;
  if (values === 0) return { kind: 'excluded', why: 'it has no values' };
  const isNumeric = numbers === values;
  const areMoments = moments === values && profile.momentFormat !== null;
  const areDistinct = profile.holes === 0 && (isBeyondCounting || distinct === values);
  if (isNumeric && !areMoments && profile.isCounting && areDistinct && values >= COUNTING_ROWS)
    return { kind: 'excluded', why: 'it counts the rows' };
  if (distinct === 2 && !isBeyondCounting) return { kind: 'binary' };
  if (isNumeric || areMoments) return { kind: 'ordered' };
  if (numbers * 10 > values * 9 && profile.byNumber.size > FEW_DISTINCT)
    throw wordAmongNumbers(profile, name, where, wordFor);
  if (profile.momentsOfAnyFormat * 10 > values * 9 && distinct > FEW_DISTINCT)
    throw oddMoment(profile, name, where, wordFor);
  if (profile.areMostlyDistinct && distinct > ALWAYS_LABELS)
    return { kind: 'excluded', why: whyDistinct(profile.labels) };
  return { kind: 'categorical' };
}

/** Digits with signs around or between them: 1,234.50 € and 12 %. */
const DECORATED = /^[-+(]?\s*\p{Sc}?\s*[-+]?\d[\d.,'_\s]*(?:[eE][-+]?\d+)?\s*(?:%|‰|\p{Sc})?\s*\)?$/u;
const OTHER_DATE = /^\d{1,4}[./-]\d{1,2}[./-]\d{1,4}(?:\D|$)/;

const OTHER_TIME = /^\d{1,3}:\d\d(?::\d\d(?:[.,]\d+)?)?\s*(?:[ap]\.?m\.?)?(?:Z|[+-]\d\d:?\d\d)?$/i;
const TIMES_READ = 'times of day from 00:00 to 23:59, written as 08:30, 08:30:00 or 08:30:00.25';

/** What texts seem to be that are too many for labels. */
function whyDistinct(labels: ReadonlyMap<string, number>): string {
  const texts = [...labels.keys()];
  const mostly = (pattern: RegExp): boolean =>
    texts.filter((text) => pattern.test(text)).length * 10 > texts.length * 9;
  const such = `as ${quote(texts[0]!)}`;
  if (mostly(OTHER_DATE))
    return `its texts are mostly distinct and seem to be dates, ${such}: those written as 2026-01-31, all in one zone, are read as dates`;
  if (mostly(OTHER_TIME))
    return `its texts are mostly distinct and seem to be times, ${such}: only ${TIMES_READ}, all alike, are read as times`;
  if (mostly(DECORATED))
    return `its texts are mostly distinct and seem to be numbers, ${such}: those of digits, a point and an exponent alone, up to 1e300, are read as numbers`;
  return 'its texts are mostly distinct: names or free text';
}

type Word = OptionWord<TableOptionName>;

function correctOrSay(wordFor: Word): string {
  const hole = withWord(wordFor, 'say that it marks a hole', 'missing');
  return `Correct the cell, ${hole}, or ${withWord(wordFor, 'that the column is categorical', 'types')}.`;
}

function wordAmongNumbers(
  { firstWord, numbers, values }: ColumnProfile,
  name: string,
  where: string,
  wordFor: Word,
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

function oddMoment(profile: ColumnProfile, name: string, where: string, wordFor: Word): DatasetError {
  const { firstNoMoment, momentsOfAnyFormat, values, momentFormat, firstMomentFormat } = profile;
  const { row, text } = firstNoMoment!;
  const format = momentFormatOf(text);
  const column = `${where}, column ${quote(name)}`;
  const [what, alike] =
    firstMomentFormat!.type === 'date'
      ? ['dates', 'dates in one format and one zone']
      : ['times', 'times of day in one format'];
  if (format !== null && momentFormat !== null)
    return new DatasetError('value', {
      got: `${quote(text)} in row ${row}, written as ${momentPattern(format)}`,
      expected: `${alike}: those before it are written as ${momentPattern(momentFormat)}`,
      where: column,
      remedy: `Write all alike, or ${withWord(wordFor, 'say that the column is categorical or excluded', 'types')}.`,
    });
  return new DatasetError('value', {
    got: `${quote(text)} in row ${row} and ${momentsOfAnyFormat} ${what} in ${values} cells`,
    expected: what === 'dates' ? 'dates or labels' : `${TIMES_READ}, or labels`,
    where: column,
    remedy: correctOrSay(wordFor),
  });
}

/**
 * Whether a column can be what it is said to be.
 * @throws DatasetError `value` for words among numbers, dates or times, and for more than two labels where there may be two
 */
export function checkSaid(
  kind: Kind,
  profile: ColumnProfile,
  name: string,
  where: string,
  wordFor: Word = noWord,
): void {
  const { values, numbers, moments, momentFormat, labels, distinct, firstWord } = profile;
  const column = `${where}, column ${quote(name)}`;
  const areMoments = moments === values && momentFormat !== null;
  if (kind === 'ordered' && numbers < values && !areMoments) {
    if (profile.momentsOfAnyFormat > numbers) throw oddMoment(profile, name, where, wordFor);
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
}
