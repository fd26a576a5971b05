import { open } from 'node:fs/promises';
import type { RecordBatch, Schema } from 'apache-arrow';
import { DatasetError } from '../../errors.js';
import { distinctNames, givenNames } from '../column-names.js';
import type { RawColumn } from '../raw-column.js';
import { batchRows, placesWhere, type RawBatch, type RawTable } from '../raw-table.js';
import type { RowFile } from '../../reading/row-file.js';
import type { TableContext } from '../table-options.js';

/**
 * Feather and Arrow's files and streams. Record batches are read one at a time, and their cells a few rows at a time.
 */
export async function openArrow(file: RowFile, context: TableContext, isStream: boolean): Promise<RawTable> {
  const schema = await refusing(context, () => readSchema(file, isStream));
  const { unreadableCells, hasFractions } = await import('./arrow-cells.js');
  const unreadable = new Map<number, string>();
  schema.fields.forEach((field, i) => {
    const cells = unreadableCells(field);
    if (cells !== null) unreadable.set(i, cells);
  });
  const notes: string[] = [];
  const names = schema.fields.map(({ name }) => name);
  return {
    name: context.name,
    format: 'arrow',
    columns: givenNames(context, names.length) ?? distinctNames(names, notes),
    hasHeader: true,
    fractions: placesWhere(schema.fields, hasFractions),
    unreadable,
    notes,
    batches: (needed) =>
      readBatches(file, context, schema, isStream, (i) => needed?.has(i) !== false && !unreadable.has(i)),
    close: () => file.close(),
  };
}

async function readSchema(file: RowFile, isStream: boolean): Promise<Schema> {
  for await (const item of readRecords(file, isStream)) if ('fields' in item) return item;
  throw new RangeError('it has no schema');
}

async function* readBatches(
  file: RowFile,
  context: TableContext,
  { fields }: Schema,
  isStream: boolean,
  isNeeded: (column: number) => boolean,
): AsyncGenerator<RawBatch, void> {
  const { ArrowCells } = await import('./arrow-cells.js');
  const readers = fields.map(() => new ArrowCells());
  const records = readRecords(file, isStream);
  const most = batchRows(fields.length);
  let rows = 0;
  try {
    for (;;) {
      const { value } = await refusing(context, () => records.next());
      if (value === undefined) break;
      if ('fields' in value) continue;
      const { numRows, data } = value;
      for (let from = 0; from < numRows; from += most) {
        const to = Math.min(numRows, from + most);
        const cells = (): RawColumn[] =>
          readers.map((reader, i) => (isNeeded(i) ? reader.cells(data.children[i]!, from, to) : []));
        yield { rows: to - from, columns: await refusing(context, () => Promise.resolve().then(cells)) };
      }
      rows += numRows;
    }
  } finally {
    await records.return();
  }
  if (rows > 0) return;
  throw new DatasetError('empty', {
    got: 'no row',
    expected: 'at least one row',
    where: context.name,
    remedy: 'Check that the right file was given.',
  });
}

/** The schema, and then the record batches. */
async function* readRecords(file: RowFile, isStream: boolean): AsyncGenerator<Schema | RecordBatch, void> {
  const { compressionRegistry, CompressionType, RecordBatchReader } = await import('apache-arrow');
  const lz4 = await import('lz4js');
  const zstd = await import('fzstd');
  compressionRegistry.set(CompressionType.LZ4_FRAME, { decode: (bytes) => lz4.decompress(bytes) });
  // a copy: views on the numbers within must begin at multiples of 8
  compressionRegistry.set(CompressionType.ZSTD, { decode: (bytes) => zstd.decompress(bytes).slice() });
  const handle = isStream ? null : await open(await file.path());
  const bytes = file.bytes();
  try {
    const reader = await (handle
      ? RecordBatchReader.from(handle)
      : RecordBatchReader.from(bytes as AsyncIterable<Uint8Array>));
    await reader.open();
    yield reader.schema;
    for await (const batch of reader) yield batch;
  } finally {
    await bytes.return();
    // the reader may have closed it
    await handle?.close().catch(() => undefined);
  }
}

async function refusing<Result>(context: TableContext, read: () => Promise<Result>): Promise<Result> {
  try {
    return await read();
  } catch (cause) {
    if (cause instanceof DatasetError) throw cause;
    throw new DatasetError(
      'format',
      {
        got: `an Arrow file that does not hold (${cause instanceof Error ? cause.message : String(cause)})`,
        expected: 'a whole Feather or Arrow file',
        where: context.name,
        remedy:
          'Copy the file again, or write it anew with df.to_feather("table.feather", compression="uncompressed").',
      },
      { cause },
    );
  }
}
