import type { Variable } from '@orchard/contracts';
import { labelOf, modelTextOf, type RawCell, type Reading } from '@orchard/dataset';

/** How the cells of one column of a completed file are written. */
export interface CellWords {
  /** A cell of the file. */
  own(cell: Exclude<RawCell, null>): string;
  /** What is filled in, of the words of the model. */
  filled(text: string): string;
}

/** What the cells of a column are in the file that is read, and in the one that is written. */
export interface Files {
  /** Whether the columns of the file that is read have types. */
  readonly areTyped: boolean;
  /** Whether a text is written. */
  readonly isText: boolean;
}

/**
 * In a text, cells stay as they are written, and what is filled in is written like them. In a file whose columns have
 * types a cell is its value, of which the words of the model are made; labels and shares of a file that has types too
 * are what they were there.
 */
export function cellWordsOf(variable: Variable | undefined, reading: Reading | null, files: Files): CellWords {
  if (!files.isText && isOfItsFile(variable, reading, files)) {
    // a number spelled in two ways, as 0.1 and 0.10, would be taken for two names
    const isNumber = (text: string): boolean => variable?.kind === 'ordered' && !Number.isNaN(Number(text));
    const plain = (text: string): string => (isNumber(text) ? String(Number(text)) : text);
    return { own: (cell) => plain(labelOf(cell)), filled: (text) => plain(reading?.write(text) ?? text) };
  }
  return files.isText
    ? { own: labelOf, filled: (text) => reading?.write(text) ?? text }
    : { own: (cell) => modelTextOf(variable, reading?.read(cell) ?? cell), filled: (text) => text };
}

/**
 * Whether the cells of a column stand for themselves where types are written: `False` where the model has `FALSCH`,
 * 0.05 where it has 5 %. Its type is then that of its cells, and not the variable's.
 */
export function isOfItsFile(variable: Variable | undefined, reading: Reading | null, { areTyped }: Files): boolean {
  if (!areTyped || reading === null || variable === undefined) return false;
  if (variable.kind !== 'ordered') return true;
  // all other numbers are the same in the words of the model
  return variable.format.type === 'number' && /[%‰]/.test(variable.format.written?.suffix ?? '');
}
