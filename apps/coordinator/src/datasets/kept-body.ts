import { DatasetError, Spool } from '@orchard/dataset';
import { isRefusal } from '@orchard/refusal';
import { CoordinatorError } from '../errors.js';

/**
 * Keeps a body in a temporary file while a thread reads it. A slow client so holds no thread.
 *
 * @param command of the command line that does the same, for the message of a disk that is full
 * @throws what getting the bytes throws; CoordinatorError `unavailable` where there is no room for them
 */
export async function withKeptBody<T>(
  bytes: AsyncIterable<Uint8Array>,
  command: string,
  use: (path: string) => Promise<T>,
): Promise<T> {
  const spool = new Spool('body');
  try {
    return await use(await kept(spool, bytes, command));
  } finally {
    await spool.remove();
  }
}

async function kept(spool: Spool, bytes: AsyncIterable<Uint8Array>, command: string): Promise<string> {
  try {
    return await spool.keep(bytes);
  } catch (error) {
    if (!isRefusal(error, 'source') || error.name !== DatasetError.name) throw error;
    const parts = {
      got: 'no room to keep the body while it is read',
      expected: 'a temporary folder (TMPDIR) with room',
      remedy: `Wait, ask the administrator of this coordinator, or use \`${command}\`.`,
    };
    throw new CoordinatorError('unavailable', parts, { cause: error });
  }
}
