/** Arrays as they lie in a network file: little-endian, whatever the machine is. */

/** Unsigned integers in as few bytes each as the largest needs: 1, 2 or 4. */
export function packIntegers(values: Uint32Array): Uint8Array {
  let largest = 0;
  for (const value of values) if (value > largest) largest = value;
  const width = largest < 0x100 ? 1 : largest < 0x10000 ? 2 : 4;
  if (width === 1) return new Uint8Array(values);
  const bytes = new Uint8Array(values.length * width);
  const view = new DataView(bytes.buffer);
  for (let i = 0; i < values.length; i++) {
    if (width === 2) view.setUint16(2 * i, values[i]!, true);
    else view.setUint32(4 * i, values[i]!, true);
  }
  return bytes;
}

/** The `count` integers of `bytes`, or null where these are not 1, 2 or 4 bytes for each. */
export function unpackIntegers(bytes: Uint8Array, count: number): Uint32Array | null {
  const width = count === 0 ? 1 : bytes.length / count;
  if (bytes.length !== width * count || ![1, 2, 4].includes(width)) return null;
  if (width === 1) return new Uint32Array(bytes);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const values = new Uint32Array(count);
  for (let i = 0; i < count; i++) values[i] = width === 2 ? view.getUint16(2 * i, true) : view.getUint32(4 * i, true);
  return values;
}

export function packFloats(values: Float64Array): Uint8Array {
  const bytes = new Uint8Array(values.length * 8);
  const view = new DataView(bytes.buffer);
  for (let i = 0; i < values.length; i++) view.setFloat64(8 * i, values[i]!, true);
  return bytes;
}

/** The `count` numbers of `bytes`, or null where these are not 8 bytes for each. */
export function unpackFloats(bytes: Uint8Array, count: number): Float64Array | null {
  if (bytes.length !== 8 * count) return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const values = new Float64Array(count);
  for (let i = 0; i < count; i++) values[i] = view.getFloat64(8 * i, true);
  return values;
}
