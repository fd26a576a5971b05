import { listNames } from '../../rows/columns.js';
import { DatasetError } from '../../errors.js';
import { isNumber } from '../../bit-files/number-text.js';
import { withWord } from '../../reading/option-words.js';
import type { TableContext } from '../table-options.js';

const DATE = /^\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}([ T]\d|$)/;
const TIME = /^\d\d:\d\d(:\d\d(\.\d{1,6})?)?$/;
const TRUTH = /^(true|false|yes|no)$/i;
const DECIMAL_COMMA = /^[+-]?\d*,\d+$/;

type Verdict = 'plainly names' | 'names' | 'values' | 'either';

/**
 * Whether row 1 holds names, judged by it and the rows below where the caller does not say. A value is a number, a
 * date, true, false, yes, no, or a time of day over others (alone it may name a column of a timetable); what else is
 * there is a word.
 *
 * | row 1                                                                | is                      |
 * |----------------------------------------------------------------------|-------------------------|
 * | a word over a column of values                                       | names, plainly where all are words and none comes twice |
 * | ... beside numbers that do not count up                              | either: refused         |
 * | words and numbers that count up (1999, 2000, 2001)                   | names                   |
 * | ... only two                                                         | either                  |
 * | other words and numbers                                              | values                  |
 * | no word, but 0, 1, 2, ... or 1, 2, 3, ... (3 and more; as pandas numbers columns) | names      |
 * | no word                                                              | values                  |
 * | words over words, none twice and none again below in its own column  | names                   |
 * | other words                                                          | values                  |
 *
 * @returns whether it is one, and whether that is a guess, which is to be said
 * @throws DatasetError with code `header` where that cannot be decided.
 */
export function headerOf(
  context: TableContext,
  first: readonly string[],
  below: readonly (readonly string[])[],
): 'plain' | 'guessed' | 'none' {
  if (context.header !== 'auto') return context.header ? 'plain' : 'none';
  // a header that comes again, as where files were put together, says nothing of what is below it
  const rows = below.filter((row) => row.length !== first.length || row.some((text, i) => text !== first[i]));
  const verdict = judge(context, first, first.length > 1 ? rows : below);
  if (verdict === 'either')
    throw new DatasetError('header', {
      got: `the cells ${listNames(first)}`,
      expected: 'names or values, plainly',
      where: `${context.name}, line 1`,
      remedy: `${withWord(context.wordFor, 'Say whether line 1 holds names', 'header')}.`,
    });
  return verdict === 'plainly names' ? 'plain' : verdict === 'names' ? 'guessed' : 'none';
}

function judge({ missing }: TableContext, first: readonly string[], below: readonly (readonly string[])[]): Verdict {
  const isHole = (text: string): boolean => missing.has(text);
  const numbers = first.filter((text) => isNumber(text));
  // where a first row is one short, its names stand over the cells from the second on
  const shift = (below[0]?.length ?? first.length) - first.length;
  const columnOf = (i: number): string[] => below.map((row) => row[i + shift] ?? '').filter((text) => !isHole(text));
  const isTime = (text: string, i: number): boolean => TIME.test(text) && columnOf(i).some((below) => TIME.test(below));
  const isWord = (text: string, i: number): boolean =>
    text !== '' && !isHole(text) && !isValue(text) && !isTime(text, i);
  const words = first.filter(isWord);
  if (words.length === 0) return isCounting(first) ? 'names' : 'values';
  const overValues = first.some((text, i) => {
    const column = columnOf(i);
    return isWord(text, i) && column.length > 0 && column.every((cell) => isValue(cell) || TIME.test(cell));
  });
  if (numbers.length > 0) {
    if (numbers.length >= 2 && countsUp(numbers)) return numbers.length >= 3 || overValues ? 'names' : 'either';
    return overValues ? 'either' : 'values';
  }
  if (overValues) {
    // pandas leaves the name of an index empty
    const named = first[0] === '' ? first.slice(1) : first;
    return words.length === named.length && new Set(words).size === words.length ? 'plainly names' : 'names';
  }
  if (first.some((text, i) => text !== '' && !isWord(text, i)) || new Set(words).size < words.length) return 'values';
  return first.some((text, i) => isWord(text, i) && columnOf(i).includes(text)) ? 'values' : 'names';
}

function isValue(text: string): boolean {
  return isNumber(text) || DATE.test(text) || TRUTH.test(text) || DECIMAL_COMMA.test(text);
}

/** 0, 1, 2, ... or 1, 2, 3, ...; as pandas writes it, after an empty name of the index. */
function isCounting(first: readonly string[]): boolean {
  const counted = first[0] === '' ? first.slice(1) : first;
  return counted.length >= 3 && /^[01]$/.test(counted[0]!) && countsUp(counted);
}

function countsUp(texts: readonly string[]): boolean {
  return texts.every((text, i) => /^\d+$/.test(text) && Number(text) === Number(texts[0]) + i);
}
