import { rowGroups, type TypedBatches } from './row-groups.js';
import type { ColumnHead, TypedValue } from './typed-column.js';
import { arrowSchemaOf } from './write-arrow.js';

type Element = {
  type: 'BYTE_ARRAY' | 'DOUBLE' | 'INT64' | 'INT32' | 'BOOLEAN';
  converted_type?: 'UTF8' | 'DATE';
};

const UNITS = { 3: 'MILLIS', 6: 'MICROS', 9: 'NANOS' } as const;

/** What a column says of its values. Without `isAdjustedToUTC` a moment would be read as one of UTC. */
function elementOf({ type, moments }: ColumnHead) {
  if (moments === undefined) return elements[type];
  const { digits, isUtc } = moments;
  return {
    ...elements[type],
    logical_type: { type: 'TIMESTAMP' as const, isAdjustedToUTC: isUtc, unit: UNITS[digits] },
  };
}

const elements: Readonly<Record<ColumnHead['type'], Element>> = {
  text: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
  number: { type: 'DOUBLE' },
  whole: { type: 'INT64' },
  boolean: { type: 'BOOLEAN' },
  day: { type: 'INT32', converted_type: 'DATE' },
  moment: { type: 'INT64' },
  // Parquet has no such type: the Arrow schema beside its own says what the numbers are
  microseconds: { type: 'INT64' },
  nanoseconds: { type: 'INT64' },
};

/** Rows of the first row group, by which readers tell what a file is like, and of the others, where not wide. */
const FIRST_GROUP_ROWS = 1000;
const GROUP_ROWS = 100_000;
/** Cells of a row group, at most. */
const GROUP_VALUES = 2 ** 21;

/** Rows as a Parquet file, piece after piece, whose bytes depend on the rows alone: a row group is held at a time. */
export async function* parquetPieces(
  columns: readonly ColumnHead[],
  batches: TypedBatches,
): AsyncGenerator<Uint8Array, void> {
  const { ByteWriter, ParquetWriter } = await import('hyparquet-writer');
  const isDuration = ({ type }: ColumnHead): boolean => type === 'microseconds' || type === 'nanoseconds';
  const writer = new ByteWriter();
  /** What was written since it was last taken; places in the file are counted on. */
  const taken = (): Uint8Array => {
    const bytes = writer.getBytes().slice();
    writer.index = 0;
    return bytes;
  };
  const parquet = new ParquetWriter({
    writer,
    schema: [
      { name: 'root', num_children: columns.length },
      ...columns.map((column) => ({
        name: column.name,
        repetition_type: 'OPTIONAL' as const,
        ...elementOf(column),
      })),
    ],
    createdBy: 'orchard',
    ...(columns.some(isDuration) && {
      kvMetadata: [{ key: 'ARROW:schema', value: Buffer.from(await arrowSchemaOf(columns)).toString('base64') }],
    }),
  });
  const most = Math.max(FIRST_GROUP_ROWS, Math.min(GROUP_ROWS, Math.floor(GROUP_VALUES / columns.length)));
  for await (const group of rowGroups(batches, (index) => (index === 0 ? FIRST_GROUP_ROWS : most))) {
    const columnData = columns.map((column, at) => ({ name: column.name, data: daysIn(column, group[at]!) }));
    await parquet.write({ columnData, rowGroupSize: most });
    yield taken();
  }
  await parquet.finish();
  yield taken();
}

/** Days as the library wants them; all other values as they are. */
function daysIn({ type }: ColumnHead, values: (TypedValue | null)[]): unknown[] {
  if (type !== 'day') return values;
  return values.map((value) => (value === null ? null : new Date(Number(value))));
}
