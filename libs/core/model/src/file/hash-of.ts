import { createHash, type Hash } from 'node:crypto';

/** What is hashed at once: Node refuses 2 GiB and more. */
const PIECE = 2 ** 30;

/**
 * The SHA-256 of bytes, however many, ready to be digested.
 * @param piece bytes at once
 */
export function hashOf(bytes: Uint8Array, piece = PIECE): Hash {
  const hash = createHash('sha256');
  for (let at = 0; at < bytes.length; at += piece) hash.update(bytes.subarray(at, at + piece));
  return hash;
}
