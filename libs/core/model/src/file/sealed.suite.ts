import { createHash } from 'node:crypto';

/** Whether the last 32 bytes are the SHA-256 of all others, as in a model file of version 2. */
export function isSealed(file: Uint8Array): boolean {
  return file.length > 32 && Buffer.compare(sealed(file), file) === 0;
}

/** A copy whose last 32 bytes are the SHA-256 of all others: what is wrong with it is no accident of transport. */
export function sealed(file: Uint8Array): Uint8Array {
  const copy = Uint8Array.from(file);
  if (copy.length >= 32) copy.set(createHash('sha256').update(copy.subarray(0, -32)).digest(), copy.length - 32);
  return copy;
}
