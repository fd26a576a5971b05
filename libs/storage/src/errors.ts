/** What was refused: what came, what was wanted, where, and what to do about it. The same shape in every library. */
export interface BadInput {
  readonly got: string;
  readonly expected: string;
  readonly where?: string;
  readonly remedy: string;
}

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
export type StorageErrorCode = keyof typeof retryableByCode;

/** Whether the same call may succeed later without anybody changing the call. */
const retryableByCode = {
  'invalid-name': false,
  'invalid-range': false,
  'invalid-configuration': false,
  missing: false,
  conflict: false,
  damaged: true,
  denied: false,
  full: true,
  unavailable: true,
  unsupported: false,
} as const;

/** Everything that a store throws. `where` is the object's name. */
export class StorageError extends Error implements BadInput {
  override readonly name = 'StorageError';
  readonly code: StorageErrorCode;
  readonly retryable: boolean;
  readonly got: string;
  readonly expected: string;
  readonly where?: string;
  readonly remedy: string;

  constructor(code: StorageErrorCode, input: BadInput, options?: { cause?: unknown }) {
    const place = input.where === undefined ? '' : ` at ${input.where}`;
    super(`Got ${input.got}${place}, expected ${input.expected}. ${input.remedy}`, options);
    this.code = code;
    this.retryable = retryableByCode[code];
    this.got = input.got;
    this.expected = input.expected;
    if (input.where !== undefined) this.where = input.where;
    this.remedy = input.remedy;
  }
}

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

/** What a writer is told who is not the first and has other bytes: the work was not deterministic, or the name is wrong. */
export function differs(name: string, stored: number, offered: number): StorageError {
  return new StorageError('conflict', {
    got: `${offered} bytes that differ from the ${stored} bytes stored`,
    expected: 'the same bytes, since objects are written once',
    where: name,
    remedy:
      'Two programs disagree about this artefact: check that all workers run the same version, and delete the wrong one.',
  });
}
