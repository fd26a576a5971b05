import { open, type FileHandle } from 'node:fs/promises';
import type { FileMetaData, SchemaTree } from 'hyparquet';
import { DatasetError } from '../../errors.js';
import { distinctNames, givenNames } from '../column-names.js';
import type { RawColumn } from '../raw-column.js';
import { batchRows, placesWhere, type RawBatch, type RawTable } from '../raw-table.js';
import type { RowFile } from '../../reading/row-file.js';
import type { TableContext } from '../table-options.js';
import { parquetColumn, type ParquetColumn } from './parquet-columns.js';
import { durationsOf } from './arrow-schema.js';
import { HeldPages, loadDecoder, ParquetPages, type ReadBytes } from './parquet-pages.js';

/** A Parquet file. Its columns are read page by page, side by side: memory is a page of each, decoded. */
export async function openParquet(file: RowFile, context: TableContext): Promise<RawTable> {
  const { parquetSchema } = await import('hyparquet');
  const path = await file.path();
  const metadata = await reading(context, () => readMetadata(path));
  const schema = parquetSchema(metadata);
  const durations = await durationsOf(metadata);
  const columns = schema.children.map((child, i) => parquetColumn(child, context, durations(i, child.element.name)));
  // of files that were appended to, the number of all rows may be one of before
  const isEmpty = metadata.row_groups.every(({ num_rows }) => num_rows === 0n);
  if (isEmpty || columns.length === 0)
    throw new DatasetError('empty', {
      got: columns.length === 0 ? 'no column' : 'no row',
      expected: 'at least one row',
      where: context.name,
      remedy: 'Check that the right file was given.',
    });
  const notes: string[] = [];
  const names = columns.map(({ name }) => name);
  return {
    name: context.name,
    format: 'parquet',
    columns: givenNames(context, columns.length) ?? distinctNames(names, notes),
    hasHeader: true,
    fractions: placesWhere(columns, ({ hasFractions }) => hasFractions),
    kinds: columns.map(({ kind }) => kind),
    unreadable: unreadableOf(columns),
    notes,
    batches: (needed) => readGroups(context, path, metadata, schema, columns, needed),
    close: () => file.close(),
  };
}

function unreadableOf(columns: readonly ParquetColumn[]): ReadonlyMap<number, string> {
  return new Map(columns.flatMap(({ unreadable }, i) => (unreadable === null ? [] : [[i, unreadable] as const])));
}

async function* readGroups(
  context: TableContext,
  path: string,
  metadata: FileMetaData,
  schema: SchemaTree,
  columns: readonly ParquetColumn[],
  needed: ReadonlySet<number> | undefined,
): AsyncGenerator<RawBatch, void> {
  const most = batchRows(columns.length);
  const firstLeaves = firstLeavesOf(schema);
  const decoder = await loadDecoder();
  const held = new HeldPages(context.options.maxUnpackedBytes);
  const handle = await open(path);
  try {
    const read: ReadBytes = (start, end) => readBytes(handle, start, end);
    for (const { num_rows, columns: chunks } of metadata.row_groups) {
      const rows = Number(num_rows);
      const pages = columns.map((column, i) => {
        if (needed?.has(i) === false || column.unreadable !== null) return null;
        // by its place: names may come twice
        const chunk = chunks[firstLeaves[i]!];
        const isOwn = chunk?.meta_data?.path_in_schema[0] === column.name;
        if (!isOwn || !chunk.meta_data || chunk.file_path)
          throw notWhole(context, new RangeError(`it has no ${column.name}`));
        const path = [schema, schema.children[i]!];
        return new ParquetPages(decoder, read, context.name, column, chunk.meta_data, path, held);
      });
      for (let from = 0; from < rows; from += most) {
        const count = Math.min(most, rows - from);
        yield { rows: count, columns: await reading(context, () => takeAll(pages, count)) };
      }
      pages.forEach((column) => column?.release());
    }
  } finally {
    await handle.close();
  }
}

/** Of each column of the table, the place of its first among those of the file, which has one for each leaf. */
function firstLeavesOf({ children }: SchemaTree): number[] {
  let next = 0;
  return children.map((child) => {
    const first = next;
    next += leavesOf(child);
    return first;
  });
}

function leavesOf({ children }: SchemaTree): number {
  return children.length === 0 ? 1 : children.reduce((sum, child) => sum + leavesOf(child), 0);
}

/** One after another: of what is unpacked, as little as can be is there at a time. */
async function takeAll(pages: readonly (ParquetPages | null)[], rows: number): Promise<RawColumn[]> {
  const cells: RawColumn[] = [];
  for (const column of pages) cells.push(column === null ? [] : await column.take(rows));
  return cells;
}

async function readBytes(file: FileHandle, start: number, end: number): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = new Uint8Array(end - start);
  const { bytesRead } = await file.read(bytes, 0, bytes.length, start);
  if (bytesRead < bytes.length) throw new RangeError('it ends too early');
  return bytes;
}

async function readMetadata(path: string): Promise<FileMetaData> {
  const { parquetMetadataAsync } = await import('hyparquet');
  const handle = await open(path);
  try {
    const { size } = await handle.stat();
    const slice = async (start: number, end = size): Promise<ArrayBuffer> =>
      (await readBytes(handle, start, end)).buffer;
    return await parquetMetadataAsync({ byteLength: size, slice });
  } finally {
    await handle.close();
  }
}

/** What the decoder cannot make sense of is refused. */
async function reading<Result>(context: TableContext, read: () => Promise<Result>): Promise<Result> {
  try {
    return await read();
  } catch (cause) {
    throw cause instanceof DatasetError ? cause : notWhole(context, cause as Error);
  }
}

function notWhole(context: TableContext, cause: Error): DatasetError {
  return new DatasetError(
    'format',
    {
      got: `a Parquet file that does not hold (${cause.message})`,
      expected: 'a whole Parquet file',
      where: context.name,
      remedy: 'Copy the file again, or write it anew with df.to_parquet("table.parquet").',
    },
    { cause },
  );
}
