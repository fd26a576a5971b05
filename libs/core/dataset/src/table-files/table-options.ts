import { refuseArgument } from '../errors.js';
import { noWord, type OptionWord } from '../reading/option-words.js';
import { checkTextOptions, type TextOptions, type TextSyntax } from '../reading/text-syntax.js';

/** The formats of tables. `csv` is text with any delimiter. */
export const TABLE_FORMATS = ['csv', 'parquet', 'arrow', 'npy', 'npz', 'jsonl', 'libsvm'] as const;
export type TableFormat = (typeof TABLE_FORMATS)[number];

/** What marks a missing value where nothing else is said: what pandas, R, databases and spreadsheets write. */
export const MISSING_MARKS = [
  ...['', '?', 'NA', 'N/A', 'n/a', '#N/A', '<NA>'],
  ...['NaN', 'nan', 'null', 'NULL', 'None'],
] as const;

/**
 * Of these, what may as well be a label: the country Namibia, and "none of them". The whole column decides, unless it
 * was said what marks a missing value.
 */
export const MARKS_OR_LABELS: ReadonlySet<string> = new Set(['NA', 'None']);

/** How a file becomes a table. */
export interface TableFileOptions extends TextOptions {
  /** @default found by the content, then by the name */
  readonly format?: TableFormat | undefined;
  /** Whether line 1 of a text holds names. @default 'auto' */
  readonly header?: 'auto' | boolean | undefined;
  /**
   * Of a text: one character between the cells; `' '` is any number of spaces and tabs.
   *
   * @default found by the first lines
   */
  readonly delimiter?: string | undefined;
  /** What stands before the decimals of numbers in a text. @default '.' */
  readonly decimal?: '.' | ',' | undefined;
  /** Names of the columns, for files without; they replace those of a header. */
  readonly names?: readonly string[] | undefined;
  /** Names of the columns that a model has learned: a line 1 with all of them holds names, whatever is below it. */
  readonly learnedNames?: readonly string[] | undefined;
  /** Whether the indexes of a libsvm file count from 0. @default false: from 1 */
  readonly zeroBased?: boolean | undefined;
  /** What marks a missing value in a text, exactly so written, in quotes or not. @default {@link MISSING_MARKS} */
  readonly missing?: readonly string[] | undefined;
  /** The longest row of a text, in bytes. @default 2^24 */
  readonly maxLineBytes?: number | undefined;
  /**
   * What a zipped file or an archive may unpack to, in bytes, and pages of a Parquet file that are held at a time, so
   * that a little file is not terabytes.
   *
   * @default no limit, 2^31 of pages
   */
  readonly maxUnpackedBytes?: number | undefined;
  /**
   * Whether a cell that does not fit its column is refused, in whatever is read of the table.
   *
   * @default false: it is a missing value, and said
   */
  readonly strict?: boolean | undefined;
  /** How messages call an option that they advise. @default not at all */
  readonly wordFor?: OptionWord<TableOptionName> | undefined;
}

/**
 * An option that says how a table is read, or what its columns are (`types`, `dates`), and that a message may ask the
 * caller to give.
 */
export type TableOptionName =
  | Exclude<keyof TableFileOptions, 'learnedNames' | 'strict' | 'wordFor'>
  | 'types'
  | 'dates';

/** {@link TableFileOptions} checked, with defaults. */
export interface TableContext {
  /** The source's name in messages. */
  readonly name: string;
  readonly options: TableFileOptions;
  readonly header: 'auto' | boolean;
  readonly decimal: '.' | ',';
  readonly missing: ReadonlySet<string>;
  /** Whether a mark of a missing value stays a text in a column, which decides what it is. @default none does */
  readonly mayBeLabel?: (column: number, text: string) => boolean;
  /** Whether cells come as they stand in the text, in their quotes. @default as what they say */
  readonly asWritten?: true;
  readonly maxLineBytes: number;
  readonly syntax: TextSyntax;
  readonly wordFor: OptionWord<TableOptionName>;
}

/** @throws DatasetError with code `argument` on options out of range or against each other. */
export function checkTableOptions(name: string, options: TableFileOptions): TableContext {
  const { format, header = 'auto', delimiter, decimal = '.', names, wordFor = noWord } = options;
  const { missing = MISSING_MARKS, maxLineBytes = 2 ** 24 } = options;
  if (format !== undefined && !TABLE_FORMATS.includes(format))
    refuseArgument(`the format ${JSON.stringify(format)}`, TABLE_FORMATS.join(', '), 'Choose one of these, or none.');
  if (delimiter !== undefined && (delimiter.length !== 1 || /["\r\n]/.test(delimiter)))
    refuseArgument(
      `the delimiter ${JSON.stringify(delimiter)}`,
      'one character, neither a quote nor a line end',
      'Give the character that stands between the cells, as ; or a tab.',
    );
  if (names?.length === 0)
    refuseArgument('an empty list of names', 'one name a column', 'Name the columns, or leave it out.');
  const again = names?.find((each, i) => names.indexOf(each) < i);
  if (again !== undefined)
    refuseArgument(`the name ${JSON.stringify(again)} twice`, 'a name of its own for each column', 'Rename one.');
  if (names?.includes('')) refuseArgument('an empty name', 'a name for each column', 'Name it.');
  if (!Number.isSafeInteger(maxLineBytes) || maxLineBytes < 1)
    refuseArgument(`maxLineBytes ${maxLineBytes}`, 'a whole number of at least 1', 'Correct it.');
  return {
    name,
    options,
    header,
    decimal,
    missing: new Set(missing),
    maxLineBytes,
    syntax: checkTextOptions(options),
    wordFor,
  };
}
