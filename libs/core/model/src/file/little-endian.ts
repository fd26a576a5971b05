/** Arrays as they lie in a network file: little-endian, whatever the machine is. */

/** Bytes of an unsigned integer: the fewest that hold the largest of all arrays. */
export function widthOf(arrays: Iterable<Uint32Array>): 1 | 2 | 4 {
  let all = 0;
  for (const values of arrays) for (let i = 0; i < values.length; i++) all |= values[i]!;
  return all >>> 0 < 0x100 ? 1 : all >>> 0 < 0x10000 ? 2 : 4;
}

/** Unsigned integers in `width` bytes each. May be a view on `values`. */
export function packIntegers(values: Uint32Array, width = widthOf([values])): Uint8Array {
  if (width === 1) return new Uint8Array(values);
  return inFileOrder(width === 2 ? new Uint16Array(values) : values);
}

/** The `count` integers of `bytes`, or null where these are not 1, 2 or 4 bytes for each. */
export function unpackIntegers(bytes: Uint8Array, count: number): Uint32Array | null {
  const width = count === 0 ? 1 : bytes.length / count;
  if (bytes.length !== width * count || ![1, 2, 4].includes(width)) return null;
  if (width === 1) return new Uint32Array(bytes);
  const own = inHostOrder(bytes, width);
  return width === 2 ? new Uint32Array(new Uint16Array(own)) : new Uint32Array(own);
}

/** May be a view on `values`. */
export function packFloats(values: Float64Array): Uint8Array {
  return inFileOrder(values);
}

/** The `count` numbers of `bytes`, or null where these are not 8 bytes for each. */
export function unpackFloats(bytes: Uint8Array, count: number): Float64Array | null {
  return bytes.length === 8 * count ? new Float64Array(inHostOrder(bytes, 8)) : null;
}

const hostIsBigEndian = new Uint8Array(new Uint16Array([1]).buffer)[0] === 0;

function inFileOrder(values: Uint16Array | Uint32Array | Float64Array): Uint8Array {
  const bytes = new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
  return hostIsBigEndian ? reversed(bytes.slice(), values.BYTES_PER_ELEMENT) : bytes;
}

/** A copy in memory of its own: arrays lie anywhere in a file. */
function inHostOrder(bytes: Uint8Array, width: number): ArrayBuffer {
  const own = new Uint8Array(bytes);
  return (hostIsBigEndian ? reversed(own, width) : own).buffer as ArrayBuffer;
}

/** Each element's bytes the other way round, in place. */
function reversed(bytes: Uint8Array, width: number): Uint8Array {
  for (let at = 0; at < bytes.length; at += width) bytes.subarray(at, at + width).reverse();
  return bytes;
}
