import type { SortedRows } from './sorted-rows.js';

/**
 * A target and its predictors, all columns before it, as coordinate descent sees them: rows of equal predictors are one
 * group, and of each predictor those groups are listed that have its rarer value. So a predictor costs as many steps as
 * its rarer value has groups.
 */
export interface Design {
  readonly predictors: number;
  /** Rows of each group. */
  readonly trials: Float64Array;
  /** Rows of each group whose target is 1. */
  readonly ones: Float64Array;
  /** The groups that are listed for predictor j: `members[starts[j]]` to before `members[starts[j + 1]]`, ascending. */
  readonly starts: Uint32Array;
  readonly members: Uint32Array;
  /** 1 where the groups of a 1 are listed, -1 where those of a 0 are. */
  readonly signs: Int8Array;
}

/** The rows of a target, given all columns before it. O(rows x predictors / 8 + ones). */
export function designOf({ matrix, common }: SortedRows, target: number): Design {
  const { rows } = matrix;
  const groupOf = new Uint32Array(rows);
  const firsts: number[] = [];
  for (let row = 0; row < rows; row++) {
    if (row === 0 || common[row]! < target) firsts.push(row);
    groupOf[row] = firsts.length - 1;
  }
  const groups = firsts.length;
  const trials = new Float64Array(groups);
  const ones = new Float64Array(groups);
  for (let row = 0; row < rows; row++) {
    trials[groupOf[row]!]!++;
    ones[groupOf[row]!]! += matrix.get(row, target);
  }

  const counts = new Uint32Array(target);
  visitOnes(matrix, firsts, target, (_, column) => counts[column]!++);
  const signs = Int8Array.from(counts, (count) => (2 * count > groups ? -1 : 1));
  const starts = new Uint32Array(target + 1);
  for (let column = 0; column < target; column++)
    starts[column + 1] = starts[column]! + (signs[column] === 1 ? counts[column]! : groups - counts[column]!);
  const members = new Uint32Array(starts[target]!);
  const ends = starts.slice(0, target);
  // of a column whose zeros are listed these are the groups between its ones
  const next = new Uint32Array(target);
  const listBefore = (group: number, column: number): void => {
    while (next[column]! < group) members[ends[column]!++] = next[column]!++;
    next[column]!++;
  };
  visitOnes(matrix, firsts, target, (group, column) => {
    if (signs[column] === 1) members[ends[column]!++] = group;
    else listBefore(group, column);
  });
  for (let column = 0; column < target; column++) if (signs[column] === -1) listBefore(groups, column);
  return { predictors: target, trials, ones, starts, members, signs };
}

/** Calls for each 1 of the first columns of these rows, row after row. */
function visitOnes(
  { bytes, stride }: SortedRows['matrix'],
  rows: readonly number[],
  columns: number,
  visit: (place: number, column: number) => void,
): void {
  const whole = Math.ceil(columns / 8);
  for (let place = 0; place < rows.length; place++) {
    const start = rows[place]! * stride;
    for (let byte = 0; byte < whole; byte++)
      for (let left = bytes[start + byte]!; left !== 0;) {
        const bit = Math.clz32(left) - 24;
        const column = 8 * byte + bit;
        if (column >= columns) break;
        visit(place, column);
        left ^= 0x80 >> bit;
      }
  }
}
