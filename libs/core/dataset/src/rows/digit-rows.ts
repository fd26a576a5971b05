/**
 * The rows at the beginning of a delimited text in which every cell is the one character 0 or 1. The reader of bits has
 * cut them when it meets the first other cell; the reader of tables takes them as they are and goes on behind them.
 */
export interface DigitRows {
  readonly delimiter: string;
  readonly hasHeader: boolean;
  readonly columns: number;
  readonly rows: number;
  /** The cells, packed as in a `BitMatrix`. */
  readonly bytes: Uint8Array;
  /** Bytes per row. */
  readonly stride: number;
  /** Where the text goes on: bytes before that place, a byte order mark apart, and its line, from 1. */
  readonly end: { readonly start: number; readonly line: number };
}
