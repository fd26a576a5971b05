import { extname } from 'node:path';
import type { Variable } from '@orchard/contracts';
import {
  arrowPieces,
  csvField,
  parquetPieces,
  type ColumnHead,
  type TypedBatches,
  type TypedColumn,
} from '@orchard/dataset';
import { UsageError } from '../errors.js';
import { typedRows } from './typed-rows.js';

/** Files that rows of a table are written to, by the ending of their name. */
const tableEndings = ['.csv', '.parquet', '.arrow', '.feather'] as const;
export type TableEnding = (typeof tableEndings)[number];

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

/** What a listing is written as: Parquet or Arrow where the path ends so, CSV otherwise. */
export function listingEnding(path: string): TableEnding {
  const ending = extname(path).toLowerCase();
  return isTableEnding(ending) ? ending : '.csv';
}

function isTableEnding(ending: string): ending is TableEnding {
  return (tableEndings as readonly string[]).includes(ending);
}

/** A column of rows in words; null for a missing value. */
export interface TextColumn {
  readonly name: string;
  readonly texts: readonly (string | null)[];
  /** Of a model's column: what type it has in a file with types. */
  readonly variable?: Variable | undefined;
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
 */
export async function* encodeBatches(ending: TableEnding, batches: ColumnBatches): AsyncGenerator<Uint8Array, void> {
  if (ending !== '.csv') {
    yield* typedRows(batches, (heads, rows) => encodeTypedBatches(ending, heads, rows));
    return;
  }
  const encoder = new TextEncoder();
  let isFirst = true;
  for await (const columns of batches) {
    yield encoder.encode(isFirst ? csvOfColumns(columns) : linesOfColumns(columns));
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

/** Files whose columns have types. */
export type TypedEnding = Exclude<TableEnding, '.csv'>;

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
  return ending === '.parquet' ? parquetPieces(columns, rows) : arrowPieces(columns, rows);
}

export function csvOfColumns(columns: readonly TextColumn[]): string {
  return `${columns.map(({ name }) => csvField(name)).join(',')}\n${linesOfColumns(columns)}`;
}

function linesOfColumns(columns: readonly TextColumn[]): string {
  const lines: string[] = [];
  const rows = columns[0]?.texts.length ?? 0;
  for (let row = 0; row < rows; row++)
    lines.push(`${columns.map(({ texts }) => csvField(texts[row] ?? '')).join(',')}\n`);
  return lines.join('');
}
