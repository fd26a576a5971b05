import { ModelError } from '@orchard/model';

export const chowLiuFamily = 'chow-liu';

/** The refusal of a file whose arrays are not a forest. */
export function contradiction(where: string, got: string, cause?: unknown): ModelError {
  const expected = 'a forest of all columns, with rates between 0 and 1';
  const remedy = 'Get the file again from where it was made.';
  return new ModelError('not-a-network-file', { got, expected, where, remedy }, { cause });
}
