import type { Variable } from '@orchard/contracts';
import { codeCount, readCodes, type BitMatrix } from '@orchard/dataset';
import { ModelError } from '../errors.js';

/**
 * The codes of one variable, whose bits are `from` to `to - 1`.
 * @throws ModelError `invalid-argument` for bits that are the code of nothing
 */
export function knownCodes(matrix: BitMatrix, variable: Variable, from: number, to: number): Uint16Array {
  const codes = readCodes(matrix, from, to);
  const count = codeCount(variable);
  const row = count === 2 ** (to - from) ? -1 : firstFrom(codes, count);
  if (row === -1) return codes;
  throw new ModelError('invalid-argument', {
    got: `code ${String(codes[row])}`,
    expected: `a code from 0 to ${String(count - 1)}`,
    where: `row ${String(row + 1)}, variable ${JSON.stringify(variable.name)}`,
    remedy: 'Give rows that were encoded with the variables of this model.',
  });
}

/** The first row whose code is at least so much; -1 where there is none. */
function firstFrom(codes: Uint16Array, least: number): number {
  for (let row = 0; row < codes.length; row++) if (codes[row]! >= least) return row;
  return -1;
}
