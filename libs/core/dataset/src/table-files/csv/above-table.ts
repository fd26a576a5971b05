import { DatasetError, quote } from '../../errors.js';
import { NO_BYTE } from '../../reading/text-syntax.js';
import { advise, sentences, withWord } from '../../reading/option-words.js';
import { listNames } from '../../rows/columns.js';
import type { TableContext } from '../table-options.js';
import type { CutText } from './cells.js';
import { isPlainlyNames, isSameRow, isValue, seemsNames } from './header.js';
import { usualWidth } from './sniff.js';

/** Lines that are looked at for what stands above a table. */
const MOST_ABOVE = 40;
const ESCAPED = 'If a backslash stands before delimiters that are text, say so';
/** What a line of remarks begins with. */
const REMARK = /^(#+|\/\/|%+|;|\*+|!|--)/;

/**
 * Refuses a text whose first lines are none of its table: a title, remarks. Such a line is narrower than the rows below
 * it, or holds nothing but empty cells where a line of names has none.
 *
 * @returns whether row 1 lacks the name of R's row names, and is the first of the table all the same
 * @throws DatasetError with code `header`, which names the lines
 */
export function refuseAbove(context: TableContext, { rows, lines }: CutText): boolean {
  const width = usualWidth(rows);
  if (width < 2) return false;
  const start = rows.findIndex(({ length }) => length === width);
  if (context.header === false || start < 0 || start > MOST_ABOVE) return false;
  const [first = []] = rows;
  const below = rows.slice(1).filter((row) => !isSameRow(row, first));
  if (start === 1 && first.length === width - 1) {
    if (context.header === true || hasRowNames(context, first, below)) return true;
    if (first.some(isValue)) return false;
    throw above(context, rows.slice(0, 1), lines[1]!, rows[1]);
  }
  const isNarrow = start > 0 && rows.slice(0, start).every(({ length }) => length < width);
  if (isNarrow && rows.length > start + 1 && !rows.slice(0, start).every((row) => row.every(isValue)))
    throw above(context, rows.slice(0, start), lines[start]!, rows[start]!);
  if (start > 0 || context.header === true) return false;
  const names = rows.slice(0, MOST_ABOVE).findIndex((row) => !row.includes(''));
  const isBelowTitle = names > 0 && isPlainlyNames(context, rows[names]!, rows.slice(names + 1));
  if (isBelowTitle && rows.slice(0, names).every((row) => row.filter((text) => text !== '').length < 2))
    throw above(context, rows.slice(0, names), lines[names]!);
  return false;
}

/**
 * What makes names that were guessed look like a title above the names of the table: one cell alone, or names that
 * stand below it.
 */
export function titleDoubt(
  context: TableContext,
  first: readonly string[],
  below: CutText['rows'],
  line: number,
): string | null {
  const remedy = withWord(context.wordFor, 'if it is a title above the names, skip it', 'skip');
  const [next = []] = below;
  if (first.length > 1 && next.length === first.length && isPlainlyNames(context, next, below.slice(1)))
    return `Line ${line} stands above words that seem names too: ${listNames(next)}; ${remedy}.`;
  const [alone = '', ...others] = first.filter((text) => text !== '');
  // pandas leaves the name of an index empty
  const isIndexed = first.length === 2 && first[0] === '';
  if (first.length < 2 || others.length > 0 || isIndexed) return null;
  return `Line ${line} has one cell alone, ${quote(alone)}; ${remedy}.`;
}

/** Whether the first column has R's row names: none of them twice, and none a name over the others. */
function hasRowNames(context: TableContext, first: readonly string[], below: CutText['rows']): boolean {
  const names = below.map(([name = '']) => name);
  if (new Set(names).size < names.length || names.includes('')) return false;
  const isRemark = first.some((text) => REMARK.test(text));
  return !isRemark && !first.some(isValue) && (below.length === 0 || !seemsNames(context, below[0]!, below.slice(1)));
}

/** @param wider the first row that is wider than these, where that is what they were known by */
function above(
  context: TableContext,
  rows: CutText['rows'],
  next: number,
  wider: readonly string[] = [],
): DatasetError {
  const { wordFor, name, syntax } = context;
  const texts = rows.map((row) => row.filter((text) => text !== '').join(' '));
  const marks = new Set(texts.map((text) => REMARK.exec(text)?.[1]));
  const [mark] = marks;
  const skipped = next === 2 ? 'Skip the first line' : `Skip the first ${next - 1} lines`;
  const isEscaped = syntax.escape === NO_BYTE && wider.some((text) => text.endsWith('\\'));
  const ways = [
    withWord(wordFor, skipped, 'skip'),
    marks.size === 1 && mark !== undefined
      ? advise(wordFor, `pass over all lines that begin with ${JSON.stringify(mark)}`, 'comment')
      : null,
    next === 2 && rows[0]!.length > 1
      ? withWord(wordFor, 'say that line 1 holds names, where the first column has row names', 'header')
      : null,
  ].filter((way) => way !== null);
  return new DatasetError('header', {
    got: `${rows.length === 1 ? 'a line' : `${rows.length} lines`} above the table: ${listNames(texts)}`,
    expected: 'names or values on line 1, as many as in the rows below',
    where: `${name}, line ${syntax.skip + 1}`,
    remedy: sentences(isEscaped ? advise(wordFor, ESCAPED, 'escape') : null, ways.join(', or ')),
  });
}
