import { foreignFile } from '../table-files/foreign-files.js';
import { binaryFormat, isGzip } from './detect.js';

/** How a whole file is packed. */
export type Packing = 'gzip' | 'bzip2' | 'zstd' | 'zip';

export const PACKINGS: readonly Packing[] = ['gzip', 'bzip2', 'zstd', 'zip'];

/** First bytes that tell how a file is packed, and a plain archive from one of arrays and from a sheet. */
export const PACKING_BYTES = 1 << 12;

/** How a file is packed, by its first bytes; null where it is not. */
export function packingOf(head: Uint8Array): Packing | null {
  const start = Buffer.from(head.buffer, head.byteOffset, head.byteLength).toString('latin1', 0, 10);
  if (isGzip(head)) return 'gzip';
  // a block, or the end of what has none: a text may begin with BZh1
  if (/^BZh[1-9](1AY&SY|\x17rE8P\x90)/.test(start)) return 'bzip2';
  // a frame, or one to be skipped, as parallel compressors begin with
  if (start.startsWith('\x28\xb5\x2f\xfd') || /^[\x50-\x5f]\x2a\x4d\x18/.test(start)) return 'zstd';
  if (!start.startsWith('PK\x03\x04') || binaryFormat(head) !== null) return null;
  return foreignFile(head)?.kind === 'a zip archive' ? 'zip' : null;
}
