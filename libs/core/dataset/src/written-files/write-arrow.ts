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
    moment: ({ moments }) => {
      const unit = { 3: arrow.TimeUnit.MILLISECOND, 6: arrow.TimeUnit.MICROSECOND, 9: arrow.TimeUnit.NANOSECOND };
      return new arrow.Timestamp(unit[moments!.digits], moments!.isUtc ? 'UTC' : null);
    },
    microseconds: () => new arrow.DurationMicrosecond(),
    nanoseconds: () => new arrow.DurationNanosecond(),
  } satisfies Record<TypedColumn['type'], (column: TypedColumn) => DataType>;
}

/** The types of columns as an IPC stream without rows, which is how other formats keep them beside their own. */
export async function arrowSchemaOf(columns: readonly TypedColumn[]): Promise<Uint8Array> {
  const arrow = await import('apache-arrow');
  const types = typesOf(arrow);
  const fields = columns.map((column) => new arrow.Field<DataType>(column.name, types[column.type](column), true));
  return arrow.tableToIPC(new arrow.Table(new arrow.Schema(fields)), 'stream');
}

/** Rows as an Arrow IPC file, which Feather is too. */
export async function arrowOf(columns: readonly TypedColumn[]): Promise<Uint8Array> {
  const arrow = await import('apache-arrow');
  const types = typesOf(arrow);
  const vectors = columns.map((column) => [column.name, vectorOf(arrow, column, types[column.type](column))] as const);
  return arrow.tableToIPC(new arrow.Table(Object.fromEntries(vectors)), 'file');
}

/** The library's builders take moments as milliseconds alone: their units are handed over as they are stored. */
function vectorOf(arrow: typeof Arrow, { values, moments }: TypedColumn, type: DataType): Arrow.Vector {
  if (moments === undefined) return arrow.vectorFromArray(values, type);
  const nullBitmap = new Uint8Array(Math.ceil(values.length / 64) * 8);
  const units = new BigInt64Array(values.length);
  values.forEach((value, row) => {
    if (value === null) return;
    nullBitmap[row >> 3]! |= 1 << (row & 7);
    units[row] = value as bigint;
  });
  const nullCount = values.filter((value) => value === null).length;
  const data = { type: type as Arrow.Timestamp, length: values.length, nullCount, nullBitmap, data: units };
  return arrow.makeVector(arrow.makeData(data));
}
