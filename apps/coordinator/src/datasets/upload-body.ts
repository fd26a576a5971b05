import { PassThrough } from 'node:stream';
import { DatasetError, HEADER_BYTES, parseHead, type Format } from '@orchard/dataset';
import type { Request } from 'express';
import { CoordinatorError } from '../errors.js';
import { MEMORY_A_BYTE } from '../http/json-text.js';
import { watchPace, type BodyPace } from '../http/pace.js';
import type { MemoryShare } from '../http/request-memory.js';

/** Media types that say a format, and those that leave it to the content; the last is what curl sends by default. */
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

/**
 * A matrix as it lies in memory and in the store: what `orchard submit` sends, so that the hash is the same on both
 * sides.
 */
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
  return formatAmong(request, formats, uploadTypes);
}

/** The same of other media types, each with its format, or null where it leaves that to the content. */
export function formatAmong<Name extends string>(
  request: Request,
  known: Readonly<Record<string, Name | null>>,
  expected: readonly string[] = Object.keys(known),
): Name | undefined {
  const type = typeOf(request);
  const encoding = request.get('Content-Encoding') ?? 'identity';
  if (!Object.hasOwn(known, type)) {
    throw new CoordinatorError('unsupported-media-type', {
      got: `a body of ${JSON.stringify(type.slice(0, 80))}`,
      expected: expected.join(', '),
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
  return known[type] ?? undefined;
}

export interface UploadLimits {
  /** Of the body as it is sent. */
  readonly bytes: number;
  /** Rows x dimensions. */
  readonly cells: number;
  readonly pace: BodyPace;
}

/**
 * The body's bytes as they come, up to a limit of them. The request survives being read halfway, so that the refusal of
 * a row still reaches the client.
 *
 * @throws CoordinatorError `too-large`, at the announcement or at the byte; `too-slow` for a client that falls silent
 */
export async function* uploadBytes(
  request: Request,
  { bytes: limit, pace }: UploadLimits,
): AsyncGenerator<Uint8Array, void> {
  const announced = Number(request.get('Content-Length') ?? 0);
  if (announced > limit) throw tooLarge(`${announced} bytes`, limit);
  // a stream of its own: ending the request's would end the connection that the refusal goes out on
  const body = new PassThrough();
  const onClose = (): void => {
    if (!request.complete) body.destroy(brokenOff());
  };
  request.once('close', onClose);
  const stopWatch = watchPace(
    request,
    pace,
    () => request.readableLength + body.readableLength,
    (refusal) => body.destroy(refusal),
  );
  request.pipe(body);
  let received = 0;
  try {
    if (request.destroyed) onClose();
    for await (const chunk of body as AsyncIterable<Uint8Array>) {
      received += chunk.length;
      if (received > limit) throw tooLarge(`more than ${limit} bytes`, limit);
      yield chunk;
    }
  } finally {
    stopWatch();
    request.off('close', onClose);
    request.unpipe(body);
    body.destroy();
  }
}

function brokenOff(): CoordinatorError {
  const input = { got: 'a body that ended early', expected: 'all of it', where: 'body', remedy: 'Send it again.' };
  return new CoordinatorError('invalid-request', input);
}

/** Of names in a header, in bytes: as much as a line of names in a CSV may have. */
const MOST_NAME_BYTES = 1 << 24;

/**
 * The buffer of a matrix that a packed body is, its sizes checked: its first bytes say how large it is, and that much
 * memory is taken before the rest is read. What the buffer holds is checked where it is hashed.
 *
 * @throws DatasetError for other bytes; CoordinatorError `too-large` for more than `bytes` of them or more than `cells`
 *   bits
 */
export async function readPacked(
  request: Request,
  limits: UploadLimits,
  share: MemoryShare,
): Promise<Uint8Array<ArrayBuffer>> {
  const start = new Uint8Array(HEADER_BYTES);
  let whole: Uint8Array<ArrayBuffer> | null = null;
  let received = 0;
  for await (const chunk of uploadBytes(request, limits)) {
    let from = 0;
    if (whole === null) {
      from = Math.min(chunk.length, HEADER_BYTES - received);
      start.set(chunk.subarray(0, from), received);
      received += from;
      if (received < HEADER_BYTES) continue;
      whole = new Uint8Array(packedBytes(start, limits, share));
      whole.set(start);
    }
    const rest = chunk.subarray(from);
    if (received + rest.length > whole.length) throw otherLength(`more than ${whole.length} bytes`, whole.length);
    whole.set(rest, received);
    received += rest.length;
  }
  // too short for a header: what is wrong with it is said as of any head
  if (whole === null) parseHead(start.subarray(0, received));
  if (whole === null || received < whole.length) throw otherLength(`${received} bytes`, whole?.length ?? HEADER_BYTES);
  return whole;
}

/** The bytes that a head announces, once its memory is taken. */
function packedBytes(head: Uint8Array, limits: UploadLimits, share: MemoryShare): number {
  const { rows, dimensions, bytes, nameBytes } = parseHead(head);
  if (rows * dimensions > limits.cells) {
    const remedy = 'Use fewer rows or columns, or raise ORCHARD_MAX_CELLS.';
    const got = `${rows} rows of ${dimensions} dimensions`;
    throw new CoordinatorError('too-large', { got, expected: `at most ${limits.cells} values`, where: 'body', remedy });
  }
  if (rows === 0) {
    const input = { got: 'a matrix without rows', expected: 'at least one row', where: 'body', remedy: 'Send some.' };
    throw new DatasetError('empty', input);
  }
  if (bytes > limits.bytes) throw tooLarge(`${bytes} bytes`, limits.bytes);
  if (nameBytes > MOST_NAME_BYTES) throw tooLarge(`${nameBytes} bytes of names`, MOST_NAME_BYTES);
  share.take(bytes + MEMORY_A_BYTE * nameBytes);
  return bytes;
}

function otherLength(got: string, expected: number): DatasetError {
  return new DatasetError('buffer', {
    got,
    expected: `${expected} bytes, as the header says`,
    where: 'body',
    remedy: 'Make the buffer with BitMatrix, and send it whole.',
  });
}

function tooLarge(got: string, limit: number): CoordinatorError {
  return new CoordinatorError('too-large', {
    got,
    expected: `at most ${limit} bytes`,
    where: 'body',
    // gzip would not do: what is unzipped is counted too
    remedy:
      'Have a worker read it from a bucket (orchard submit s3://…, POST /v1/readings), send some of the rows, or raise ORCHARD_MAX_UPLOAD_BYTES.',
  });
}
