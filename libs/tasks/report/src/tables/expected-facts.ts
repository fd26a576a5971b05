import type { OrderedVariable, Variable } from '@orchard/contracts';
import { codeCount, codesInOrder, holeCode, middleCodes, ownValue, wordsOf, writeValue } from '@orchard/dataset';
import type { ExpectedFacts } from './table-facts.js';

const LABELS = 3;
/** Labels of less are not worth a word. */
const LEAST_LABEL = 0.02;
/** From here on absence is expected too. */
const LEAST_HOLE = 0.1;

/**
 * What a variable's distribution leads one to expect in each row: its likeliest labels, or the middle 80 % of its
 * values.
 *
 * @param distribution P(code), element `row * codes + code`
 */
export function expectedOf(
  variable: Variable,
  distribution: Float64Array,
  rows: number,
): readonly (readonly ExpectedFacts[])[] {
  const codes = codeCount(variable);
  return Array.from({ length: rows }, (_, row) => {
    const shares = distribution.subarray(row * codes, (row + 1) * codes);
    return variable.kind === 'ordered' ? middleOf(variable, shares) : likeliestOf(variable, shares);
  });
}

function likeliestOf(variable: Variable, shares: Float64Array): ExpectedFacts[] {
  return [...shares.keys()]
    .sort((one, other) => shares[other]! - shares[one]! || one - other)
    .slice(0, LABELS)
    .filter((code, at) => at === 0 || shares[code]! >= LEAST_LABEL)
    .map((code) => ({ value: wordsOf(variable, code), probability: shares[code]! }));
}

function middleOf(variable: OrderedVariable, shares: Float64Array): ExpectedFacts[] {
  const codes = codesInOrder(variable);
  const shareOf = (some: readonly number[]): number => some.reduce((sum, code) => sum + shares[code]!, 0);
  const known = shareOf(codes);
  const hole = holeCode(variable);
  const absent = hole === null ? 0 : shares[hole]!;
  const absence = absent >= LEAST_HOLE ? [{ value: wordsOf(variable, hole!), probability: absent }] : [];
  if (!(known > 0)) return absence;
  const [first, last] = middleCodes(variable, shares);
  const probability = shareOf(codes.slice(codes.indexOf(first), codes.indexOf(last) + 1));
  return [{ value: spanOf(variable, first, last), probability }, ...absence];
}

/** From the first of some cells to the last in words. */
function spanOf(variable: OrderedVariable, first: number, last: number): string {
  if (first === last) return wordsOf(variable, first);
  const { edges, format } = variable;
  const low = ownValue(variable, first) ?? edges[first - 1];
  const high = ownValue(variable, last) ?? edges[last];
  const write = (value: number): string => writeValue(value, format);
  if (low === undefined) return high === undefined ? 'any value' : `at most ${write(high)}`;
  return high === undefined ? `at least ${write(low)}` : `${write(low)} to ${write(high)}`;
}
