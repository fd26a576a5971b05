// Instead of node:zlib in what is packed for browsers, where streams can only be waited for: as much of it as model
// files need.
import { inflateSync } from 'fflate';

export function inflateRawSync(stream: Uint8Array): Uint8Array {
  return inflateSync(stream);
}

/** Named by the readers of files: a page unzips what it is given before it hands it over. */
export function createGunzip(): never {
  throw new Error('Files are not read in browsers.');
}
