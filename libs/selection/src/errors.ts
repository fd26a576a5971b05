/** What is wrong with an input, in parts, so that every front end can show it in its own way. */
export interface BadInput {
  readonly got: string;
  readonly expected: string;
  readonly where?: string;
  readonly remedy: string;
}

/** Curves that no selection can be made from. Permanent: the same curves fail again. */
export class SelectionError extends Error implements BadInput {
  override readonly name = 'SelectionError';
  readonly code = 'invalid-curves';
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
    this.remedy = input.remedy;
    if (input.where !== undefined) this.where = input.where;
  }
}
