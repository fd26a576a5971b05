/** What was refused: what came, what was wanted, where, and what to do about it. The same shape in every library. */
export interface BadInput {
  readonly got: string;
  readonly expected: string;
  readonly where?: string;
  readonly remedy: string;
}

/**
 * - `invalid-url`: the address is no Redis URL
 * - `unsuitable-server`: too old a version, or an eviction policy that would lose jobs
 * - `unreachable`: no answer within the time
 */
export type QueueErrorCode = 'invalid-url' | 'unsuitable-server' | 'unreachable';

export class QueueError extends Error implements BadInput {
  override readonly name = 'QueueError';
  readonly code: QueueErrorCode;
  readonly retryable: boolean;
  readonly got: string;
  readonly expected: string;
  readonly where?: string;
  readonly remedy: string;

  constructor(code: QueueErrorCode, input: BadInput, options?: ErrorOptions) {
    const where = input.where === undefined ? '' : ` at ${input.where}`;
    super(`Got ${input.got}${where}, expected ${input.expected}. ${input.remedy}`, options);
    this.code = code;
    this.retryable = code === 'unreachable';
    this.got = input.got;
    this.expected = input.expected;
    if (input.where !== undefined) this.where = input.where;
    this.remedy = input.remedy;
  }
}
