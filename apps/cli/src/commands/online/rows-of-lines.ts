import { UsageError } from '../../output/errors.js';

/** What a line of a stream is: names of the columns, which only the first can be, or the values of a row. */
export type StreamLine = { readonly names: readonly string[] } | { readonly values: ArrayLike<number> };

/**
 * A line of 0s and 1s with commas, semicolons, tabs or blanks between them, or nothing; null of an empty one.
 *
 * @param number of the line, from 1
 * @param columns how many values there have to be; null where it is not known yet
 * @throws UsageError
 */
export function readLine(line: string, number: number, columns: number | null): StreamLine | null {
  const text = line.trim();
  if (text === '') return null;
  const parts =
    /^[01]+$/.test(text) && columns !== 1
      ? [...text]
      : text.split(/[,;\t]/.test(text) ? /[,;\t]/ : /\s+/).map((part) => part.trim());
  const odd = parts.find((part) => part !== '0' && part !== '1');
  if (number === 1 && odd !== undefined) {
    const names = parts.map((part) => part.replace(/^"(.*)"$/, '$1'));
    const twice = names.find((name, at) => name === '' || names.indexOf(name) < at);
    if (twice === undefined) return { names };
    throw refusedLine(
      twice === '' ? 'a column without a name' : `the name ${JSON.stringify(twice)} twice`,
      'names that differ, or a row of 0s and 1s',
      number,
    );
  }
  if (odd !== undefined)
    throw refusedLine(
      JSON.stringify(odd.slice(0, 40)),
      '0 or 1 in every column; orchard online takes categories with --like',
      number,
    );
  if (columns !== null && parts.length !== columns)
    throw refusedLine(`${String(parts.length)} values`, `${String(columns)}, as in the rows before it`, number);
  return { values: Uint8Array.from(parts, Number) };
}

export function refusedLine(got: string, expected: string, line: number): UsageError {
  const remedy = 'Correct the line and send it and those behind it again: the rows before it are learned and kept.';
  return new UsageError({ got, expected, where: `standard input, line ${String(line)}`, remedy });
}
