import type * as Arrow from 'apache-arrow';
import type { DataType } from 'apache-arrow';
import type { TypedColumn } from './typed-column.js';

/** The types of Arrow that columns have. */
function typesOf(arrow: typeof Arrow) {
  return {
    text: () => new arrow.Utf8(),
    number: () => new arrow.Float64(),
    whole: () => new arrow.Int64(),
    boolean: () => new arrow.Bool(),
    day: () => new arrow.DateDay(),
    moment: () => new arrow.TimestampMillisecond(),
    microseconds: () => new arrow.DurationMicrosecond(),
    nanoseconds: () => new arrow.DurationNanosecond(),
  } satisfies Record<TypedColumn['type'], () => DataType>;
}

/** The types of columns as an IPC stream without rows, which is how other formats keep them beside their own. */
export async function arrowSchemaOf(columns: readonly TypedColumn[]): Promise<Uint8Array> {
  const arrow = await import('apache-arrow');
  const types = typesOf(arrow);
  const fields = columns.map(({ name, type }) => new arrow.Field<DataType>(name, types[type](), true));
  return arrow.tableToIPC(new arrow.Table(new arrow.Schema(fields)), 'stream');
}

/** Rows as an Arrow IPC file, which Feather is too. */
export async function arrowOf(columns: readonly TypedColumn[]): Promise<Uint8Array> {
  const arrow = await import('apache-arrow');
  const types = typesOf(arrow);
  const vectors = columns.map(
    ({ name, type, values }) => [name, arrow.vectorFromArray(values, types[type]())] as const,
  );
  return arrow.tableToIPC(new arrow.Table(Object.fromEntries(vectors)), 'file');
}
