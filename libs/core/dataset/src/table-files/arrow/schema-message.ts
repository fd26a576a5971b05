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
  return UNREAD_TYPES.get(type) ?? (type > 26 ? `number ${type}` : null);
}

function lengthOf(bytes: Uint8Array, from: number): { readonly head: number; readonly length: number } {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (from + 8 > bytes.length) return { head: 0, length: 0 };
  const first = view.getUint32(from, true);
  return first === CONTINUATION ? { head: 8, length: view.getUint32(from + 4, true) } : { head: 4, length: first };
}

/** FlatBuffers: a table begins with the way back to the list of where its fields are. */
function readMessage(view: DataView): SchemaMessage | null {
  const message = view.getUint32(0, true);
  const version = fieldAt(view, message, 0);
  const kind = fieldAt(view, message, 1);
  const header = fieldAt(view, message, 2);
  if (kind === 0 || header === 0 || view.getUint8(kind) !== SCHEMA) return null;
  if (version !== 0 && view.getUint16(version, true) > LATEST_VERSION) return null;
  const schema = header + view.getUint32(header, true);
  const endianness = fieldAt(view, schema, 0);
  const fields = fieldAt(view, schema, 1);
  const isBigEndian = endianness !== 0 && view.getUint16(endianness, true) === 1;
  return { isBigEndian, columns: fields === 0 ? [] : tablesAt(view, fields).map((field) => columnOf(view, field)) };
}

function columnOf(view: DataView, field: number): SchemaMessage['columns'][number] {
  const name = fieldAt(view, field, 0);
  const type = fieldAt(view, field, 2);
  const children = fieldAt(view, field, 5);
  const own = type === 0 ? 0 : view.getUint8(type);
  const inner = children === 0 ? [] : tablesAt(view, children).map((child) => columnOf(view, child).type);
  // a column is read no more than what is in it
  return { name: name === 0 ? '' : textAt(view, name), type: inner.find((each) => unreadType(each) !== null) ?? own };
}

/** Where a field of a table is; 0 where it has its default. */
function fieldAt(view: DataView, table: number, field: number): number {
  const places = table - view.getInt32(table, true);
  const at = 4 + 2 * field;
  if (at >= view.getUint16(places, true)) return 0;
  const offset = view.getUint16(places + at, true);
  return offset === 0 ? 0 : table + offset;
}

function tablesAt(view: DataView, at: number): number[] {
  const vector = at + view.getUint32(at, true);
  const count = view.getUint32(vector, true);
  if (vector + 4 + 4 * count > view.byteLength) throw new RangeError('a list that ends too late');
  return Array.from({ length: count }, (_, i) => {
    const place = vector + 4 + 4 * i;
    return place + view.getUint32(place, true);
  });
}

function textAt(view: DataView, at: number): string {
  const start = at + view.getUint32(at, true);
  const length = view.getUint32(start, true);
  if (start + 4 + length > view.byteLength) throw new RangeError('a text that ends too late');
  return new TextDecoder().decode(new Uint8Array(view.buffer, view.byteOffset + start + 4, length));
}
