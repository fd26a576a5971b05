export interface BoostingErrorDetails {
  readonly got: string;
  readonly expected: string;
  readonly where?: string;
  readonly remedy: string;
  readonly cause?: unknown;
}

/** Options, structures or checkpoints that cannot be trained with. Never retryable: asking again gets the same answer. */
export class BoostingError extends Error {
  override readonly name = 'BoostingError';
  readonly retryable = false;
  readonly got: string;
  readonly expected: string;
  readonly where: string | undefined;
  readonly remedy: string;

  constructor(
    readonly code: 'invalid-option' | 'invalid-position' | 'invalid-checkpoint' | 'invalid-structure',
    details: BoostingErrorDetails,
  ) {
    const where = details.where === undefined ? '' : ` in ${details.where}`;
    super(`Got ${details.got}${where}, expected ${details.expected}. ${details.remedy}`, { cause: details.cause });
    this.got = details.got;
    this.expected = details.expected;
    this.where = details.where;
    this.remedy = details.remedy;
  }
}
