import { consequences, ExitCode, isRefusal, Refusal, type RefusalParts } from '@orchard/refusal';
import { ServerError } from './server-error.js';

export { ExitCode };

/** A command line that cannot be followed: an option out of place, or files that do not go together. */
export class UsageError extends Refusal<'usage'> {
  constructor(parts: RefusalParts, options?: ErrorOptions) {
    super('usage', parts, options);
  }
}

/** @param where the argument that names the rows. @throws UsageError since they are read more than once */
export function refuseStandardInput(where: string): never {
  throw new UsageError({
    got: 'standard input',
    expected: 'a file, which is read more than once',
    where,
    remedy: 'Write the rows to a file first.',
  });
}

/** @param where of both. @throws UsageError for two that are not given together */
export function refuseTogether(
  one: string,
  other: string,
  { expected = 'one of the two', where = one }: { readonly expected?: string; readonly where?: string } = {},
): never {
  throw new UsageError({ got: `${one} and ${other}`, expected, where, remedy: 'Leave one of the two out.' });
}

/** Ctrl-C, after what was done has been kept. @param remedy how to go on */
export function interrupted(remedy: string): Refusal<'interrupted'> {
  const parts = { got: 'Ctrl-C', expected: 'time to finish', remedy };
  return new Refusal('interrupted', parts, { message: `Interrupted. ${remedy}` });
}

/** A task that was done again and failed, or ended otherwise than it had. */
export class TaskError extends Error {
  override readonly name = 'TaskError';
  readonly code = 'task';
  readonly retryable = false;

  /** @param details what goes into the document beside the error */
  constructor(
    message: string,
    readonly details: Readonly<Record<string, unknown>>,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** The one document of a command that did not succeed, under `--json`. */
export interface ErrorDocument {
  readonly error: {
    readonly message: string;
    readonly got: string | null;
    readonly expected: string | null;
    /** The option, the file with its row, or what else it was said of. */
    readonly where: string | null;
    readonly remedy: string | null;
  };
}

export function errorDocument(error: unknown): ErrorDocument {
  const { got = null, expected = null, where = null, remedy = null } = partsOf(error) ?? {};
  const details = error instanceof TaskError ? error.details : {};
  return { ...details, error: { message: messageOf(error), got, expected, where, remedy } };
}

/**
 * Refused input is the caller's to correct; anything else that goes wrong, or may go right the next time, is a failure.
 */
export function exitCodeOf(error: unknown): number {
  if (isRefusal(error)) return consequences[error.code].exit;
  return error instanceof ServerError && error.isBadInput ? ExitCode.badInput : ExitCode.failure;
}

/** Refused input as that of the option which has it; any other error as it is. */
export function asUsageOf(option: string, error: unknown): unknown {
  if (!isRefusal(error) || exitCodeOf(error) !== ExitCode.badInput) return error;
  const { got, expected, remedy } = error;
  return new UsageError({ got, expected, where: option, remedy }, { cause: error });
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function partsOf(error: unknown): RefusalParts | null {
  if (isRefusal(error)) return error;
  return error instanceof ServerError ? error.parts : null;
}
