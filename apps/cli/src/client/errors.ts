/** A coordinator that refused a request, or could not be reached. */
export class ServerError extends Error {
  override readonly name = 'ServerError';
  readonly code: string;
  readonly retryable: boolean;
  readonly got?: string;
  readonly expected?: string;
  readonly where?: string;
  readonly remedy?: string;

  constructor(
    problem: {
      readonly detail: string;
      readonly code: string;
      readonly status?: number | undefined;
      readonly got?: string | undefined;
      readonly expected?: string | undefined;
      readonly where?: string | undefined;
      readonly remedy?: string | undefined;
    },
    options?: ErrorOptions,
  ) {
    super(problem.detail, options);
    this.code = problem.code;
    this.retryable = problem.status === undefined || problem.status === 429 || problem.status === 503;
    if (problem.got !== undefined) this.got = problem.got;
    if (problem.expected !== undefined) this.expected = problem.expected;
    if (problem.where !== undefined) this.where = problem.where;
    if (problem.remedy !== undefined) this.remedy = problem.remedy;
  }
}

/** A run that ended otherwise than it was meant to. */
export class RunEndedError extends Error {
  override readonly name = 'RunEndedError';
  readonly code = 'run-ended';
  readonly retryable = false;

  constructor(id: string, state: string, reason: string | null) {
    super(
      `Run ${id} is ${state}${reason === null ? '' : `: ${reason}`}. orchard resume ${id.slice(0, 12)} goes on with it.`,
    );
  }
}
