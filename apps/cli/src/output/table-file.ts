import { extname } from 'node:path';
import {
  arrowPieces,
  csvField,
  jsonPieces,
  parquetPieces,
  type ColumnHead,
  type TypedBatches,
  type TypedBy,
  type TypedColumn,
} from '@orchard/dataset';
import { UsageError } from './errors.js';
import { typedRows } from './typed-rows.js';

/** Texts of delimited cells, by the ending of their name, and what stands between the cells. */
const delimiters = { '.csv': ',', '.txt': ',', '.tsv': '\t', '.tab': '\t' } as const;
export type TextEnding = keyof typeof delimiters;
/** Files whose columns have types. */
const typedEndings = ['.parquet', '.arrow', '.feather', '.json', '.jsonl', '.ndjson'] as const;
export type TypedEnding = (typeof typedEndings)[number];
/** Files that rows of a table are written to, by the ending of their name. */
export const tableEndings = [...(Object.keys(delimiters) as TextEnding[]), ...typedEndings] as const;
export type TableEnding = (typeof tableEndings)[number];

/** Whether a file of that ending is a text of delimited cells. */
export function isTextEnding(ending: string): ending is TextEnding {
  return Object.hasOwn(delimiters, ending);
}

/** What stands between the cells of a text. */
export function delimiterOf(ending: TextEnding): string {
  return delimiters[ending];
}

export interface TableFile {
  /** Undefined for standard output. */
  readonly path: string | undefined;
  readonly ending: TableEnding;
}

/** The file that rows of a table are written to. @throws UsageError for one of another format */
export function tableFile(path: string | undefined, option = '--out'): TableFile {
  if (path === undefined || path === '-') return { path: undefined, ending: '.csv' };
  const ending = extname(path).toLowerCase();
  if (isTableEnding(ending)) return { path, ending };
  throw new UsageError({
    got: path,
    expected: `a name that ends in ${tableEndings.join(', ')}`,
    where: option,
    remedy: 'Name the file by what it should be.',
  });
}

/** What a listing is written as: by its ending, and CSV where it has none of a table. */
export function listingEnding(path: string): TableEnding {
  const ending = extname(path).toLowerCase();
  return isTableEnding(ending) ? ending : '.csv';
}

function isTableEnding(ending: string): ending is TableEnding {
  return (tableEndings as readonly string[]).includes(ending);
}

/** A column of rows in words; null for a missing value. */
export interface TextColumn extends TypedBy {
  readonly name: string;
  readonly texts: readonly (string | null)[];
}

/** A column for each name, with what each of some items has there. */
export function columnsOf<Item>(
  items: readonly Item[],
  cells: Readonly<Record<string, (item: Item) => string | number | null>>,
): TextColumn[] {
  return Object.entries(cells).map(([name, of]) => ({
    name,
    texts: items.map(of).map((cell) => (cell === null ? null : String(cell))),
  }));
}

/** The bytes of a file of rows. */
export async function encodeTable(ending: TableEnding, columns: readonly TextColumn[]): Promise<Uint8Array[]> {
  const pieces: Uint8Array[] = [];
  for await (const piece of encodeBatches(ending, [columns])) pieces.push(piece);
  return pieces;
}

/** Rows that come batch by batch: the same columns in each, and one batch at least. */
export type ColumnBatches = AsyncIterable<readonly TextColumn[]> | Iterable<readonly TextColumn[]>;

/**
 * The same of rows that come batch by batch. As CSV each batch is a piece, and no more of them is held; a file whose
 * columns have types has its rows in groups, and one of these is.
 *
 * @param hasNames whether a text begins with the names
 */
export async function* encodeBatches(
  ending: TableEnding,
  batches: ColumnBatches,
  hasNames = true,
): AsyncGenerator<Uint8Array, void> {
  if (!isTextEnding(ending)) {
    yield* typedRows(batches, (heads, rows) => encodeTypedBatches(ending, heads, rows));
    return;
  }
  const encoder = new TextEncoder();
  const delimiter = delimiterOf(ending);
  let isFirst = hasNames;
  for await (const columns of batches) {
    yield encoder.encode(isFirst ? textOfColumns(columns, delimiter) : linesOfColumns(columns, delimiter));
    isFirst = false;
  }
}

/** A row of numbers for each name, behind the name. */
export async function encodeMatrix(
  path: string,
  first: string,
  names: readonly string[],
  rowOf: (row: number) => Iterable<number>,
): Promise<Uint8Array[]> {
  const rows = names.map((_, row) => Array.from(rowOf(row)));
  const columns = names.map((name, at) => ({ name, texts: rows.map((row) => String(row[at]!)) }));
  return encodeTable(listingEnding(path), [{ name: first, texts: names }, ...columns]);
}

/** The bytes of a file whose columns have types. */
export function encodeTyped(ending: TypedEnding, columns: readonly TypedColumn[]): AsyncIterable<Uint8Array> {
  return encodeTypedBatches(ending, columns, [columns.map(({ values }) => values)]);
}

/** The same of rows that come batch by batch. */
export function encodeTypedBatches(
  ending: TypedEnding,
  columns: readonly ColumnHead[],
  rows: TypedBatches,
): AsyncIterable<Uint8Array> {
  switch (ending) {
    case '.parquet':
      return parquetPieces(columns, rows);
    case '.arrow':
    case '.feather':
      return arrowPieces(columns, rows);
    case '.json':
    case '.jsonl':
    case '.ndjson':
      return jsonPieces(columns, rows, ending === '.json');
  }
}

function textOfColumns(columns: readonly TextColumn[], delimiter: string): string {
  return `${columns.map(({ name }) => csvField(name, delimiter)).join(delimiter)}\n${linesOfColumns(columns, delimiter)}`;
}

function linesOfColumns(columns: readonly TextColumn[], delimiter: string): string {
  const lines: string[] = [];
  const rows = columns[0]?.texts.length ?? 0;
  for (let row = 0; row < rows; row++)
    lines.push(`${columns.map(({ texts }) => csvField(texts[row] ?? '', delimiter)).join(delimiter)}\n`);
  return lines.join('');
}
