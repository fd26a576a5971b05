import { setTimeout as sleep } from 'node:timers/promises';
import { StorageError } from '../errors.js';
import { withoutSecret, type WebAddress } from './remote-address.js';

export interface WebFile {
  /** Null where the server does not say. */
  readonly size: number | null;
  readonly bytes: AsyncGenerator<Uint8Array, void>;
}

/** A connection may break so often without a byte in between. */
const ATTEMPTS = 5;
/** A connection without a byte for so long, in milliseconds, is given up. */
const SILENCE = 30_000;

/**
 * Reads a file of a web server. Where a connection breaks, the rest is asked for, if the server gives ranges and says
 * that the file is the same.
 *
 * @param silence without a byte after which a connection is given up, in milliseconds
 * @throws StorageError
 */
export async function openWebFile(address: WebAddress, silence = SILENCE): Promise<WebFile> {
  const first = await request(address, null);
  const length = first.headers.get('content-length');
  return { size: length === null ? null : Number(length), bytes: read(address, first, silence) };
}

async function* read(address: WebAddress, first: Response, silence: number): AsyncGenerator<Uint8Array, void> {
  const where = withoutSecret(address.url);
  const length = first.headers.get('content-length');
  const size = length === null ? null : Number(length);
  const tag = strongTag(first);
  const canResume = first.headers.get('accept-ranges') === 'bytes' && tag !== '';
  let response = first;
  let got = 0;
  for (let attempt = 1; ; attempt++) {
    const before = got;
    try {
      for await (const chunk of patient(response, silence)) {
        got += chunk.length;
        yield chunk;
      }
      if (size === null || got === size) return;
      throw new Error(`it ended after ${got} of ${size} bytes`);
    } catch (cause) {
      if (got > before) attempt = 1;
      if (!canResume || attempt >= ATTEMPTS || cause instanceof StorageError) {
        if (cause instanceof StorageError) throw cause;
        throw new StorageError(
          'unavailable',
          {
            got: `a connection that broke after ${got}${size === null ? '' : ` of ${size}`} bytes (${reasonOf(cause)})${canResume ? '' : ', of a server that does not give the rest of a file'}`,
            expected: 'the whole file',
            where,
            remedy: 'Try again, or download the file first and give its path.',
          },
          { cause },
        );
      }
    }
    await sleep(200 * 2 ** attempt);
    response = await request(address, { from: got, tag });
    if (response.status !== 206)
      throw new StorageError('conflict', {
        got: 'another file under the same address when the rest was asked for',
        expected: 'the same bytes to its end',
        where,
        remedy: 'Try again.',
      });
  }
}

/** The bytes of an answer, as long as they come. @throws Error for a silence: to the reader it looks like the end */
async function* patient(response: Response, silence: number): AsyncGenerator<Uint8Array, void> {
  const reader = response.body?.getReader();
  if (reader === undefined) return;
  let isSilent = false;
  try {
    for (;;) {
      const timer = setTimeout(() => {
        isSilent = true;
        reader.cancel().catch(() => undefined);
      }, silence);
      const { done, value } = await reader.read().finally(() => clearTimeout(timer));
      if (isSilent) throw new Error(`no byte within ${String(silence / 1000)} s`);
      if (done) return;
      yield value as Uint8Array;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

async function request(address: WebAddress, rest: { from: number; tag: string } | null): Promise<Response> {
  const where = withoutSecret(address.url);
  const headers: Record<string, string> = { 'accept-encoding': 'identity' };
  if (rest !== null) {
    headers['range'] = `bytes=${rest.from}-`;
    headers['if-range'] = rest.tag;
  }
  for (let attempt = 1; ; attempt++) {
    const response = await fetch(address.url, { headers, redirect: 'follow' }).catch((cause: unknown) => {
      if (attempt < ATTEMPTS) return null;
      throw new StorageError(
        'unavailable',
        {
          got: `no answer (${reasonOf(cause)})`,
          expected: 'the file',
          where,
          remedy: 'Check the address, and that the server can be reached from here.',
        },
        { cause },
      );
    });
    if (response?.ok === true) return checked(response, address);
    await response?.body?.cancel();
    const isPassing = response === null || response.status >= 500 || response.status === 429;
    if (isPassing && attempt < ATTEMPTS) {
      await sleep(200 * 2 ** attempt);
      continue;
    }
    const status = response!.status;
    throw new StorageError(status === 401 || status === 403 ? 'denied' : status === 404 ? 'missing' : 'unavailable', {
      got: `the answer ${status} ${response!.statusText}`.trim(),
      expected: 'the file',
      where,
      remedy:
        status === 401 || status === 403
          ? 'Give an address that may be read without a password, as a signed one.'
          : 'Check the address.',
    });
  }
}

/** @throws StorageError where a redirect left https */
function checked(response: Response, { url, isSecure, sha256 }: WebAddress): Response {
  if (!isSecure || sha256 !== null || response.url.startsWith('https:')) return response;
  throw new StorageError('denied', {
    got: `a redirect to ${withoutSecret(response.url)}, without https`,
    expected: 'https to the end',
    where: withoutSecret(url),
    remedy: 'Add #sha256= and what sha256sum prints of the file.',
  });
}

function strongTag(response: Response): string {
  const etag = response.headers.get('etag');
  if (etag !== null && !etag.startsWith('W/')) return etag;
  return response.headers.get('last-modified') ?? '';
}

function reasonOf(cause: unknown): string {
  const inner = cause instanceof Error && cause.cause instanceof Error ? cause.cause : cause;
  return inner instanceof Error ? ((inner as NodeJS.ErrnoException).code ?? inner.message) : String(inner);
}
