/** What a {@link DatasetError} is about; stable, for programs to branch on. */
export type DatasetErrorCode =
  | 'argument' // an option or a call that makes no sense
  | 'buffer' // bytes that are no BitMatrix
  | 'column' // a column that is missing, extra, nameless, or named twice
  | 'empty' // a file or a split without rows
  | 'encoding' // text that is not UTF-8
  | 'format' // content of another kind than its name, its header, or the caller says
  | 'header' // a header taken for data, data taken for a header, or no telling which
  | 'limit' // more cells, longer lines, or more categories than allowed
  | 'missing' // a missing mark where every value must be known
  | 'ragged' // a row with more or fewer values than the others
  | 'source' // a file that cannot be read
  | 'truncated' // content that ends before it should
  | 'value'; // a value that is not 0 or 1

/** The facts of a refusal: what came, what should have come, where, and what to do about it. */
export interface Refusal {
  readonly got: string;
  readonly expected: string;
  /** File, then line (or row) and column, counted from 1. */
  readonly where?: string;
  readonly remedy: string;
}

/** Bad input. Never retryable: the same bytes are refused again. */
export class DatasetError extends Error implements Refusal {
  readonly retryable = false;
  readonly got: string;
  readonly expected: string;
  readonly where?: string;
  readonly remedy: string;

  constructor(
    readonly code: DatasetErrorCode,
    refusal: Refusal,
    options?: { cause?: unknown },
  ) {
    const place = refusal.where === undefined ? '' : `${refusal.where}: `;
    super(`${place}got ${refusal.got}, expected ${refusal.expected}. ${refusal.remedy}`, options);
    this.name = 'DatasetError';
    this.got = refusal.got;
    this.expected = refusal.expected;
    if (refusal.where !== undefined) this.where = refusal.where;
    this.remedy = refusal.remedy;
  }
}

/** The text in quotes, its control characters escaped, cut to a length that a message can bear. */
export function quote(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 57)}...` : text);
}
