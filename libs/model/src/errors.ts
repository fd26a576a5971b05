/** What was refused: what came, what was wanted, where, and what to do about it. The same shape in every library. */
export interface BadInput {
  readonly got: string;
  readonly expected: string;
  readonly where?: string;
  readonly remedy: string;
}

/**
 * - `invalid-ensemble`: trees that contradict each other or their conditional
 * - `invalid-network`: a model's ordering, names or shape that do not fit the rest of it, or more than a file holds
 * - `not-a-network-file`: the bytes are no model file, or contradict what its format says
 * - `damaged-file`: a model file whose bytes are not those that were written: its checksum differs
 * - `unsupported-version`: a model file of another format version
 * - `unknown-family`: a model file of a family that is not known here
 * - `invalid-argument`: a matrix, count or option that the model cannot answer for
 */
export type ModelErrorCode =
  | 'invalid-ensemble'
  | 'invalid-network'
  | 'not-a-network-file'
  | 'damaged-file'
  | 'unsupported-version'
  | 'unknown-family'
  | 'invalid-argument';

/** Everything that this library throws. Never retryable: the same input is refused again. */
export class ModelError extends Error implements BadInput {
  readonly code: ModelErrorCode;
  readonly retryable = false;
  readonly got: string;
  readonly expected: string;
  readonly where?: string;
  readonly remedy: string;

  constructor(code: ModelErrorCode, input: BadInput, options?: { cause?: unknown }) {
    const place = input.where === undefined ? '' : ` at ${input.where}`;
    super(`Got ${input.got}${place}, expected ${input.expected}. ${input.remedy}`, options);
    this.name = 'ModelError';
    this.code = code;
    this.got = input.got;
    this.expected = input.expected;
    if (input.where !== undefined) this.where = input.where;
    this.remedy = input.remedy;
  }
}
