import { BitMatrix, DatasetError, type Format } from '@orchard/dataset';
import type { Request } from 'express';
import { CoordinatorError } from '../errors.js';

/** Media types that say a format, and those that leave it to the content; the last is what curl sends unless told. */
const formats: Readonly<Record<string, Format | null>> = {
  'text/csv': 'csv',
  'text/tab-separated-values': 'tsv',
  'application/x-libsvm': 'libsvm',
  'application/x-npy': 'npy',
  'application/x-idx': 'idx',
  'application/octet-stream': null,
  'application/gzip': null,
  'text/plain': null,
  'application/x-www-form-urlencoded': null,
};

/** A matrix as it lies in memory and in the store: what `orchard submit` sends, so that the hash is the same on both sides. */
const packed = 'application/vnd.orchard.matrix';

export const uploadTypes = [...Object.keys(formats), packed];

/** Whether the body is a packed matrix. */
export function isPacked(request: Request): boolean {
  return typeOf(request) === packed && request.get('Content-Encoding') === undefined;
}

function typeOf(request: Request): string {
  return (request.get('Content-Type') ?? 'application/octet-stream').split(';')[0]!.trim().toLowerCase();
}

/** The format that the body's Content-Type says, undefined where it leaves that to the content. */
export function formatOf(request: Request): Format | undefined {
  const type = typeOf(request);
  const encoding = request.get('Content-Encoding') ?? 'identity';
  if (!Object.hasOwn(formats, type)) {
    throw new CoordinatorError('unsupported-media-type', {
      got: `a body of ${JSON.stringify(type.slice(0, 80))}`,
      expected: uploadTypes.join(', '),
      where: 'header Content-Type',
      remedy: 'Send the file itself as the body (curl --data-binary @file), not a form; ?format= names its format.',
    });
  }
  if (encoding !== 'identity' && encoding !== 'gzip') {
    throw new CoordinatorError('unsupported-media-type', {
      got: `Content-Encoding ${JSON.stringify(encoding.slice(0, 40))}`,
      expected: 'gzip, or none',
      where: 'header Content-Encoding',
      remedy: 'Compress the file with gzip, or send it plain.',
    });
  }
  return formats[type] ?? undefined;
}

/**
 * The body's bytes as they come, up to `limit` of them. The request survives being read halfway, so that the refusal of a
 * row still reaches whoever sent it.
 *
 * @throws CoordinatorError `too-large`, at the announcement or at the byte
 */
export async function* uploadBytes(request: Request, limit: number): AsyncGenerator<Uint8Array, void> {
  const announced = Number(request.get('Content-Length') ?? 0);
  if (announced > limit) throw tooLarge(`${announced} bytes`, limit);
  let received = 0;
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Uint8Array>) {
    received += chunk.length;
    if (received > limit) throw tooLarge(`more than ${limit} bytes`, limit);
    yield chunk;
  }
}

/** Reads past what is left of a refused body for a while: a client that is still sending would miss the answer. */
export function drain(request: Request): void {
  if (request.complete || request.destroyed) return;
  const timer = setTimeout(() => request.destroy(), DRAIN_MILLISECONDS);
  timer.unref();
  request.once('close', () => clearTimeout(timer));
  request.resume();
}

const DRAIN_MILLISECONDS = 5000;

/**
 * The matrix that a packed body is, checked as any buffer of unknown origin.
 *
 * @throws DatasetError for other bytes; CoordinatorError `too-large` for more than `bytes` of them or more than `cells` bits
 */
export async function readPacked(request: Request, bytes: number, cells: number): Promise<BitMatrix> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of uploadBytes(request, bytes)) chunks.push(chunk);
  const whole = new Uint8Array(chunks.reduce((sum, chunk) => sum + chunk.length, 0));
  chunks.reduce((at, chunk) => (whole.set(chunk, at), at + chunk.length), 0);
  const matrix = BitMatrix.from(whole.buffer);
  const { rows, dimensions } = matrix;
  if (rows * dimensions > cells) {
    const remedy = 'Use fewer rows or columns, or raise ORCHARD_MAX_CELLS.';
    const got = `${rows} rows of ${dimensions} dimensions`;
    throw new CoordinatorError('too-large', { got, expected: `at most ${cells} values`, where: 'body', remedy });
  }
  if (rows === 0) {
    const input = { got: 'a matrix without rows', expected: 'at least one row', where: 'body', remedy: 'Send some.' };
    throw new DatasetError('empty', input);
  }
  return matrix;
}

function tooLarge(got: string, limit: number): CoordinatorError {
  return new CoordinatorError('too-large', {
    got,
    expected: `at most ${limit} bytes`,
    where: 'body',
    remedy: 'Compress the file with gzip, or raise ORCHARD_MAX_UPLOAD_BYTES.',
  });
}
