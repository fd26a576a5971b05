import { createHash } from 'node:crypto';
import type { BitMatrix } from './bit-matrix.js';

const BLOCK_BYTES = 1 << 18;
const WIDE_BYTES = 48;

/**
 * SHA-256 of what the data set *is*, in hex. Neither stride, header, nor kind of buffer enters. Little-endian, in this
 * order: the 8 bytes `ORCHDATA`; u32 1 (version of this layout); u32 rows; u32 dimensions; u32 1 with names, 0 without,
 * and with names for each a u32 byte length and its UTF-8; u32 height, u32 width (0, 0 without a shape); then for each
 * row `ceil(dimensions / 8)` bytes, most significant bit first, padded with zero bits. Rows of a table have 2 instead
 * of the names' flag, and behind it a u32 byte length and the JSON of the table and of `tailNats` as their buffer holds
 * it.
 */
export function contentHash(matrix: BitMatrix): string {
  const { rows, dimensions, stride, bytes, names, shape } = matrix;
  const { document } = matrix.columns;
  const hash = createHash('sha256');
  const u32 = (...values: number[]): void => {
    const view = new DataView(new ArrayBuffer(4 * values.length));
    values.forEach((value, i) => {
      view.setUint32(4 * i, value, true);
    });
    hash.update(view);
  };
  hash.update('ORCHDATA', 'latin1');
  u32(1, rows, dimensions, document ? 2 : names ? 1 : 0);
  for (const text of document ? [JSON.stringify(document)] : (names ?? [])) {
    const bytes = new TextEncoder().encode(text);
    u32(bytes.length);
    hash.update(bytes);
  }
  u32(shape?.[0] ?? 0, shape?.[1] ?? 0);

  const rowBytes = Math.ceil(dimensions / 8);
  const rowsAtOnce = Math.max(1, Math.floor(BLOCK_BYTES / stride));
  if (rowBytes === stride) {
    for (let first = 0; first < rows; first += rowsAtOnce)
      hash.update(bytes.subarray(first * stride, Math.min(rows, first + rowsAtOnce) * stride));
    return hash.digest('hex');
  }
  // rows without their padding, a block at a time; wide ones are copied whole, since a copy costs as much as some bytes
  // one by one
  const isWide = rowBytes >= WIDE_BYTES;
  const block = new Uint8Array(Math.min(rowsAtOnce, rows) * rowBytes);
  for (let first = 0; first < rows; first += rowsAtOnce) {
    const count = Math.min(rowsAtOnce, rows - first);
    for (let row = 0; row < count; row++) {
      const from = (first + row) * stride;
      const to = row * rowBytes;
      if (isWide) block.set(bytes.subarray(from, from + rowBytes), to);
      else for (let at = 0; at < rowBytes; at++) block[to + at] = bytes[from + at]!;
    }
    hash.update(block.subarray(0, count * rowBytes));
  }
  return hash.digest('hex');
}
