import type { TypedColumn } from './typed-column.js';

/** Rows as an Arrow IPC file, which Feather is too. */
export async function arrowOf(columns: readonly TypedColumn[]): Promise<Uint8Array> {
  const arrow = await import('apache-arrow');
  const types = {
    text: () => new arrow.Utf8(),
    number: () => new arrow.Float64(),
    whole: () => new arrow.Int64(),
    boolean: () => new arrow.Bool(),
    day: () => new arrow.DateDay(),
    moment: () => new arrow.TimestampMillisecond(),
  };
  const vectors = columns.map(
    ({ name, type, values }) => [name, arrow.vectorFromArray(values, types[type]())] as const,
  );
  return arrow.tableToIPC(new arrow.Table(Object.fromEntries(vectors)), 'file');
}
