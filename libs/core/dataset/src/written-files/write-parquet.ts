import type { TypedColumn } from './typed-column.js';
import { arrowSchemaOf } from './write-arrow.js';

type Element = {
  type: 'BYTE_ARRAY' | 'DOUBLE' | 'INT64' | 'INT32' | 'BOOLEAN';
  converted_type?: 'UTF8' | 'DATE' | 'TIMESTAMP_MILLIS';
};

const elements: Readonly<Record<TypedColumn['type'], Element>> = {
  text: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
  number: { type: 'DOUBLE' },
  whole: { type: 'INT64' },
  boolean: { type: 'BOOLEAN' },
  day: { type: 'INT32', converted_type: 'DATE' },
  moment: { type: 'INT64', converted_type: 'TIMESTAMP_MILLIS' },
  // Parquet has no such type: the Arrow schema beside its own says what the numbers are
  microseconds: { type: 'INT64' },
  nanoseconds: { type: 'INT64' },
};

/** Rows as a Parquet file, whose bytes depend on the rows alone. */
export async function parquetOf(columns: readonly TypedColumn[]): Promise<Uint8Array> {
  const { parquetWriteBuffer } = await import('hyparquet-writer');
  const isMoment = ({ type }: TypedColumn): boolean => type === 'day' || type === 'moment';
  const isDuration = ({ type }: TypedColumn): boolean => type === 'microseconds' || type === 'nanoseconds';
  const buffer = parquetWriteBuffer({
    columnData: columns.map((column) => ({
      name: column.name,
      data: isMoment(column)
        ? column.values.map((value) => (value === null ? null : new Date(Number(value))))
        : [...column.values],
    })),
    schema: [
      { name: 'root', num_children: columns.length },
      ...columns.map(({ name, type }) => ({ name, repetition_type: 'OPTIONAL' as const, ...elements[type] })),
    ],
    createdBy: 'orchard',
    ...(columns.some(isDuration) && {
      kvMetadata: [{ key: 'ARROW:schema', value: Buffer.from(await arrowSchemaOf(columns)).toString('base64') }],
    }),
  });
  return new Uint8Array(buffer);
}
