import type { RefusalCode } from './codes.js';
import { isRefusal, Refusal, type RefusalParts } from './refusal.js';

/** An error as it can be posted to another thread: cloning alone would lose its code and its parts. */
export interface PostedError {
  readonly name: string;
  readonly message: string;
  readonly stack: string | undefined;
  /** Of a refusal. */
  readonly refusal: { readonly code: RefusalCode; readonly parts: RefusalParts } | null;
  /** The operating system's, as `ENOSPC`. */
  readonly systemCode: string | undefined;
  readonly cause: PostedError | null;
}

/** A chain of causes is followed so far: one may end in itself. */
const mostCauses = 8;

export function posted(error: unknown, causes = mostCauses): PostedError {
  const { name, message, stack, code, cause } = (error ?? {}) as Partial<Record<string, unknown>>;
  return {
    name: textOf(name) ?? 'Error',
    message: textOf(message) ?? String(error),
    stack: textOf(stack),
    refusal: isRefusal(error) ? { code: error.code, parts: partsOf(error) } : null,
    systemCode: isRefusal(error) ? undefined : textOf(code),
    cause: cause === undefined || cause === null || causes === 0 ? null : posted(cause, causes - 1),
  };
}

/** The error that was posted, with the stack of the thread that it comes from: a {@link Refusal} where it was one. */
export function received({ name, message, stack, refusal, systemCode, cause }: PostedError): Error {
  const options = cause === null ? {} : { cause: received(cause) };
  const error =
    refusal === null
      ? Object.assign(new Error(message, options), systemCode === undefined ? {} : { code: systemCode })
      : new Refusal(refusal.code, refusal.parts, { ...options, message });
  error.name = name;
  if (stack !== undefined) error.stack = stack;
  return error;
}

function partsOf({ got, expected, where, remedy }: RefusalParts): RefusalParts {
  return { got, expected, ...(where === undefined ? {} : { where }), remedy };
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
