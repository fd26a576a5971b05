import { createHash } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';
import { arrayFor } from './array-for.js';
import { StorageError } from './errors.js';

/** What is hashed between two turns of the event loop: 3 to 10 ms of work. */
const slice = 2 ** 22;

/** SHA-256 in hex, without holding up the event loop for large objects. */
export async function sha256(bytes: Uint8Array): Promise<string> {
  const hash = createHash('sha256');
  for (let at = 0; at < bytes.length; at += slice) {
    hash.update(bytes.subarray(at, at + slice));
    if (at + slice < bytes.length) await turn();
  }
  return hash.digest('hex');
}

/** What can be sent: memory shared between threads is copied first, since sockets cannot take it. */
export function sendable(bytes: Uint8Array): Uint8Array {
  return bytes.buffer instanceof ArrayBuffer ? bytes : Uint8Array.from(bytes);
}

/**
 * Reads a body into one array of the announced length.
 *
 * @throws StorageError `damaged` where the body is shorter or longer, `unsupported` where no array holds it
 */
export async function readBody(
  name: string,
  body: AsyncIterable<Uint8Array>,
  length: number,
  signal: AbortSignal,
): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = arrayFor(name, length);
  let read = 0;
  const abort = (): void => (body as { destroy?: (reason: unknown) => void }).destroy?.(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  try {
    signal.throwIfAborted();
    for await (const chunk of body) {
      if (read + chunk.length > length) throw cut(name, `more than ${length} bytes`, length);
      bytes.set(chunk, read);
      read += chunk.length;
    }
  } finally {
    signal.removeEventListener('abort', abort);
  }
  if (read !== length) throw cut(name, `${read} bytes`, length);
  return bytes;
}

function cut(name: string, got: string, expected: number): StorageError {
  return new StorageError('damaged', {
    got,
    expected: `${expected}, as announced`,
    where: name,
    remedy: 'Check the network and the server between here and object storage.',
  });
}

/** @throws StorageError `damaged` where the bytes are not those that were written */
export async function verify(name: string, bytes: Uint8Array, expected: string): Promise<void> {
  const got = await sha256(bytes);
  if (got === expected) return;
  throw new StorageError('damaged', {
    got: `bytes of SHA-256 ${got}`,
    expected: `SHA-256 ${expected}, recorded when it was written`,
    where: name,
    remedy: 'Check the disks of object storage; delete the object to have it made again.',
  });
}
