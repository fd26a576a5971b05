import type { TypedColumn } from './typed-column.js';

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
};

/** Rows as a Parquet file, whose bytes depend on the rows alone. */
export async function parquetOf(columns: readonly TypedColumn[]): Promise<Uint8Array> {
  const { parquetWriteBuffer } = await import('hyparquet-writer');
  const isMoment = ({ type }: TypedColumn): boolean => type === 'day' || type === 'moment';
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
  });
  return new Uint8Array(buffer);
}
