import {
  globMatcher,
  isGlob,
  literalPrefix,
  openRowFile,
  openSources,
  type RowFile,
  type Source,
} from '@orchard/dataset';
import {
  isRemote,
  openWebFile,
  remoteAddress,
  StorageError,
  withoutSecret,
  type BucketAddress,
  type WebAddress,
} from '@orchard/storage';
import type { BucketObject, BucketObjects, S3Configuration } from '@orchard/storage/s3';
import { createHash } from 'node:crypto';

/** How far the bytes of all files have come. */
export interface Transferred {
  readonly name: string;
  readonly bytes: number;
  /** Null where it is not known. */
  readonly size: number | null;
}

export interface RowsAtOptions {
  /** How buckets are reached; credentials are the SDK's to find. */
  readonly s3?: Omit<S3Configuration, 'bucket' | 'prefix'>;
  readonly onProgress?: (transferred: Transferred) => void;
}

/**
 * Rows wherever they lie: a path, a folder or a glob; `s3://bucket/key`, `s3://bucket/folder/` and globs of keys; a
 * file of a web server. What lies elsewhere is first copied below `TMPDIR`, as it is, for as long as the file is open.
 *
 * @throws StorageError, DatasetError
 */
export async function openRowsAt(given: string, options: RowsAtOptions = {}): Promise<RowFile> {
  if (!isRemote(given)) return openRowFile(given);
  const address = remoteAddress(given);
  return address.kind === 's3' ? openBucketRows(address, options) : openWebRows(address, options);
}

async function openWebRows(address: WebAddress, { onProgress }: RowsAtOptions): Promise<RowFile> {
  const { size, bytes } = await openWebFile(address);
  const name = withoutSecret(address.url);
  const counted = progressing(bytes, { name, size }, { bytes: 0 }, onProgress);
  return openRowFile({ name, bytes: summed(counted, name, address.sha256) });
}

async function openBucketRows(address: BucketAddress, { s3 = {}, onProgress }: RowsAtOptions): Promise<RowFile> {
  const { bucket, key, sha256 } = address;
  // the SDK takes long to load, and most commands need none
  const { BucketObjects } = await import('@orchard/storage/s3');
  const objects = new BucketObjects({ ...s3, bucket });
  try {
    const found = await objectsAt(objects, address);
    if (found.length > 1 && sha256 !== null)
      throw new StorageError('invalid-name', {
        got: `one checksum of ${found.length} objects`,
        expected: 'a checksum of one object',
        where: `s3://${bucket}/${key}`,
        remedy: 'Leave it out: each object is read by its version.',
      });
    const size = found.reduce((sum, object) => sum + object.size, 0);
    const come = { bytes: 0 };
    const sources = found.map((object): Source => {
      const name = `s3://${bucket}/${object.key}`;
      const bytes = progressing(objects.read(object), { name, size }, come, onProgress);
      return { name, bytes: summed(bytes, name, sha256) };
    });
    return await openSources(`s3://${bucket}/${key}${key === '' || key.endsWith('/') ? '*' : ''}`, sources);
  } finally {
    objects.close();
  }
}

/** The objects that an address stands for, in the order of their keys. */
async function objectsAt(objects: BucketObjects, { bucket, key }: BucketAddress): Promise<BucketObject[]> {
  const where = `s3://${bucket}/${key}`;
  if (key !== '' && !key.endsWith('/')) {
    // a key may have such signs
    const one = await objects.head(key);
    if (one !== null) return [one];
    if (!isGlob(key)) {
      const below = await objects.list(`${key}/`).next();
      throw new StorageError('missing', {
        got: below.value === undefined ? 'no object of that key' : 'no object of that key, and some below it',
        expected: 'an object, a folder that ends with a slash, or a glob',
        where,
        remedy: below.value === undefined ? 'Check the bucket and the key.' : `Give ${where}/ for all of these.`,
      });
    }
  }
  const matches = isGlob(key) ? globMatcher(key) : (name: string) => !name.slice(key.length).includes('/');
  const found: BucketObject[] = [];
  for await (const object of objects.list(literalPrefix(key))) {
    const name = object.key.slice(object.key.lastIndexOf('/') + 1);
    if (name !== '' && !/^[._]/.test(name) && matches(object.key)) found.push(object);
  }
  if (found.length > 0) return found;
  throw new StorageError('missing', {
    got: 'no object',
    expected: 'at least one',
    where,
    remedy: isGlob(key)
      ? 'Check the address; * stands for any characters of one name, ** for any folders.'
      : 'Check the address; objects in folders below are found by **/*.parquet.',
  });
}

async function* progressing(
  chunks: AsyncIterable<Uint8Array>,
  of: Omit<Transferred, 'bytes'>,
  come: { bytes: number },
  onProgress: RowsAtOptions['onProgress'],
): AsyncGenerator<Uint8Array, void> {
  for await (const chunk of chunks) {
    come.bytes += chunk.length;
    onProgress?.({ ...of, bytes: come.bytes });
    yield chunk;
  }
}

/** @throws StorageError `damaged` at the end, where the bytes have another checksum */
async function* summed(
  chunks: AsyncIterable<Uint8Array>,
  name: string,
  sha256: string | null,
): AsyncGenerator<Uint8Array, void> {
  if (sha256 === null) {
    yield* chunks;
    return;
  }
  const hash = createHash('sha256');
  for await (const chunk of chunks) {
    hash.update(chunk);
    yield chunk;
  }
  const got = hash.digest('hex');
  if (got === sha256) return;
  throw new StorageError('damaged', {
    got: `bytes of SHA-256 ${got}`,
    expected: sha256,
    where: name,
    remedy: 'Check that it is the file that was meant, and the checksum.',
  });
}
