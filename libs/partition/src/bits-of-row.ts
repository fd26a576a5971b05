import type { BitMatrix } from '@orchard/dataset';

/** The values of a row, a byte each. */
export function bitsInto({ bytes, stride }: BitMatrix, row: number, values: Uint8Array): void {
  const start = row * stride;
  for (let dim = 0; dim < values.length; dim++) values[dim] = (bytes[start + (dim >> 3)]! >> (7 - (dim & 7))) & 1;
}
