import { Refusal } from '@orchard/refusal';

/** What a {@link DatasetError} is about; stable, for programs to branch on. */
export type DatasetErrorCode =
  | 'argument' // an option or a call that makes no sense
  | 'buffer' // bytes that are not a BitMatrix
  | 'column' // a column that is missing, extra, nameless, or named twice
  | 'empty' // a file or a split without rows
  | 'encoding' // text that is not UTF-8
  | 'format' // content of another kind than its name, its header, or the caller says
  | 'header' // a header taken for data, data taken for a header, or undecidable
  | 'limit' // more cells, longer lines, or more categories than allowed
  | 'missing-value' // a missing mark where every value must be known
  | 'ragged' // a row with more or fewer values than the others
  | 'source' // a file that cannot be read
  | 'truncated' // content that ends before it should
  | 'value'; // a value that is not 0 or 1

/** Bad input. `where` is file, then line (or row) and column, counted from 1. */
export class DatasetError extends Refusal<DatasetErrorCode> {}

/** @throws DatasetError of an option out of range or against another */
export function refuseArgument(got: string, expected: string, remedy: string): never {
  throw new DatasetError('argument', { got, expected, remedy });
}

/** The text in quotes, its control characters escaped, cut to a length that a message can bear. */
export function quote(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 57)}...` : text);
}
