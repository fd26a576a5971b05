import { open } from 'node:fs/promises';
import type { RecordBatch, Schema } from 'apache-arrow';
import { DatasetError, quote } from '../../errors.js';
import { distinctNames, givenNames } from '../column-names.js';
import type { RawColumn } from '../raw-column.js';
import { batchRows, placesWhere, type RawBatch, type RawTable } from '../raw-table.js';
import type { RowFile } from '../../reading/row-file.js';
import type { TableContext } from '../table-options.js';
import { leavingOutUnread } from './left-out-columns.js';
import { isUnknownType, messageBytes, schemaMessage, unreadType } from './schema-message.js';

/**
 * Feather and Arrow's files and streams. Record batches are read one at a time, and their cells a few rows at a time.
 */
export async function openArrow(file: RowFile, context: TableContext, isStream: boolean): Promise<RawTable> {
  const unread = await unreadColumns(file, context, isStream ? 0 : MAGIC_BYTES);
  const way: Way = { isStream, isLeavingOut: unread.size > 0 };
  const schema = await refusing(context, () => readSchema(file, way));
  const { unreadableCells, hasFractions, kindOf } = await import('./arrow-cells.js');
  const unreadable = new Map<number, string>();
  schema.fields.forEach((field, i) => {
    const cells = unread.get(i) ?? unreadableCells(field);
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
    kinds: schema.fields.map((field, i) => unreadable.get(i) ?? kindOf(field)),
    unreadable,
    notes,
    batches: (needed) => readBatches(file, context, schema, way, (i) => needed?.has(i) !== false && !unreadable.has(i)),
    close: () => file.close(),
  };
}

/** What stands before the schema in a file, but not in a stream. */
const MAGIC_BYTES = 8;

/** How the bytes of a file are read. */
interface Way {
  readonly isStream: boolean;
  /** Whether columns of types that the library does not know are passed over. */
  readonly isLeavingOut: boolean;
}

/**
 * The columns, by number, of types that the library does not know, and what their cells are.
 *
 * @throws DatasetError for what it would read wrong
 */
async function unreadColumns(file: RowFile, { name }: TableContext, from: number): Promise<Map<number, string>> {
  const size = messageBytes(await file.head(from + 8), from);
  const found = size === 0 ? null : schemaMessage(await file.head(from + size), from);
  // anything else is refused where it is read
  if (found === null) return new Map();
  const write = (what: string): string =>
    `Write it anew with pyarrow: feather.write_feather(ipc.open_${from === 0 ? 'stream' : 'file'}("FILE").read_all()${what}, "table.feather").`;
  if (found.isBigEndian)
    throw new DatasetError('format', {
      got: 'an Arrow file whose numbers are big-endian',
      expected: 'little-endian numbers, as almost all machines write',
      where: name,
      remedy: write(''),
    });
  const unknown = found.columns.filter(({ type }) => isUnknownType(type));
  if (unknown.length > 0)
    throw new DatasetError('format', {
      got: `columns of types that are not known here: ${unknown.map((each) => `${quote(each.name)} (${unreadType(each.type)})`).join(', ')}`,
      expected: 'columns of numbers, texts, truth values, dates and times, and at most lists beside them',
      where: name,
      remedy: write(`.drop_columns(${JSON.stringify(unknown.map((each) => each.name))})`),
    });
  return new Map(
    found.columns.flatMap(({ type }, i) => {
      const word = unreadType(type);
      return word === null ? [] : [[i, `values of the type ${word}`] as const];
    }),
  );
}

async function readSchema(file: RowFile, way: Way): Promise<Schema> {
  for await (const item of readRecords(file, way)) if ('fields' in item) return item;
  throw new RangeError('it has no schema');
}

async function* readBatches(
  file: RowFile,
  context: TableContext,
  { fields }: Schema,
  way: Way,
  isNeeded: (column: number) => boolean,
): AsyncGenerator<RawBatch, void> {
  const { ArrowCells } = await import('./arrow-cells.js');
  const readers = fields.map(
    ({ name }) => new ArrowCells({ where: `${context.name}, column ${quote(name)}`, wordFor: context.wordFor }),
  );
  const records = readRecords(file, way);
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
async function* readRecords(file: RowFile, way: Way): AsyncGenerator<Schema | RecordBatch, void> {
  const { compressionRegistry, CompressionType, RecordBatchReader } = await import('apache-arrow');
  const lz4 = await import('lz4js');
  const zstd = await import('fzstd');
  compressionRegistry.set(CompressionType.LZ4_FRAME, { decode: (bytes) => lz4.decompress(bytes) });
  // a copy: views on the numbers within must begin at multiples of 8
  compressionRegistry.set(CompressionType.ZSTD, { decode: (bytes) => zstd.decompress(bytes).slice() });
  const handle = way.isStream || way.isLeavingOut ? null : await open(await file.path());
  const bytes = way.isLeavingOut ? leavingOutUnread(file.bytes(), way.isStream ? 0 : MAGIC_BYTES) : file.bytes();
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
