/** What a shell is told: done, failed, refused, interrupted by Ctrl-C. */
export const ExitCode = { done: 0, failure: 1, badInput: 2, interrupted: 130 } as const;

/** The parts of a refusal; every library's errors about bad input have them too. */
export interface Refusal {
  readonly got: string;
  readonly expected: string;
  readonly where?: string;
  readonly remedy: string;
}

/** A command line that cannot be followed: an option out of place, or files that do not go together. */
export class UsageError extends Error implements Refusal {
  override readonly name = 'UsageError';
  readonly code = 'usage';
  readonly retryable = false;
  readonly got: string;
  readonly expected: string;
  readonly where?: string;
  readonly remedy: string;

  constructor(refusal: Refusal, options?: ErrorOptions) {
    const place = refusal.where === undefined ? '' : `${refusal.where}: `;
    super(`${place}got ${refusal.got}, expected ${refusal.expected}. ${refusal.remedy}`, options);
    this.got = refusal.got;
    this.expected = refusal.expected;
    if (refusal.where !== undefined) this.where = refusal.where;
    this.remedy = refusal.remedy;
  }
}

/** Ctrl-C, after what was done has been kept. */
export class InterruptedError extends Error {
  override readonly name = 'InterruptedError';
  readonly code = 'interrupted';
  readonly retryable = true;

  /** @param remedy how to go on */
  constructor(readonly remedy: string) {
    super(`Interrupted. ${remedy}`);
  }
}

/** The one document of a command that did not succeed, under `--json`. */
export interface ErrorDocument {
  readonly error: {
    readonly message: string;
    readonly got: string | null;
    readonly expected: string | null;
    readonly remedy: string | null;
  };
}

export function errorDocument(error: unknown): ErrorDocument {
  const parts = refusalOf(error);
  const remedy = error instanceof InterruptedError ? error.remedy : (parts?.remedy ?? null);
  return { error: { message: messageOf(error), got: parts?.got ?? null, expected: parts?.expected ?? null, remedy } };
}

/** Errors with all parts of a refusal that no other input would have spared: a store or a disk in trouble, artefacts that do not hold. */
const failures: ReadonlySet<unknown> = new Set([
  'StorageError',
  'DiskError',
  'damaged-artefact',
  'missing-artefact',
  'aborted',
]);

/** Refused input is the caller's to correct; anything else that goes wrong, or may go right the next time, is a failure. */
export function exitCodeOf(error: unknown): number {
  if (error instanceof InterruptedError) return ExitCode.interrupted;
  if (refusalOf(error) === null) return ExitCode.failure;
  const { name, code, retryable } = error as Error & { readonly code?: unknown; readonly retryable?: unknown };
  const isFailure = retryable === true || failures.has(name) || failures.has(code);
  return isFailure ? ExitCode.failure : ExitCode.badInput;
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function refusalOf(error: unknown): Refusal | null {
  if (!(error instanceof Error)) return null;
  const parts = error as Partial<Refusal>;
  const isRefusal =
    typeof parts.got === 'string' && typeof parts.expected === 'string' && typeof parts.remedy === 'string';
  return isRefusal ? (parts as Refusal) : null;
}
