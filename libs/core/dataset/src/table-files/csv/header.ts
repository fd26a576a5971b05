import { listNames } from '../../rows/columns.js';
import { DatasetError } from '../../errors.js';
import { isNumber } from '../../bit-files/number-text.js';
import { withWord } from '../../reading/option-words.js';
import { readWrittenNumber } from '../../variables/written-number.js';
import type { TableContext } from '../table-options.js';

const DATE = /^\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}([ T]\d|$)/;
const TIME = /^\d\d:\d\d(:\d\d(\.\d{1,6})?)?$/;
const TRUTH = /^(true|false|yes|no)$/i;
const YEAR = /^(1[6-9]|20|21)\d\d$/;
/** Rows below from which on a number is far from those of its column. */
const FEW_ROWS = 3;

type Verdict = 'plainly names' | 'names' | 'values' | 'either';
type Rows = readonly (readonly string[])[];
type CellKind = 'empty' | 'missing' | 'number' | 'date' | 'time' | 'truth' | 'word';

/**
 * Whether row 1 holds names, judged by it and the rows below where the caller does not say. A value is a number, a
 * date, a time of day, or true, false, yes, no; what else is there is a word. A value is one of its column where the
 * rows below have values of its kind; where they have others (a date over numbers, as in a timetable) it is as good a
 * name as a word. A number is strange to its column where that has none, where it is a year over none, or where it is
 * farther from those below than they are from each other.
 *
 * | row 1                                                               | is                      |
 * |---------------------------------------------------------------------|-------------------------|
 * | a word over a column of values                                      | names, plainly where all are words and none comes twice |
 * | words and numbers, a word again below in its own column             | values                  |
 * | words and numbers that count up (1999, 2000, 2001)                  | names                   |
 * | words and numbers, all strange to their columns: years, two or more | names                   |
 * | ... some strange, or rising or falling years                        | either: refused         |
 * | ... none strange                                                    | values, but either where a word is over values |
 * | no word, but 0, 1, 2, ... or 1, 2, 3, ... (3 and more; as pandas numbers columns) | names     |
 * | no word, but rising or falling years, over columns without any      | names                   |
 * | no word, but 3 and more rising or falling numbers, all strange      | either                  |
 * | no word                                                             | values                  |
 * | words over words, none again below in its own column                | names, but either where one comes twice |
 * | other words                                                         | values                  |
 *
 * @returns whether it is one, and whether that is a guess, which is to be said
 * @throws DatasetError with code `header` where that cannot be decided.
 */
export function headerOf(
  context: TableContext,
  first: readonly string[],
  below: Rows,
  line: number,
): 'plain' | 'guessed' | 'none' {
  if (context.header !== 'auto') return context.header ? 'plain' : 'none';
  const verdict = judge(context, first, below);
  if (verdict === 'either')
    throw new DatasetError('header', {
      got: `the cells ${listNames(first)}`,
      expected: 'names or values, plainly',
      where: `${context.name}, line ${line}`,
      remedy: `${withWord(context.wordFor, `Say whether line ${line} holds names`, 'header')}.`,
    });
  return verdict === 'plainly names' ? 'plain' : verdict === 'names' ? 'guessed' : 'none';
}

export function isPlainlyNames(context: TableContext, row: readonly string[], below: Rows): boolean {
  return judge(context, row, below) === 'plainly names';
}

export function seemsNames(context: TableContext, row: readonly string[], below: Rows): boolean {
  return ['plainly names', 'names'].includes(judge(context, row, below));
}

/** Whether a text is a value, and no word that could be a name alone. */
export function isValue(text: string): boolean {
  return !['word', 'empty'].includes(kindOf(text, NO_MARKS));
}

/** A cell of row 1, and those below it. */
interface FirstCell {
  readonly text: string;
  readonly kind: CellKind;
  readonly below: readonly string[];
  readonly kindsBelow: ReadonlySet<CellKind>;
}

