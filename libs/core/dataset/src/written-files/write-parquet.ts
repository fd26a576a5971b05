import type { TypedColumn } from './typed-column.js';
import { arrowSchemaOf } from './write-arrow.js';

type Element = {
  type: 'BYTE_ARRAY' | 'DOUBLE' | 'INT64' | 'INT32' | 'BOOLEAN';
  converted_type?: 'UTF8' | 'DATE';
};

const UNITS = { 3: 'MILLIS', 6: 'MICROS', 9: 'NANOS' } as const;

/** What a column says of its values. Without `isAdjustedToUTC` a moment would be read as one of UTC. */
function elementOf({ type, moments }: TypedColumn) {
  if (moments === undefined) return elements[type];
  const { digits, isUtc } = moments;
  return {
    ...elements[type],
    logical_type: { type: 'TIMESTAMP' as const, isAdjustedToUTC: isUtc, unit: UNITS[digits] },
  };
}

const elements: Readonly<Record<TypedColumn['type'], Element>> = {
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

/** Rows as a Parquet file, whose bytes depend on the rows alone. */
export async function parquetOf(columns: readonly TypedColumn[]): Promise<Uint8Array> {
  const { parquetWriteBuffer } = await import('hyparquet-writer');
  const isDay = ({ type }: TypedColumn): boolean => type === 'day';
  const isDuration = ({ type }: TypedColumn): boolean => type === 'microseconds' || type === 'nanoseconds';
  const buffer = parquetWriteBuffer({
    columnData: columns.map((column) => ({
      name: column.name,
      data: isDay(column)
        ? column.values.map((value) => (value === null ? null : new Date(Number(value))))
        : [...column.values],
    })),
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
  return new Uint8Array(buffer);
}
