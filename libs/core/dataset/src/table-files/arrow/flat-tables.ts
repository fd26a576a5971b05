/** FlatBuffers: a table begins with the way back to the list of where its fields are. */

/** Where a field of a table is; 0 where it has its default. @throws RangeError beyond the bytes, as all of these */
export function fieldAt(view: DataView, table: number, field: number): number {
  const places = table - view.getInt32(table, true);
  const at = 4 + 2 * field;
  if (at >= view.getUint16(places, true)) return 0;
  const offset = view.getUint16(places + at, true);
  return offset === 0 ? 0 : table + offset;
}

/** Where a field points to: another table, a list or a text; 0 where there is none. */
export function targetAt(view: DataView, table: number, field: number): number {
  const at = fieldAt(view, table, field);
  return at === 0 ? 0 : at + view.getUint32(at, true);
}

/** The tables of a list that a field of a table points to. */
export function tablesAt(view: DataView, table: number, field: number): number[] {
  const vector = targetAt(view, table, field);
  if (vector === 0) return [];
  const count = view.getUint32(vector, true);
  if (vector + 4 + 4 * count > view.byteLength) throw new RangeError('a list that ends too late');
  return Array.from({ length: count }, (_, i) => {
    const place = vector + 4 + 4 * i;
    return place + view.getUint32(place, true);
  });
}

export function textAt(view: DataView, table: number, field: number): string {
  const start = targetAt(view, table, field);
  if (start === 0) return '';
  const length = view.getUint32(start, true);
  if (start + 4 + length > view.byteLength) throw new RangeError('a text that ends too late');
  return new TextDecoder().decode(new Uint8Array(view.buffer, view.byteOffset + start + 4, length));
}
