import { fieldAt, tablesAt, targetAt, textAt } from './flat-tables.js';

/** What a file says of itself before its first rows, as far as no library shows it. */
export interface SchemaMessage {
  readonly isBigEndian: boolean;
  readonly columns: readonly { readonly name: string; readonly type: number }[];
}

/** Arrow's numbers of types that have other buffers than the library reads, and their names. */
const UNREAD_TYPES: ReadonlyMap<number, string> = new Map([
  [22, 'RunEndEncoded'],
  [25, 'ListView'],
  [26, 'LargeListView'],
]);

const CONTINUATION = 0xffffffff;
const SCHEMA = 1;
const LATEST_VERSION = 4;
/** A schema of more bytes is none. */
const MOST_BYTES = 2 ** 26;

/** Bytes that the message which begins there takes, with its head; 0 where none begins. */
export function messageBytes(bytes: Uint8Array, from: number): number {
  const { head, length } = lengthOf(bytes, from);
  return length >= 8 && length <= MOST_BYTES ? head + length : 0;
}

/**
 * The message of a schema that begins there; null where there is none. Streams before Arrow 0.15 have no mark in front.
 */
export function schemaMessage(bytes: Uint8Array, from: number): SchemaMessage | null {
  const { head, length } = lengthOf(bytes, from);
  const start = from + head;
  if (length < 8 || length > MOST_BYTES || start + length > bytes.length) return null;
  try {
    return readMessage(new DataView(bytes.buffer, bytes.byteOffset + start, length));
  } catch (error) {
    // a place beyond the message: these are other bytes
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** The type of a column that is not read, by its name; null for one that is. */
export function unreadType(type: number): string | null {
  return UNREAD_TYPES.get(type) ?? (isUnknownType(type) ? `number ${type}` : null);
}

/** Whether nothing is known of a type, so that a column of it cannot even be left out. */
export function isUnknownType(type: number): boolean {
  return type > 26;
}

/** How many bytes stand in front of the message that begins there, and how many it has. */
function lengthOf(bytes: Uint8Array, from: number): { readonly head: number; readonly length: number } {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (from + 8 > bytes.length) return { head: 0, length: 0 };
  const first = view.getUint32(from, true);
  return first === CONTINUATION ? { head: 8, length: view.getUint32(from + 4, true) } : { head: 4, length: first };
}

function readMessage(view: DataView): SchemaMessage | null {
  const schema = schemaAt(view);
  if (schema === null) return null;
  const endianness = fieldAt(view, schema, 0);
  const isBigEndian = endianness !== 0 && view.getUint16(endianness, true) === 1;
  return { isBigEndian, columns: tablesAt(view, schema, 1).map((field) => columnOf(view, field)) };
}

/** Where the table of a schema begins in its message; null in another message. */
export function schemaAt(view: DataView): number | null {
  const message = view.getUint32(0, true);
  const version = fieldAt(view, message, 0);
  const kind = fieldAt(view, message, 1);
  const schema = targetAt(view, message, 2);
  if (kind === 0 || schema === 0 || view.getUint8(kind) !== SCHEMA) return null;
  return version !== 0 && view.getUint16(version, true) > LATEST_VERSION ? null : schema;
}

/** A column of the table of its field. */
export function columnOf(view: DataView, field: number): SchemaMessage['columns'][number] {
  const type = fieldAt(view, field, 2);
  const own = type === 0 ? 0 : view.getUint8(type);
  const inner = tablesAt(view, field, 5).map((child) => columnOf(view, child).type);
  // a column is read no more than what is in it
  return { name: textAt(view, field, 0), type: inner.find((each) => unreadType(each) !== null) ?? own };
}
