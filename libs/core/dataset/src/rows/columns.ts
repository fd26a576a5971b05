import { firstAndMore } from '@orchard/refusal';
import { correctColumn } from '../reading/closest-names.js';
import { DatasetError, quote } from '../errors.js';

/**
 * The columns, from 0, that a list of names, numbers from 1 and ranges means, in its order. A text is a name where
 * there is such a name; otherwise a number or a range.
 * @param option what messages call the option that holds the list
 * @throws DatasetError with code `column` on columns that are not there or come twice.
 */
export function findColumns(
  list: readonly (string | number)[],
  names: readonly string[] | null,
  count: number,
  where: string,
  option: string | null,
): number[] {
  const asked = option ? ` of ${option}` : '';
  const found = new Set<number>();
  // at once: a list of ranges may name the same columns a thousand times over
  const add = (column: number): void => {
    if (found.has(column))
      throw new DatasetError('column', {
        got: `column ${column + 1} twice${option ? ` in ${option}` : ''}`,
        expected: 'every column once',
        where,
        remedy: 'Leave out the repetition.',
      });
    found.add(column);
  };
  const byName = new Map<string, number>();
  const ambiguous = new Set<string>();
  names?.forEach((name, column) => {
    if (byName.has(name)) ambiguous.add(name);
    byName.set(name, column);
  });
  for (const entry of list) {
    const named = byName.get(String(entry));
    if (typeof entry === 'string' && named !== undefined) {
      if (ambiguous.has(entry))
        throw new DatasetError('column', {
          got: `the column ${quote(entry)}, a name of several`,
          expected: 'a name of one column, or a number',
          where,
          remedy: 'Choose it by its number, from 1, or rename it.',
        });
      add(named);
      continue;
    }
    const [, first, last] = /^(\d+)(?:-(\d+))?$/.exec(String(entry)) ?? [];
    const from = Number(first);
    const to = Number(last ?? first);
    if (first === undefined || from < 1 || to > count || from > to) {
      const known = names ? ` or one of ${listNames(names)}` : '';
      throw new DatasetError('column', {
        got: `the column ${typeof entry === 'string' ? quote(entry) : entry}${asked}`,
        expected: `a number from 1 to ${count}${known}`,
        where,
        remedy: names ? correctColumn(String(entry), names) : 'Without a header, columns are chosen by number, from 1.',
      });
    }
    for (let column = from; column <= to; column++) add(column - 1);
  }
  return [...found];
}

/** Names for a message: the first few, and how many more. */
export function listNames(names: readonly string[]): string {
  return firstAndMore(names.map(quote), 5);
}

/**
 * How a dimension is called to people: by its name, or by its number from 1, as columns are counted everywhere here.
 */
export function nameOfDimension(dim: number, names: readonly string[] | null): string {
  return names?.[dim] ?? String(dim + 1);
}
