import { DatasetError, quote } from '../errors.js';
import { listNames } from '../rows/columns.js';
import { withWord } from '../reading/option-words.js';
import { isNumber } from './number-text.js';
import type { ReadContext } from '../reading/options.js';

/**
 * Whether line 1 holds names. Where the caller says so, that is checked; otherwise the fields decide:
 *
 * | line 1                                            | is                                  |
 * |---------------------------------------------------|-------------------------------------|
 * | numbers, missing marks, nothing                   | data                                |
 * | ... but 0, 1, 2, ... or 1, 2, 3, ... (3 and more) | names (as pandas numbers columns)   |
 * | words                                             | names                               |
 * | words beside 0, 1 or missing marks                | data (with a value to be refused)   |
 *
 * A caller that asks for columns by a word takes line 1 for names: the word that is not a name is refused where columns
 * are looked up. Where values are not to be 0 and 1 anyway, numbers in a row could be either, and so could words with
 * one-hot columns: that is refused, never guessed.
 * @throws DatasetError with code `header`.
 */
export function isHeader(fields: readonly string[], context: ReadContext): boolean {
  const { header, rule, missing, options, name, wordFor } = context;
  if (header === false) return false;
  const where = `${name}, line 1`;
  const numbers = fields.filter(isNumber);
  const words = fields.filter((field) => !isNumber(field) && !missing.has(field.toLowerCase()));
  const distinct = numbers.length >= 3 && new Set(numbers).size === numbers.length;
  const counting = distinct && isCounting(fields);

  if (header === true) {
    if (words.length > 0 || (distinct && numbers.every((number) => /^\d+$/.test(number)))) return true;
    throw new DatasetError('header', {
      got: `the values ${listNames(fields)}`,
      expected: 'the names of the columns',
      where,
      remedy: `The file seems to have no header: ${withWord(wordFor, 'read it without one', 'header')}.`,
    });
  }
  const ambiguous = (got: string): never => {
    const remedy = `${withWord(wordFor, 'Say whether line 1 is a header', 'header')}.`;
    throw new DatasetError('header', { got, expected: 'names or values, plainly', where, remedy });
  };
  if (words.length === 0) {
    if (counting && !rule.exact) return ambiguous(`the numbers ${listNames(fields)}`);
    return counting;
  }
  const asked = [...(options.oneHot ?? []), ...(options.columns ?? [])];
  if (asked.some((column) => typeof column === 'string' && !/^\d+(-\d+)?$/.test(column))) return true;
  if (asked.some((column) => words.includes(String(column)))) return true;
  if (options.oneHot) return ambiguous(`the words ${listNames(words)}`);
  if (numbers.length > 0 && distinct && !rule.exact) return ambiguous(`${quote(words[0]!)} among numbers`);
  return numbers.length === 0 ? !fields.some((field) => field !== '' && missing.has(field.toLowerCase())) : distinct;
}

function isCounting(fields: readonly string[]): boolean {
  const first = fields[0] === '0' ? 0 : 1;
  return fields.every((field, i) => field === String(first + i));
}
