import { isNumber } from '../../bit-files/number-text.js';
import { USUAL_SYNTAX, type TextSyntax } from '../../reading/text-syntax.js';
import { cutText, type CutText } from './cells.js';

/**
 * Delimiters that are recognised in the text, the surest first: a comma may be a decimal's, and blanks occur in any
 * text.
 */
const CANDIDATES = ['\t', ';', '|', ',', ' '] as const;

export const SINGLE_QUOTE = 39;

/** Rows of the beginning that are looked at. */
export const SNIFFED_ROWS = 200;

const WORDS: Readonly<Record<string, string>> = {
  '\t': 'tabs',
  ';': 'semicolons',
  '|': 'vertical bars',
  ',': 'commas',
  ' ': 'blanks',
};

/** How a delimiter is called in a sentence: `semicolons`. */
export function delimiterWord(delimiter: string): string {
  return WORDS[delimiter] ?? JSON.stringify(delimiter);
}

interface Cut {
  readonly delimiter: string;
  readonly rows: readonly (readonly string[])[];
  /** Cells of most rows. */
  readonly width: number;
  /** Of the rows, those as wide as most. */
  readonly agreeing: number;
  /** Whether the rows end at a quote that no text of this delimiter has. */
  readonly isBroken: boolean;
}

/**
 * The delimiter of a text by its first rows: the one that cuts all of them into the same number of cells, two or more
 * (a first row may lack one cell: the name of R's row names). What stands in quotes does not count. Where none cuts all
 * rows alike, the one that cuts most of them, so that the row that differs is refused; where none cuts most rows, the
 * table has one column, and null is returned.
 */
export function sniffDelimiter(text: Buffer, isWhole: boolean, syntax: TextSyntax): string | null {
  const cuts = CANDIDATES.map((delimiter) => cut(text, delimiter, isWhole, syntax));
  const whole = cuts.find(
    (each) => each.width > 1 && each.agreeing === each.rows.length && !each.isBroken && isPlausible(each),
  );
  if (whole) return whole.delimiter;
  const [best] = cuts
    .filter((each) => each.width > 1 && each.delimiter !== ' ' && each.agreeing > each.rows.length / 2)
    .sort(
      (left, right) =>
        right.agreeing / right.rows.length - left.agreeing / left.rows.length || right.agreeing - left.agreeing,
    );
  return best?.delimiter ?? null;
}

function cut(text: Buffer, delimiter: string, isWhole: boolean, syntax: TextSyntax): Cut {
  const { rows, isBroken } = cutText(text, { ...syntax, delimiter: Buffer.from(delimiter) }, isWhole, SNIFFED_ROWS);
  const width = usualWidth(rows);
  const isFirst = (row: readonly string[], i: number): boolean => i === 0 && row.length === width - 1;
  const agreeing = rows.filter((row, i) => row.length === width || isFirst(row, i)).length;
  return { delimiter, rows, width, agreeing, isBroken };
}

/** How many cells most rows have; of two, the one that comes first below row 1. */
export function usualWidth(rows: readonly (readonly string[])[]): number {
  const counts = new Map<number, number>();
  for (const { length } of rows.length > 1 ? rows.slice(1) : rows) counts.set(length, (counts.get(length) ?? 0) + 1);
  let usual = 0;
  for (const [width, count] of counts) if (count > (counts.get(usual) ?? 0)) usual = width;
  return usual;
}

/**
 * Whether single quotes stand around cells: around all of row 1, or all of a column below it, and double ones around
 * none.
 */
export function isInSingleQuotes(text: Buffer, delimiter: string, isWhole: boolean, syntax: TextSyntax): boolean {
  const cutBy = (quote: number): CutText =>
    cutText(text, { ...syntax, quote, delimiter: Buffer.from(delimiter) }, isWhole, SNIFFED_ROWS);
  const single = cutBy(SINGLE_QUOTE);
  const [first = [], ...below] = single.quoted;
  const width = usualWidth(single.rows);
  const isTable = !single.isBroken && single.rows.every((row) => row.length === width);
  const isOfColumn = first.some((_, column) => below.length > 0 && below.every((row) => row[column]));
  if (!isTable || !(isOfColumn || (first.every(Boolean) && below.length > 0))) return false;
  return !cutBy(USUAL_SYNTAX.quote).quoted.some((row) => row.some(Boolean));
}

/** Blanks separate cells where a column of numbers comes of it; otherwise they may as well stand between words. */
function isPlausible({ delimiter, rows }: Cut): boolean {
  if (delimiter !== ' ') return true;
  const below = rows.length > 1 ? rows.slice(1) : rows;
  return below[0]!.some((_, column) => below.every((row) => isNumber(row[column] ?? '')));
}
