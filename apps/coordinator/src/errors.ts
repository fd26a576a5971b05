import type { BadInput } from '@orchard/contracts';

/**
 * - `invalid-configuration`: the environment asks for what the coordinator refuses to do; it does not start
 * - the others are answers to a request, each with one status
 */
const statuses = {
  'invalid-configuration': 500,
  'invalid-request': 400,
  unauthorized: 401,
  forbidden: 403,
  'not-found': 404,
  'method-not-allowed': 405,
  'too-slow': 408,
  conflict: 409,
  'not-ready': 409,
  'too-large': 413,
  'unsupported-media-type': 415,
  'over-limit': 422,
  'too-many-requests': 429,
  unavailable: 503,
} as const;

export type CoordinatorErrorCode = keyof typeof statuses;

/** Whatever the coordinator itself refuses; errors of the libraries pass through and get their status in `http/problem.ts`. */
export class CoordinatorError extends Error implements BadInput {
  override readonly name = 'CoordinatorError';
  readonly status: number;
  readonly retryable: boolean;
  readonly got: string;
  readonly expected: string;
  readonly where?: string;
  readonly remedy: string;

  constructor(
    readonly code: CoordinatorErrorCode,
    input: BadInput,
    /** `headers` go out with the answer, as `Retry-After`. */
    readonly details: { readonly cause?: unknown; readonly headers?: Readonly<Record<string, string | string[]>> } = {},
  ) {
    const where = input.where === undefined ? '' : ` at ${input.where}`;
    super(`Got ${input.got}${where}, expected ${input.expected}. ${input.remedy}`, { cause: details.cause });
    this.status = statuses[code];
    this.retryable = code === 'too-slow' || code === 'too-many-requests' || code === 'unavailable';
    this.got = input.got;
    this.expected = input.expected;
    if (input.where !== undefined) this.where = input.where;
    this.remedy = input.remedy;
  }
}
