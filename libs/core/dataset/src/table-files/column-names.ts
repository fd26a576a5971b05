import { listNames } from '../rows/columns.js';
import { DatasetError } from '../errors.js';
import { advise, sentences } from '../reading/option-words.js';
import type { TableContext } from './table-options.js';

/** Names for columns of a file that has none: `column 1`, `column 2`, ... */
export function numberedNames(count: number): string[] {
  return Array.from({ length: count }, (_, column) => `column ${column + 1}`);
}

/**
 * The names of a header as pandas takes them: an empty one becomes `Unnamed: 0` (the column's number from 0), and one
 * that was there before gets a number, `a`, `a.1`, `a.2`. Both are said in `notes`.
 */
export function distinctNames(header: readonly string[], notes: string[]): string[] {
  const given = new Set(header);
  const taken = new Set<string>();
  // where the numbers of a name go on: looked for from 1 each time, many columns of one name would take their square
  const next = new Map<string, number>();
  const unnamed: string[] = [];
  const renamed: string[] = [];
  const names = header.map((text, column) => {
    const base = text === '' ? `Unnamed: ${column}` : text;
    let name = base;
    let again = next.get(base) ?? 1;
    for (; taken.has(name) || (name !== text && given.has(name)); again++) name = `${base}.${again}`;
    next.set(base, again);
    if (text === '') unnamed.push(name);
    else if (name !== text) renamed.push(name);
    taken.add(name);
    return name;
  });
  if (unnamed.length > 0) notes.push(`Columns without a name are called ${listNames(unnamed)}.`);
  if (renamed.length > 0) notes.push(`Names that were there before are numbered: ${listNames(renamed)}.`);
  return names;
}

/** Names that were given beside a file, checked against its number of columns. */
export function givenNames(context: TableContext, count: number): readonly string[] | null {
  const { names } = context.options;
  if (names === undefined || names.length === count) return names ?? null;
  throw new DatasetError('column', {
    got: `${names.length} names (${listNames(names)})`,
    expected: `${count}, one for each column of the file`,
    where: context.name,
    remedy: sentences(advise(context.wordFor, 'Give one name a column, in the order of the file', 'names')),
  });
}
