export interface KernelErrorDetails {
  readonly code: 'too-large' | 'bad-data' | 'aborted' | 'bad-tree' | 'unsupported';
  readonly got: string;
  readonly expected: string;
  readonly remedy: string;
  readonly cause?: unknown;
}

/** What the kernel refuses or could not finish. Never retryable: the same work would fail in the same way. */
export class KernelError extends Error {
  override readonly name = 'KernelError';
  readonly retryable = false;
  readonly code: KernelErrorDetails['code'];
  readonly got: string;
  readonly expected: string;
  readonly remedy: string;

  constructor(what: string, details: KernelErrorDetails) {
    super(`${what}: got ${details.got}, expected ${details.expected}. ${details.remedy}`, { cause: details.cause });
    this.code = details.code;
    this.got = details.got;
    this.expected = details.expected;
    this.remedy = details.remedy;
  }
}