function judge({ missing }: TableContext, first: readonly string[], below: Rows): Verdict {
  // a header that comes again, as where files were put together, says nothing of what is below it
  const rows = first.length === 1 ? below : below.filter((row) => !isSameRow(row, first));
  const cells = first.map((text, column): FirstCell => {
    const own = rows.map((row) => row[column] ?? '').filter((cell) => !missing.has(cell));
    return {
      text,
      kind: kindOf(text, missing),
      below: own,
      kindsBelow: new Set(own.map((cell) => kindOf(cell, NO_MARKS))),
    };
  });
  const named = cells.filter(isNameLike);
  const numbers = cells.filter(({ kind }) => kind === 'number');
  if (named.length === 0) return withoutWord(cells, numbers);
  const isOverValues = named.some(
    ({ kindsBelow }) => kindsBelow.size > 0 && !kindsBelow.has('word') && !kindsBelow.has('empty'),
  );
  const areDistinct = new Set(named.map(({ text }) => text)).size === named.length;
  const comesAgain = named.some(({ text, below: own }) => own.includes(text));
  if (numbers.length > 0) return comesAgain ? 'values' : besideWords(numbers, isOverValues);
  if (isOverValues) {
    // pandas leaves the name of an index empty
    const all = cells[0]!.kind === 'empty' ? cells.length - 1 : cells.length;
    return named.length === all && areDistinct ? 'plainly names' : 'names';
  }
  if (comesAgain || cells.some((cell) => cell.kind !== 'empty' && !isNameLike(cell))) return 'values';
  return areDistinct ? 'names' : 'either';
}

function withoutWord(cells: readonly FirstCell[], numbers: readonly FirstCell[]): Verdict {
  // pandas leaves the name of an index empty
  const counted = cells[0]!.kind === 'empty' ? cells.slice(1) : cells;
  const texts = counted.map(({ text }) => text);
  if (texts.length >= 3 && /^[01]$/.test(texts[0]!) && countsUp(texts)) return 'names';
  if (numbers.length < counted.length || !isMonotone(numbers)) return 'values';
  const areYears = numbers.length >= 2 && numbers.every(({ text }) => YEAR.test(text));
  if (areYears && numbers.every(isStrange)) return 'names';
  return numbers.length >= 3 && numbers.every(isStrange) ? 'either' : 'values';
}

function besideWords(numbers: readonly FirstCell[], isOverValues: boolean): Verdict {
  const isSeries = numbers.length >= 2 && isMonotone(numbers);
  const areYears = numbers.every(({ text }) => YEAR.test(text));
  const strange = numbers.filter(isStrange).length;
  if (numbers.length >= 2 && countsUp(numbers.map(({ text }) => text)))
    return numbers.length >= 3 || isOverValues || strange === numbers.length ? 'names' : 'either';
  if (strange === numbers.length) return areYears || numbers.length >= 2 ? 'names' : 'either';
  if (strange > 0 || isOverValues || (isSeries && areYears)) return 'either';
  return areYears && !numbers.every(isAmongYears) ? 'either' : 'values';
}

/** Whether a cell may be a name: a word, or a value of a kind that its column does not have. */
function isNameLike({ kind, kindsBelow }: FirstCell): boolean {
  if (kind === 'word') return true;
  return ['date', 'time', 'truth'].includes(kind) && kindsBelow.size > 0 && !kindsBelow.has(kind);
}

/** Whether a number is none of its column. */
function isStrange({ text, below }: FirstCell): boolean {
  const numbers = below.map(numberOf).filter((number) => !Number.isNaN(number));
  if (numbers.length === 0) return below.length > 0;
  if (YEAR.test(text) && !below.some((cell) => YEAR.test(cell))) return true;
  let least = Infinity;
  let greatest = -Infinity;
  for (const number of numbers) {
    least = Math.min(least, number);
    greatest = Math.max(greatest, number);
  }
  const value = numberOf(text);
  const away = Math.max(least - value, value - greatest);
  return numbers.length >= FEW_ROWS && greatest > least && away > greatest - least;
}

function isAmongYears({ below }: FirstCell): boolean {
  return below.every((cell) => YEAR.test(cell));
}

function isMonotone(numbers: readonly FirstCell[]): boolean {
  const values = numbers.map(({ text }) => numberOf(text));
  const rises = values.every((value, i) => i === 0 || value > values[i - 1]!);
  return rises || values.every((value, i) => i === 0 || value < values[i - 1]!);
}

function countsUp(texts: readonly string[]): boolean {
  return texts.every((text, i) => /^\d+$/.test(text) && Number(text) === Number(texts[0]) + i);
}

export function isSameRow(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((text, i) => text === other[i]);
}

const NO_MARKS: ReadonlySet<string> = new Set();

function kindOf(text: string, missing: ReadonlySet<string>): CellKind {
  if (text === '') return 'empty';
  if (missing.has(text)) return 'missing';
  if (isNumber(text)) return 'number';
  if (DATE.test(text)) return 'date';
  if (TIME.test(text)) return 'time';
  if (TRUTH.test(text)) return 'truth';
  return Number.isNaN(numberOf(text)) ? 'word' : 'number';
}

/** The number that a text is, as `1,046.75` too; NaN where it is none. */
function numberOf(text: string): number {
  if (isNumber(text)) return Number(text);
  return (readWrittenNumber(text, '.') ?? readWrittenNumber(text, ','))?.number ?? NaN;
}
