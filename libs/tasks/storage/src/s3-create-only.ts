import { isNotImplemented, isTaken } from './s3-errors.js';

/** What is written to find out about a server. Not a name of an object, so it never shows in a list. */
export const probe = {
  key: '.orchard-create-only',
  bytes: new TextEncoder().encode('Orchard writes this once, to learn whether the server refuses to write it again.\n'),
} as const;

/** Whether a server that was asked to create a name only once refuses to do it again. */
export async function honoursCreateOnly(create: () => Promise<void>): Promise<boolean> {
  try {
    await create();
    await create();
    return false;
  } catch (error) {
    if (isTaken(error)) return true;
    if (isNotImplemented(error)) return false;
    throw error;
  }
}
