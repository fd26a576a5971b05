import { extname } from 'node:path';
import type { Variable } from '@orchard/contracts';
import { arrowOf, columnOfTexts, csvField, parquetOf, typedColumn, type TypedColumn } from '@orchard/dataset';
import { UsageError } from '../errors.js';

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

/** The bytes of a file of rows. @param csv of the columns, where it is not {@link csvOfColumns} */
export async function encodeTable(
  ending: TableEnding,
  columns: readonly TextColumn[],
  csv = csvOfColumns,
): Promise<Uint8Array[]> {
  if (ending === '.csv') return [new TextEncoder().encode(csv(columns))];
  return [await encodeTyped(ending, columns.map(typed))];
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
export function encodeTyped(
  ending: Exclude<TableEnding, '.csv'>,
  columns: readonly TypedColumn[],
): Promise<Uint8Array> {
  return ending === '.parquet' ? parquetOf(columns) : arrowOf(columns);
}

function typed({ name, texts, variable }: TextColumn): TypedColumn {
  return variable === undefined ? columnOfTexts(name, texts) : typedColumn(variable, texts);
}

export function csvOfColumns(columns: readonly TextColumn[]): string {
  const lines = [columns.map(({ name }) => csvField(name)).join(',')];
  const rows = columns[0]?.texts.length ?? 0;
  for (let row = 0; row < rows; row++) lines.push(columns.map(({ texts }) => csvField(texts[row] ?? '')).join(','));
  return `${lines.join('\n')}\n`;
}
