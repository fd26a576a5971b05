import type { Variable } from '@orchard/contracts';
import { labelOf, modelTextOf, type RawCell, type Reading } from '@orchard/dataset';

/** How the cells of one column of a completed file are written. */
export interface CellWords {
  /** A cell of the file. */
  own(cell: Exclude<RawCell, null>): string;
  /** What is filled in, of the words of the model. */
  filled(text: string): string;
}

/**
 * In a text, cells stay as they are written, and what is filled in is written like them. In a file whose columns have
 * types a cell is its value, of which the words of the model are made.
 */
export function cellWordsOf(variable: Variable | undefined, reading: Reading | null, isText: boolean): CellWords {
  return isText
    ? { own: labelOf, filled: (text) => reading?.write(text) ?? text }
    : { own: (cell) => modelTextOf(variable, reading?.read(cell) ?? cell), filled: (text) => text };
}
