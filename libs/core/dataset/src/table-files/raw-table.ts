import type { WrittenText } from './csv/written-text.js';
import type { RawColumn } from './raw-column.js';
import type { BitMatrix } from '../rows/bit-matrix.js';
import type { OptionWord } from '../reading/option-words.js';
import type { TableFormat, TableOptionName } from './table-options.js';

/**
 * A cell as the file has it; null is a missing value. Text stays text: the whole column decides what it means. Dates
 * and times of typed files come as ISO texts (`2026-01-31`, `2026-01-31T08:30:00`), durations as pandas writes them
 * (`1 days 02:30:00`), and whole numbers beyond 2^53, which no number holds exactly, as their digits.
 */
export type RawCell = string | number | boolean | null;

/** Some consecutive rows, column by column. */
export interface RawBatch {
  readonly rows: number;
  readonly columns: readonly RawColumn[];
}

/** At most so many rows are handed over at a time: few, so that their cells are gone before they count as lasting. */
export const BATCH_ROWS = 1024;

/** How many rows of so many columns are handed over at a time: fewer than {@link BATCH_ROWS} where they are wide. */
export function batchRows(columns: number): number {
  return Math.max(1, Math.min(BATCH_ROWS, Math.floor(2 ** 20 / columns)));
}

/** A table as its file has it: rows of cells under names. */
export interface RawTable {
  /** Of the file, for messages. */
  readonly name: string;
  readonly format: TableFormat;
  /** One name a column, all distinct; `column 3` where the file has none. */
  readonly columns: readonly string[];
  readonly hasHeader: boolean;
  /**
   * Columns, by number, whose type is one of fractions, though their cells may all be whole.
   *
   * @default none has such a type
   */
  readonly fractions?: ReadonlySet<number> | undefined;
  /**
   * Columns, by number, whose cells are not single values, and what they are; they come empty.
   *
   * @default there is none
   */
  readonly unreadable?: ReadonlyMap<number, string> | undefined;
  /**
   * What the type of each column holds, in a word, as a typed file says it: null where it holds nothing.
   *
   * @default the file has no types
   */
  readonly kinds?: readonly (string | null)[] | undefined;
  /** Of delimited text, how it is written. @default it is another format */
  readonly written?: WrittenText | undefined;
  /** Of delimited text, the line at which its rows begin. */
  readonly firstLine?: number | undefined;
  /** Cells that come as missing values because it was said that they mark them. @default nothing was said */
  readonly saidMarks?: readonly string[] | undefined;
  /** Texts that come as they are, and are missing values unless their column has them as labels. @default none do */
  readonly marks?: ReadonlySet<string> | undefined;
  /**
   * The same rows with such texts as they are in some columns, or in all; they come as missing values without it.
   *
   * @default there are none
   */
  withMarks?(columns?: ReadonlySet<number>): RawTable;
  /**
   * The same rows with empty texts as they are, where these are missing values.
   *
   * @default they are as they are, or marks
   */
  readonly withEmptyTexts?: RawTable | undefined;
  /** Whether a cell that does not fit its column is refused. @default false: it is a missing value, and said */
  readonly isStrict?: boolean | undefined;
  /**
   * What was found out and decided (delimiter, header, names), and is to be said: one sentence each. The first pass to
   * its end may add some, as that of lines that were passed over.
   */
  readonly notes: readonly string[];
  /** How messages about its cells call an option that they advise. @default not at all */
  readonly wordFor?: OptionWord<TableOptionName> | undefined;
  /** Where a cell of a column, by its number, stands first, for messages. @default its column is named */
  placeOf?(column: number, cell: RawCell): string;
  /** All rows, where they are bits and columns binary: what encodes them copies these. @default cells are read */
  readonly bits?: BitMatrix | undefined;
  /** Beside {@link bits}, 1 for each that is known. @default all are */
  readonly knownBits?: BitMatrix | undefined;
  /**
   * All rows from the beginning, in order. May be asked for any number of times: each is a new pass over the file.
   *
   * @param needed columns by number, which spares time: the others may come empty. @default all
   * @throws DatasetError where the rows are not what the beginning of the file promised.
   */
  batches(needed?: ReadonlySet<number>): AsyncIterable<RawBatch>;
  /** Removes what had to be kept beside the file. Nothing is read afterwards. */
  close(): Promise<void>;
}

export function placesWhere<Each>(list: readonly Each[], is: (each: Each) => boolean): ReadonlySet<number> {
  return new Set(list.flatMap((each, place) => (is(each) ? [place] : [])));
}

/** The table with {@link RawTable.marks} as texts, where it has any. */
export function markedTable(raw: RawTable): RawTable {
  return raw.withMarks?.() ?? raw;
}
