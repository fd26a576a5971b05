// Instead of node:crypto in what is packed for browsers, where hashes can only be waited for: as much of it as model
// files need.
import { sha256 } from '@noble/hashes/sha2.js';

interface Hash {
  update(data: Uint8Array | DataView | string, encoding?: 'latin1'): Hash;
  digest(): Uint8Array;
  digest(encoding: 'hex'): string;
}

export function createHash(algorithm: 'sha256'): Hash {
  if ((algorithm as string) !== 'sha256') throw new RangeError(`there is no ${algorithm} here, only sha256`);
  const state = sha256.create();
  const digest = (encoding?: 'hex'): Uint8Array | string => {
    const bytes = state.digest();
    if (encoding === undefined) return bytes;
    return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  };
  const hash: Hash = {
    update: (data) => {
      // text is ASCII
      state.update(typeof data === 'string' ? new TextEncoder().encode(data) : bytesOf(data));
      return hash;
    },
    digest: digest as Hash['digest'],
  };
  return hash;
}

function bytesOf({ buffer, byteOffset, byteLength }: Uint8Array | DataView): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}
