import { open } from 'node:fs/promises';
import type { AsyncBuffer, FileMetaData } from 'hyparquet';
import { DatasetError } from '../../errors.js';
import { distinctNames, givenNames } from '../column-names.js';
import { batchRows, type RawBatch, type RawCell, type RawTable } from '../raw-table.js';
import type { TableFile } from '../table-file.js';
import type { TableContext } from '../table-options.js';
import { parquetColumn, type ParquetColumn } from './parquet-columns.js';

/** A Parquet file. Its row groups are read one at a time: memory is one of them, decoded. */
export async function openParquet(file: TableFile, context: TableContext): Promise<RawTable> {
  const { parquetMetadataAsync, parquetSchema } = await import('hyparquet');
  const path = await file.path();
  const metadata = await reading(context, path, (buffer) => parquetMetadataAsync(buffer));
  const columns = parquetSchema(metadata).children.map((child) => parquetColumn(child, context.name));
  if (metadata.num_rows === 0n || columns.length === 0)
    throw new DatasetError('empty', {
      got: columns.length === 0 ? 'no column' : 'no row',
      expected: 'at least one row',
      where: context.name,
      remedy: 'Check that the right file was given.',
    });
  const notes: string[] = [];
  const names = columns.map(({ name }) => name);
  const again = names.find((name, i) => names.indexOf(name) < i);
  if (again !== undefined)
    throw new DatasetError('column', {
      got: `the column ${JSON.stringify(again)} twice`,
      expected: 'a name of its own for each column',
      where: context.name,
      remedy: 'Rename one before the file is written.',
    });
  return {
    name: context.name,
    format: 'parquet',
    columns: givenNames(context, columns.length) ?? distinctNames(names, notes),
    hasHeader: true,
    notes,
    batches: () => readGroups(context, path, metadata, columns),
    close: () => file.close(),
  };
}

async function* readGroups(
  context: TableContext,
  path: string,
  metadata: FileMetaData,
  columns: readonly ParquetColumn[],
): AsyncGenerator<RawBatch, void> {
  const most = batchRows(columns.length);
  let start = 0;
  for (const group of metadata.row_groups) {
    const end = start + Number(group.num_rows);
    const decoded = await reading(context, path, async (buffer) => {
      const whole: Chunks[] = [];
      for (const column of columns) whole.push(await readColumn(buffer, metadata, column, start, end));
      return whole;
    });
    for (let from = start; from < end; from += most) {
      const rows = Math.min(most, end - from);
      const offset = from - start;
      yield {
        rows,
        columns: await reading(context, path, () =>
          Promise.resolve(columns.map(({ cellOf }, i) => cellsOf(decoded[i]!, offset, rows, cellOf))),
        ),
      };
    }
    start = end;
  }
}

/** What was decoded of a column in a row group, by the rows at which it begins there. */
type Chunks = readonly { readonly start: number; readonly values: ArrayLike<unknown> }[];

async function readColumn(
  file: AsyncBuffer,
  metadata: FileMetaData,
  { name, parsers }: ParquetColumn,
  rowStart: number,
  rowEnd: number,
): Promise<Chunks> {
  const { parquetRead } = await import('hyparquet');
  const { compressors } = await import('hyparquet-compressors');
  const chunks: { start: number; values: ArrayLike<unknown> }[] = [];
  await parquetRead({
    file,
    metadata,
    columns: [name],
    rowStart,
    rowEnd,
    compressors,
    parsers,
    geoparquet: false,
    onChunk: ({ columnData, rowStart: at }) => chunks.push({ start: at - rowStart, values: columnData }),
  });
  return chunks;
}

function cellsOf(chunks: Chunks, from: number, rows: number, cellOf: (value: unknown) => RawCell): RawCell[] {
  const cells: RawCell[] = [];
  for (const { start, values } of chunks) {
    const end = Math.min(start + values.length, from + rows);
    for (let row = Math.max(start, from + cells.length); row < end; row++) cells.push(cellOf(values[row - start]));
  }
  if (cells.length !== rows) throw new RangeError(`${cells.length} of ${rows} rows are there`);
  return cells;
}

/** Reads with the file open; what the decoder cannot make sense of is refused. */
async function reading<Result>(
  context: TableContext,
  path: string,
  read: (file: AsyncBuffer) => Promise<Result>,
): Promise<Result> {
  const handle = await open(path);
  try {
    const { size } = await handle.stat();
    return await read({
      byteLength: size,
      async slice(start, end = size) {
        const bytes = new Uint8Array(end - start);
        const { bytesRead } = await handle.read(bytes, 0, bytes.length, start);
        if (bytesRead < bytes.length) throw new RangeError('it ends too early');
        return bytes.buffer;
      },
    });
  } catch (cause) {
    if (cause instanceof DatasetError) throw cause;
    throw new DatasetError(
      'format',
      {
        got: `a Parquet file that does not hold (${(cause as Error).message})`,
        expected: 'a whole Parquet file',
        where: context.name,
        remedy: 'Copy the file again, or write it anew with df.to_parquet("table.parquet").',
      },
      { cause },
    );
  } finally {
    await handle.close();
  }
}
