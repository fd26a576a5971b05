import type { OrderedVariable, Variable } from '@orchard/contracts';
import { exp, log } from '@orchard/numerics';
import { codeCount, holeCode, otherCode, valueCount } from '../variables/codes.js';
import { codesInOrder } from '../variables/value-order.js';
import { trainingCounts } from './own-rates.js';

/** Groups of values that associations distinguish: finer ones would need more rows than there are. */
const MOST_GROUPS = 16;

/** Which group each code of a variable is counted in. */
export interface CodeGroups {
  readonly groupOf: Uint16Array;
  readonly groups: number;
}

/** So many groups that each pair of them would have five of as many rows: 16 at most. */
export function groupsFor(rows: number): number {
  return Math.max(2, Math.min(MOST_GROUPS, Math.floor(Math.sqrt(rows / 5))));
}

/**
 * Codes coarsened to at most 16 groups by their training counts: neighbouring cells of an ordered variable to groups of
 * about equally many rows; of labels the most frequent, and one group of all others. Absence is a group of its own.
 *
 * @param groupsAtMost groups of values, absence included. @default 16
 */
export function coarseGroups(variable: Variable, groupsAtMost = MOST_GROUPS): CodeGroups {
  const groupOf = new Uint16Array(codeCount(variable));
  const [values, other, hole] = [valueCount(variable), otherCode(variable), holeCode(variable)];
  const most = Math.max(1, groupsAtMost - (hole === null ? 0 : 1));
  const groups = variable.kind === 'ordered' ? orderedGroups(variable, most, groupOf) : Math.min(values, most);
  if (variable.kind !== 'ordered') for (let code = 0; code < values; code++) groupOf[code] = Math.min(code, groups - 1);
  // beside the labels of which there are too few rows; numbers that training never had are few
  if (other !== null) groupOf[other] = values < most && variable.kind !== 'ordered' ? groups : groups - 1;
  const known = groups + (other !== null && groupOf[other] === groups ? 1 : 0);
  if (hole !== null) groupOf[hole] = known;
  return { groupOf, groups: known + (hole === null ? 0 : 1) };
}

/** Groups of neighbours, each closed where it has its share of what is left. */
function orderedGroups(variable: OrderedVariable, most: number, groupOf: Uint16Array): number {
  const counts = trainingCounts(variable);
  const codes = codesInOrder(variable);
  if (codes.length <= most) {
    codes.forEach((code, place) => {
      groupOf[code] = place;
    });
    return codes.length;
  }
  let left = codes.reduce((sum, code) => sum + counts[code]!, 0);
  let group = 0;
  let inGroup = 0;
  for (const code of codes) {
    const count = counts[code]!;
    // closed before a cell that would overfill it by more than it lacks without
    const share = (left + inGroup) / (most - group);
    if (inGroup > 0 && group < most - 1 && inGroup + count / 2 > share) {
      group++;
      inGroup = 0;
    }
    groupOf[code] = group;
    inGroup += count;
    left -= count;
  }
  return group + 1;
}

export function inGroups(codes: Uint16Array, { groupOf }: CodeGroups): Uint16Array {
  return codes.map((code) => groupOf[code]!);
}

/**
 * Mutual information of all pairs of columns, nats: element `one * columns + other`; on the diagonal the entropies.
 * Estimated from counts with the correction of Miller and Madow, which takes off what as many rows of independent
 * columns would show on average; never below 0. O(columns² x rows).
 *
 * @param columns codes of each, equally many rows
 * @param codeCounts how many codes each column has
 */
export function associationsOf(columns: readonly Uint16Array[], codeCounts: ArrayLike<number>): Float64Array {
  const size = columns.length;
  const result = new Float64Array(size * size);
  const alone = columns.map((codes, index) => countsOf(codes, codeCounts[index]!));
  for (let one = 0; one < size; one++) {
    const codes = columns[one]!;
    const rows = codes.length;
    if (rows === 0) return result;
    result[one * size + one] = correctedEntropy(alone[one]!, rows);
    for (let other = 0; other < one; other++) {
      const others = columns[other]!;
      const width = codeCounts[other]!;
      const together = new Uint32Array(codeCounts[one]! * width);
      for (let row = 0; row < rows; row++) together[codes[row]! * width + others[row]!]!++;
      const nats = result[one * size + one]! + result[other * size + other]! - correctedEntropy(together, rows);
      const told = Math.max(0, nats);
      result[one * size + other] = told;
      result[other * size + one] = told;
    }
  }
  return result;
}

/** The entropy of a constant column, a difference of logarithms, may not come to 0 exactly. */
const ROUNDED = 1e-12;

/**
 * How strong each association is, from 0 to 1: `sqrt((1 - exp(-2 I)) / (1 - exp(-2 min(H, H'))))`. Two normal variables
 * of correlation r come to |r|; where one determines the other, it is 1. The diagonal is 1, or 0 for a constant column.
 *
 * @param nats of {@link associationsOf}
 */
export function strengthsOf(nats: Float64Array, size: number): Float64Array {
  return nats.map((value, at) => {
    const [one, other] = [Math.floor(at / size), at % size];
    const most = 1 - exp(-2 * Math.min(nats[one * size + one]!, nats[other * size + other]!));
    return most > ROUNDED ? Math.sqrt(Math.min(1, (1 - exp(-2 * value)) / most)) : 0;
  });
}

function countsOf(codes: Uint16Array, size: number): Uint32Array {
  const counts = new Uint32Array(size);
  for (const code of codes) counts[code]!++;
  return counts;
}

/** Entropy of the shares, and half a nat a row for each value seen beyond the first (Miller and Madow). */
function correctedEntropy(counts: Uint32Array, rows: number): number {
  let sum = 0;
  let seen = 0;
  for (const count of counts) {
    if (count === 0) continue;
    seen++;
    sum += count * log(count);
  }
  return log(rows) - sum / rows + (seen - 1) / (2 * rows);
}
