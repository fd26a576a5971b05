import { isNumber } from '../../bit-files/number-text.js';
import { cutText } from './cells.js';

/**
 * Delimiters that are recognised in the text, the surest first: a comma may be a decimal's, and blanks occur in any
 * text.
 */
const CANDIDATES = ['\t', ';', '|', ',', ' '] as const;

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
  /** Of the rows, those as wide as the others. */
  readonly agreeing: number;
  /** Whether the rows end at a quote that no text of this delimiter has. */
  readonly isBroken: boolean;
}

/**
 * The delimiter of a text by its first rows: the one that cuts all of them into the same number of cells, two or more
 * (a first row may lack one cell: the name of R's row names). What stands in quotes does not count. Where none cuts all
 * rows alike, the one that cuts most of them, so that the row that differs is refused; where none cuts the first row,
 * the table has one column, and null is returned.
 */
export function sniffDelimiter(text: Buffer, isWhole: boolean): string | null {
  const cuts = CANDIDATES.map((delimiter) => cut(text, delimiter, isWhole));
  const whole = cuts.find(
    (each) => isWide(each) && each.agreeing === each.rows.length && !each.isBroken && isPlausible(each),
  );
  if (whole) return whole.delimiter;
  const [best] = cuts
    .filter((each) => isWide(each) && each.delimiter !== ' ' && each.agreeing > each.rows.length / 2)
    .sort(
      (left, right) =>
        right.agreeing / right.rows.length - left.agreeing / left.rows.length || right.agreeing - left.agreeing,
    );
  return best?.delimiter ?? null;
}

function cut(text: Buffer, delimiter: string, isWhole: boolean): Cut {
  const { rows, isBroken } = cutText(text, delimiter, isWhole, SNIFFED_ROWS);
  const width = rows[1]?.length ?? rows[0]?.length ?? 0;
  const isFirst = (row: readonly string[], i: number): boolean => i === 0 && row.length === width - 1;
  const agreeing = rows.filter((row, i) => row.length === width || isFirst(row, i)).length;
  return { delimiter, rows, agreeing, isBroken };
}

function isWide({ rows }: Cut): boolean {
  return (rows[1]?.length ?? rows[0]?.length ?? 0) > 1;
}

/** Blanks separate cells where a column of numbers comes of it; otherwise they may as well stand between words. */
function isPlausible({ delimiter, rows }: Cut): boolean {
  if (delimiter !== ' ') return true;
  const below = rows.length > 1 ? rows.slice(1) : rows;
  return below[0]!.some((_, column) => below.every((row) => isNumber(row[column] ?? '')));
}
