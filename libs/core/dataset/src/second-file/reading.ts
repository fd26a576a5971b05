import type { RawCell } from '../table-files/raw-table.js';

/** How a model's column reads a file's column that is written in another form. */
export interface Reading {
  /** A cell as the model's column has it, null where it marks a missing value; one that is not read stays as it is. */
  read(cell: Exclude<RawCell, null>): RawCell;
  /** A value in the words of the model, as the file writes it. */
  write(text: string): string;
  /** What is made of the cells, in words; null where they are read as they stand. */
  readonly how: string | null;
  /** Whether day and month may be each other, and nothing says which is which. */
  readonly isEither: boolean;
}
