/** What was refused, in parts: what came, what was wanted, where, and what to do. The same shape in every library. */
export interface BadInput {
  readonly got: string;
  readonly expected: string;
  readonly where?: string;
  readonly remedy: string;
}

/**
 * - `bad-request`: splits, ordering or choice that do not fit together
 * - `missing-artefact`: the store has no such data set, run or conditional
 * - `damaged-artefact`: stored bytes that are not what was written
 * - `other-numerics`: a run of another version of the kernel
 * - `interrupted`: stopped on request; what was done is stored, and the same call goes on from there
 * - `thread-lost`: a training thread died under its work
 * - `training-failed`: the trainer refused or failed, for a reason of its own (the cause)
 */
export type PipelineErrorCode =
  | 'bad-request'
  | 'missing-artefact'
  | 'damaged-artefact'
  | 'other-numerics'
  | 'interrupted'
  | 'thread-lost'
  | 'training-failed';

/** Whether the same call may succeed later without anybody changing anything. */
const retryableCodes: ReadonlySet<PipelineErrorCode> = new Set(['interrupted', 'thread-lost']);

/** Everything that this library throws itself; errors of the store and of the other libraries pass through. */
export class PipelineError extends Error implements BadInput {
  override readonly name = 'PipelineError';
  readonly code: PipelineErrorCode;
  readonly retryable: boolean;
  readonly got: string;
  readonly expected: string;
  readonly where?: string;
  readonly remedy: string;

  constructor(code: PipelineErrorCode, input: BadInput, options?: ErrorOptions) {
    const where = input.where === undefined ? '' : ` at ${input.where}`;
    super(`Got ${input.got}${where}, expected ${input.expected}. ${input.remedy}`, options);
    this.code = code;
    this.retryable = retryableCodes.has(code);
    this.got = input.got;
    this.expected = input.expected;
    if (input.where !== undefined) this.where = input.where;
    this.remedy = input.remedy;
  }
}
