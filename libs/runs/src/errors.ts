/** What was refused: what came, what was wanted, where, and what to do about it. The same shape in every library. */
export interface BadInput {
  readonly got: string;
  readonly expected: string;
  readonly where?: string;
  readonly remedy: string;
}

/**
 * - `unknown-run`, `unknown-dataset`: there is none of that id (any more)
 * - `ended`: a run that is done or failed cannot be cancelled
 * - `cancelled`: has to be resumed first
 * - `deleting`: the run is being removed; the same call succeeds a little later
 * - `dataset-in-use`: a run needs the data set
 */
export type RunErrorCode = 'unknown-run' | 'unknown-dataset' | 'ended' | 'cancelled' | 'deleting' | 'dataset-in-use';

/** Everything that this library throws itself; errors of the store, the queue and the pipeline pass through. */
export class RunError extends Error implements BadInput {
  override readonly name = 'RunError';
  readonly code: RunErrorCode;
  readonly retryable: boolean;
  readonly got: string;
  readonly expected: string;
  readonly where?: string;
  readonly remedy: string;

  constructor(code: RunErrorCode, input: BadInput, options?: ErrorOptions) {
    const where = input.where === undefined ? '' : ` at ${input.where}`;
    super(`Got ${input.got}${where}, expected ${input.expected}. ${input.remedy}`, options);
    this.code = code;
    this.retryable = code === 'deleting';
    this.got = input.got;
    this.expected = input.expected;
    if (input.where !== undefined) this.where = input.where;
    this.remedy = input.remedy;
  }
}

export function unknownRun(id: string): RunError {
  const remedy = 'Submit it, or check the id.';
  return new RunError('unknown-run', { got: `run ${id}`, expected: 'a run that was submitted', remedy });
}
