import { mkdtempSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sourceOf } from '../reading.suite.js';
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
  const source = content instanceof URL ? content.pathname : sourceOf(content, name ?? 'x.csv', chunkBytes);
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
    for (let row = 0; row < batch.rows; row++) rows.push(batch.columns.map((column) => column[row]!));
  return rows;
}

/** Folders of spooled copies that lie around. */
export function spools(): string[] {
  return readdirSync(tmpdir()).filter((name) => name.startsWith('orchard-table-'));
}
