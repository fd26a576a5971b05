import { consequences, type RefusalCode } from './codes.js';

/** What was refused: what came, what was wanted, where, and what to do about it. */
export interface RefusalParts {
  readonly got: string;
  readonly expected: string;
  readonly where?: string;
  readonly remedy: string;
}

export interface RefusalOptions {
  readonly cause?: unknown;
  /** Instead of the sentence that the parts make. */
  readonly message?: string;
}

/**
 * Everything that Orchard refuses or could not do, in parts. Libraries narrow it to their own codes; code that catches
 * one asks for its code by {@link isRefusal}.
 */
export class Refusal<Code extends RefusalCode = RefusalCode> extends Error implements RefusalParts {
  readonly retryable: boolean;
  readonly got: string;
  readonly expected: string;
  // declared alone: a place that there is none of is not a property
  declare readonly where?: string;
  readonly remedy: string;

  constructor(
    readonly code: Code,
    parts: RefusalParts,
    { message = sentence(parts), ...options }: RefusalOptions = {},
  ) {
    super(message, options);
    this.name = new.target.name;
    this.retryable = consequences[code].retryable;
    this.got = parts.got;
    this.expected = parts.expected;
    if (parts.where !== undefined) this.where = parts.where;
    this.remedy = parts.remedy;
  }
}

/** Whether it is a refusal, with one of these codes if any are named. */
export function isRefusal<Code extends RefusalCode = RefusalCode>(
  error: unknown,
  ...codes: readonly Code[]
): error is Refusal<Code> {
  return error instanceof Refusal && (codes.length === 0 || (codes as readonly RefusalCode[]).includes(error.code));
}

/** The parts in a sentence, their place first: x.csv, line 2: got nothing, expected 0 or 1. Fill it in. */
function sentence({ got, expected, where, remedy }: RefusalParts): string {
  const place = where === undefined ? '' : `${where}: `;
  return `${place}got ${got}, expected ${expected}. ${remedy}`;
}
