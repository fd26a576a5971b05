import { Refusal, type RefusalParts } from '@orchard/refusal';

/**
 * - `invalid-configuration`: the environment asks for what the coordinator refuses to do; it does not start
 * - `damaged-model`: a stored model is not what was written, and is not sent
 * - the others are answers to a request
 */
export type CoordinatorErrorCode =
  | 'invalid-configuration'
  | 'damaged-model'
  | 'invalid-request'
  | 'unauthorized'
  | 'forbidden'
  | 'not-found'
  | 'method-not-allowed'
  | 'too-slow'
  | 'not-ready'
  | 'pinned'
  | 'too-large'
  | 'unsupported-media-type'
  | 'no-such-range'
  | 'over-limit'
  | 'too-many-requests'
  | 'unavailable';

/** What the coordinator itself refuses, in full; errors of the libraries pass through. */
export class CoordinatorError extends Refusal<CoordinatorErrorCode> {
  /** Go out with the answer, as `Retry-After`. */
  readonly headers: Readonly<Record<string, string | string[]>>;

  constructor(
    code: CoordinatorErrorCode,
    parts: RefusalParts,
    {
      cause,
      headers = {},
    }: { readonly cause?: unknown; readonly headers?: Readonly<Record<string, string | string[]>> } = {},
  ) {
    super(code, parts, { cause });
    this.headers = headers;
  }
}
