import { pipeline } from 'node:stream/promises';
import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { DatasetError } from '../errors.js';
import type { Packing } from './packing.js';

const CHUNK_BYTES = 1 << 16;

/**
 * What bytes unpack to, as they come. A zip archive is none of these: what is in it stands at its end.
 *
 * @param name in messages
 * @throws DatasetError where they do not hold
 */
export function unpacked(
  bytes: AsyncIterable<Uint8Array>,
  packing: Exclude<Packing, 'zip'>,
  name: string,
): AsyncGenerator<Uint8Array, void> {
  if (packing === 'gzip') return unzipped(bytes, name);
  return unpackedBy(packing === 'bzip2' ? openBzip2 : openZstd, packing, bytes, name);
}

/** Takes packed bytes, and has handed over what they unpack to when it returns. */
type Unpacker = (bytes: Uint8Array, isEnd: boolean) => void;

type OpenUnpacker = (onBytes: (bytes: Uint8Array) => void) => Promise<Unpacker>;

async function openBzip2(onBytes: (bytes: Uint8Array) => void): Promise<Unpacker> {
  const { default: unbzip2 } = await import('unbzip2-stream');
  const stream = unbzip2();
  let failure: Error | null = null;
  stream.on('data', onBytes);
  stream.on('error', (error: Error) => {
    failure ??= error;
  });
  return (bytes, isEnd) => {
    if (isEnd) stream.end();
    else stream.write(bytes);
    if (failure !== null) throw failure;
  };
}

async function openZstd(onBytes: (bytes: Uint8Array) => void): Promise<Unpacker> {
  const { Decompress } = await import('fzstd');
  const stream = new Decompress((bytes) => onBytes(bytes));
  return (bytes, isEnd) => stream.push(bytes, isEnd);
}

/** A few bytes may unpack to very many: so many at a time, what they unpack to stays small. */
const PIECE_BYTES = 1 << 12;

async function* unpackedBy(
  open: OpenUnpacker,
  packing: string,
  bytes: AsyncIterable<Uint8Array>,
  name: string,
): AsyncGenerator<Uint8Array, void> {
  let out: Uint8Array[] = [];
  const unpack = await open((piece) => out.push(piece));
  const taken = (piece: Uint8Array, isEnd = false): Uint8Array[] => {
    try {
      unpack(piece, isEnd);
    } catch (cause) {
      throw new DatasetError(
        'format',
        {
          got: `${packing} that does not hold or ends too early`,
          expected: `a whole ${packing} file`,
          where: name,
          remedy: 'Copy or compress the file again.',
        },
        { cause },
      );
    }
    const whole = out;
    out = [];
    return whole;
  };
  for await (const chunk of bytes)
    for (let at = 0; at < chunk.length; at += PIECE_BYTES) yield* taken(chunk.subarray(at, at + PIECE_BYTES));
  yield* taken(new Uint8Array(), true);
}

/** What gzip unpacks to. */
export async function* unzipped(bytes: AsyncIterable<Uint8Array>, name: string): AsyncGenerator<Uint8Array, void> {
  const gunzip = createGunzip({ chunkSize: CHUNK_BYTES });
  // what goes wrong reaches the loop below by destroying the stream
  const feeding = pipeline(Readable.from(bytes, { objectMode: false }), gunzip).catch(() => undefined);
  try {
    for await (const chunk of gunzip) yield chunk as Uint8Array;
  } catch (cause) {
    const { code = '' } = cause as NodeJS.ErrnoException;
    // of the bytes' own source
    if (!code.startsWith('Z_')) throw cause;
    const isShort = code === 'Z_BUF_ERROR';
    throw new DatasetError(
      isShort ? 'truncated' : 'format',
      {
        got: isShort ? 'gzip that ends too early' : `gzip that does not hold (${(cause as Error).message})`,
        expected: 'a whole gzip file',
        where: name,
        remedy: 'Copy or compress the file again.',
      },
      { cause },
    );
  } finally {
    gunzip.destroy();
    await feeding;
  }
}
