import { Refusal } from '@orchard/refusal';

/**
 * - `invalid-name`, `invalid-range`, `invalid-configuration`: refused before anything was asked of the store
 * - `missing`: no object of that name
 * - `conflict`: other bytes are stored under the name, or the name is a folder of others
 * - `damaged`: what was read does not fit its checksum or size
 * - `denied`: credentials or permissions
 * - `full`: no space left
 * - `unavailable`: the store could not be reached, was too busy, or failed within
 * - `unsupported`: the store cannot do what is needed of it
 */
export const storageErrorCodes = [
  'invalid-name',
  'invalid-range',
  'invalid-configuration',
  'missing',
  'conflict',
  'damaged',
  'denied',
  'full',
  'unavailable',
  'unsupported',
] as const;

export type StorageErrorCode = (typeof storageErrorCodes)[number];

/** Everything that a store throws. `where` is the object's name. */
export class StorageError extends Refusal<StorageErrorCode> {}

export function missing(name: string, cause?: unknown): StorageError {
  return new StorageError(
    'missing',
    {
      got: 'no object',
      expected: 'one that was stored',
      where: name,
      remedy: 'Check the name; an object that was never written or was deleted cannot be read.',
    },
    { cause },
  );
}

/**
 * The error of a writer that is not the first and has other bytes: the work was not deterministic, or the name is
 * wrong.
 */
export function differs(name: string, stored: number, offered: number): StorageError {
  return new StorageError('conflict', {
    got: `${offered} bytes that differ from the ${stored} bytes stored`,
    expected: 'the same bytes, since objects are written once',
    where: name,
    remedy:
      'Two programs disagree about this artefact: check that all workers run the same version, and delete the wrong one.',
  });
}
