import type * as Arrow from 'apache-arrow';
import type { DataType } from 'apache-arrow';
import { rowGroups, type TypedBatches } from './row-groups.js';
import type { ColumnHead, TypedValues } from './typed-column.js';

/** Rows of a record batch, where they are not wide, and cells of one. */
const BATCH_ROWS = 2 ** 16;
const BATCH_VALUES = 2 ** 21;

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
  } satisfies Record<ColumnHead['type'], (column: ColumnHead) => DataType>;
}

/** What columns are called, and their types; any may have missing values. */
function schemaOf(arrow: typeof Arrow, columns: readonly ColumnHead[]): Arrow.Schema {
  const types = typesOf(arrow);
  return new arrow.Schema(
    columns.map((column) => new arrow.Field<DataType>(column.name, types[column.type](column), true)),
  );
}

/** The types of columns as an IPC stream without rows, which is how other formats keep them beside their own. */
export async function arrowSchemaOf(columns: readonly ColumnHead[]): Promise<Uint8Array> {
  const arrow = await import('apache-arrow');
  return arrow.tableToIPC(new arrow.Table(schemaOf(arrow, columns)), 'stream');
}

/** Rows as an Arrow IPC file, which Feather is too, piece after piece: a record batch is held at a time. */
export async function* arrowPieces(
  columns: readonly ColumnHead[],
  batches: TypedBatches,
): AsyncGenerator<Uint8Array, void> {
  const arrow = await import('apache-arrow');
  let pieces: Uint8Array[] = [];
  /** What the library writes is handed on at once; its own queue would hold all of it. */
  class Sink extends arrow.AsyncByteQueue {
    override write(bytes: Uint8Array): void {
      pieces.push(bytes);
    }
  }
  const taken = function* (): Generator<Uint8Array, void> {
    yield* pieces;
    pieces = [];
  };
  const schema = schemaOf(arrow, columns);
  const { fields } = schema;
  const writer = new arrow.RecordBatchFileWriter();
  writer.reset(new Sink(), schema);
  const most = Math.max(1, Math.min(BATCH_ROWS, Math.floor(BATCH_VALUES / columns.length)));
  for await (const group of rowGroups(batches, () => most)) {
    const children = group.map((values, at) => dataOf(arrow, columns[at]!, values, fields[at]!.type));
    const struct = { type: new arrow.Struct(fields), length: group[0]!.length, nullCount: 0, children };
    writer.write(new arrow.RecordBatch(schema, arrow.makeData(struct)));
    yield* taken();
  }
  writer.finish();
  yield* taken();
}

/** The library's builders take moments as milliseconds alone: their units are handed over as they are stored. */
function dataOf(arrow: typeof Arrow, { moments }: ColumnHead, values: TypedValues, type: DataType): Arrow.Data {
  if (moments === undefined) return arrow.vectorFromArray(values, type).data[0]!;
  const nullBitmap = new Uint8Array(Math.ceil(values.length / 64) * 8);
  const units = new BigInt64Array(values.length);
  values.forEach((value, row) => {
    if (value === null) return;
    nullBitmap[row >> 3]! |= 1 << (row & 7);
    units[row] = value as bigint;
  });
  const nullCount = values.filter((value) => value === null).length;
  const data = { type: type as Arrow.Timestamp, length: values.length, nullCount, nullBitmap, data: units };
  return arrow.makeData(data);
}
