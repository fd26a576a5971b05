/** What was refused: what came, what was wanted, where, and what to do about it. The same shape in every library. */
export interface BadInput {
  readonly got: string;
  readonly expected: string;
  readonly where?: string;
  readonly remedy: string;
}

/** An environment that a program cannot start in. */
export class ConfigurationError extends Error implements BadInput {
  override readonly name = 'ConfigurationError';
  readonly code = 'invalid-configuration';
  readonly retryable = false;
  readonly got: string;
  readonly expected: string;
  readonly where?: string;
  readonly remedy: string;

  constructor(input: BadInput, options?: ErrorOptions) {
    const where = input.where === undefined ? '' : ` at ${input.where}`;
    super(`Got ${input.got}${where}, expected ${input.expected}. ${input.remedy}`, options);
    this.got = input.got;
    this.expected = input.expected;
    if (input.where !== undefined) this.where = input.where;
    this.remedy = input.remedy;
  }
}
