import { dayText, durationText, momentText } from '../table-files/iso-text.js';
import type { TypedBatches } from './row-groups.js';
import type { ColumnHead, TypedValue } from './typed-column.js';

/** Characters of a piece, about: large enough to be fast, and few enough to hold beside the rows. */
const PIECE = 2 ** 16;
const DAY = 86_400_000;
const UNITS = { 3: 'ms', 6: 'us', 9: 'ns' } as const;

/**
 * Rows as JSON objects, a line each, piece after piece: numbers and truth values as such, days, moments and durations
 * as the texts that typed files have for them, a missing value as null.
 *
 * @param isList whether they are the elements of one list, as pandas and web services write them
 */
export async function* jsonPieces(
  columns: readonly ColumnHead[],
  batches: TypedBatches,
  isList: boolean,
): AsyncGenerator<Uint8Array, void> {
  const encoder = new TextEncoder();
  const keys = columns.map(({ name }) => `${JSON.stringify(name)}:`);
  const write = columns.map(writerOf);
  let text = '';
  let before = isList ? '[' : '';
  for await (const batch of batches) {
    const rows = batch[0]?.length ?? 0;
    for (let row = 0; row < rows; row++) {
      const cells = keys.map((key, at) => {
        const value = batch[at]![row] ?? null;
        return key + (value === null ? 'null' : write[at]!(value));
      });
      text += `${before}{${cells.join(',')}}`;
      before = isList ? ',\n' : '\n';
      if (text.length < PIECE) continue;
      yield encoder.encode(text);
      text = '';
    }
  }
  const end = isList ? (before === '[' ? '[]\n' : ']\n') : before;
  yield encoder.encode(text + end);
}

function writerOf({ type, moments }: ColumnHead): (value: TypedValue) => string {
  switch (type) {
    case 'text':
      return JSON.stringify;
    case 'number':
      // JSON has no infinite numbers
      return (value) => JSON.stringify(Number.isFinite(value) ? value : String(value));
    case 'whole':
    case 'boolean':
      return String;
    case 'day':
      return (value) => JSON.stringify(dayText(Number(value) / DAY));
    case 'moment':
      return (value) => JSON.stringify(momentText(value as bigint, UNITS[moments!.digits], moments!.isUtc));
    case 'microseconds':
      return (value) => JSON.stringify(durationText(value as bigint, 'us'));
    case 'nanoseconds':
      return (value) => JSON.stringify(durationText(value as bigint, 'ns'));
  }
}
