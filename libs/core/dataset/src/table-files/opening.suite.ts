import { mkdtempSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { sourceOf } from '../bit-files/reading.suite.js';
import { openTable } from './open-table.js';
import type { RawCell, RawTable } from './raw-table.js';
import type { TableFileOptions } from './table-options.js';

// other processes spool too: what this one leaves behind is to be seen alone
process.env['TMPDIR'] = mkdtempSync(join(tmpdir(), 'orchard-test-'));

export type Opening = TableFileOptions & { name?: string; chunkBytes?: number };

/** A table as it was read, row by row. */
export interface WholeTable extends Pick<RawTable, 'columns' | 'hasHeader' | 'notes' | 'format'> {
  readonly rows: RawCell[][];
}

/** Reads a text, bytes or a file (by its URL) to the end. */
export async function readTable(content: string | Uint8Array | URL, options: Opening = {}): Promise<WholeTable> {
  const { name, chunkBytes, ...rest } = options;
  const source = content instanceof URL ? fileURLToPath(content) : sourceOf(content, name ?? 'x.csv', chunkBytes);
  const table = await openTable(source, rest);
  try {
    const { columns, hasHeader, format } = table;
    const rows = await rowsOf(table);
    return { columns, hasHeader, format, rows, notes: table.notes };
  } finally {
    await table.close();
  }
}

/** The rows of a pass. */
export async function rowsOf(table: RawTable): Promise<RawCell[][]> {
  const rows: RawCell[][] = [];
  for await (const batch of table.batches())
    for (let row = 0; row < batch.rows; row++) rows.push(batch.columns.map((column) => column.at(row)!));
  return rows;
}

/** Folders of spooled copies that lie around. */
export function spools(): string[] {
  return readdirSync(tmpdir()).filter((name) => name.startsWith('orchard-table-'));
}

/** A file that one of the programs of `fixtures/make.py` wrote. */
export function fixture(name: string): URL {
  return new URL(`fixtures/${name}`, import.meta.url);
}

/** The path of such a file, also where paths begin with the letter of a drive. */
export function fixturePath(name: string): string {
  return fileURLToPath(fixture(name));
}

/** The table that `fixtures/make.py` writes with pandas, as typed files have it. */
export const SURVEY_COLUMNS = ['city', 'smoker', 'children', 'height', 'since', 'seen', 'born', 'grade', 'id'];
export const SURVEY_ROWS: RawCell[][] = [
  ['Kiel', true, 0, 1.82, '2020-01-31T00:00:00', '2026-01-31T08:30:00', '2020-01-31', 'low', '9007199254740993'],
  ['Lund', false, 2, 1.75, '2021-02-28T00:00:00', '2026-01-31T08:30:00.500', '2021-02-28', 'high', 2],
  [null, true, null, null, null, null, null, null, 3],
  ['Kiel', false, 1, 1.64, '1969-12-31T00:00:00', '1969-12-31T23:59:59.999999', '1969-12-31', 'low', 4],
  ['Århus', true, 3, 1.7, '2024-02-29T00:00:00', '2026-11-22T00:00:01', '2024-02-29', 'high', '4611686018427387904'],
];
