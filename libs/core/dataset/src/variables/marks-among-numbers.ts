import type { Variable } from '@orchard/contracts';
import type { RawCell } from '../table-files/raw-table.js';
import { MISSING_MARKS } from '../table-files/table-options.js';

/**
 * What programs and people write for "no number", and what may be a label elsewhere: of databases and spreadsheets,
 * infinities (a division by zero), dashes and points. Among numbers, dates and times they are missing values; a column
 * of labels keeps them as labels.
 */
const MARKS: ReadonlySet<string> = new Set([
  // of a text file these are missing values anywhere; files with types have them as texts
  ...MISSING_MARKS,
  ...['\\N', 'N.A.', 'N.A', 'n.a.', 'n.a', 'na', 'Na', 'N/a', 'none', 'NONE', 'Null', 'nil', 'NIL', '(null)', 'NAN'],
  ...['#DIV/0!', '#VALUE!', '#REF!', '#NAME?', '#NUM!', '#NULL!', '1.#IND', '-1.#IND', '1.#QNAN', '-1.#QNAN', '-nan'],
  ...['inf', '-inf', '+inf', 'Inf', '-Inf', 'INF', '-INF', '1.#INF', '-1.#INF'],
  ...['Infinity', '-Infinity', '+Infinity', '\u221e', '-\u221e'],
  ...['-', '--', '---', '\u2013', '\u2014', '\u2212', '.', '..', '...', '\u2026', '*', '**', '-.-', '/'],
]);

/** Whether a cell marks a missing value where numbers, dates or times are. */
export function isMarkAmongNumbers(cell: RawCell | undefined): boolean {
  return typeof cell === 'string' && cell.length <= LONGEST && (MARKS.has(cell) || BLANK.test(cell));
}

const LONGEST = 9;
/** Of spaces that are not those of a keyboard, as web pages have them. */
const BLANK = /^\s+$/u;

/** Whether a cell marks a missing value in a column of a table, beside those that are none. */
export function isMarkIn({ kind }: Variable, cell: RawCell | undefined): boolean {
  return kind === 'ordered' && isMarkAmongNumbers(cell);
}
