import type { Variable } from '@orchard/contracts';
import { labelOf, modelTextOf, type RawCell, type Reading, type TypedBy } from '@orchard/dataset';
import type { FileToFill } from './answering.js';

/** How the cells of one column of a completed file are written. */
export interface CellWords extends TypedBy {
  /** A cell of the file. */
  own(cell: Exclude<RawCell, null>): string;
  /** What is filled in, of the words of the model. */
  filled(text: string): string;
}

/** A column of the file, and what the model knows of it. */
export interface ColumnToFill {
  /** Its number in the file. */
  readonly at: number;
  /** Undefined where the model has none. */
  readonly variable: Variable | undefined;
  readonly reading: Reading | null;
}

/**
 * In a text, cells stay as they are written, and what is filled in is written like them. So it is where both files say
 * the type of a column, which stays what it was. Elsewhere a cell is its value, of which the words of the model are
 * made; labels and shares of a file that has types, but does not say them, are what they were there.
 */
export function cellWordsOf({ at, variable, reading }: ColumnToFill, file: FileToFill): CellWords {
  const filled = (text: string): string => reading?.write(text) ?? text;
  if (file.isText) return { own: labelOf, filled, variable };
  const inFile = file.types?.[at];
  if (inFile !== undefined) return { own: labelOf, filled, inFile };
  if (isOfItsFile(variable, reading, file.areTyped)) {
    // a number spelled in two ways, as 0.1 and 0.10, would be taken for two names
    const isNumber = (text: string): boolean => variable?.kind === 'ordered' && !Number.isNaN(Number(text));
    const plain = (text: string): string => (isNumber(text) ? String(Number(text)) : text);
    return { own: (cell) => plain(labelOf(cell)), filled: (text) => plain(filled(text)) };
  }
  return { own: (cell) => modelTextOf(variable, reading?.read(cell) ?? cell), filled: (text) => text, variable };
}

/**
 * Whether the cells of a column stand for themselves where types are written: `False` where the model has `FALSCH`,
 * 0.05 where it has 5 %. Its type is then that of its cells, and not the variable's.
 */
function isOfItsFile(variable: Variable | undefined, reading: Reading | null, areTyped: boolean): boolean {
  if (!areTyped || reading === null || variable === undefined) return false;
  if (variable.kind !== 'ordered') return true;
  // all other numbers are the same in the words of the model
  return variable.format.type === 'number' && /[%‰]/.test(variable.format.written?.suffix ?? '');
}
