import { Purpose, randomBits } from '@orchard/numerics';
import type { BitMatrix } from './bit-matrix.js';
import { DatasetError } from '../errors.js';

/** Shares of the rows, each from 0 (none) to below 1, together below 1. */
export interface SplitFractions {
  readonly valid?: number;
  readonly test?: number;
  /** How many rows are taken, a random part of which these are shares. @default all */
  readonly rows?: number | undefined;
}

/** What {@link assignRows} says of rows that are not taken. */
export const NOT_TAKEN = 3;

/** Whether not all rows train. */
export function isSplit({ valid = 0, test = 0, rows }: SplitFractions): boolean {
  return valid > 0 || test > 0 || rows !== undefined;
}

export interface RowSplit {
  readonly train: BitMatrix;
  /** Null where its fraction is 0 or not given. */
  readonly valid: BitMatrix | null;
  readonly test: BitMatrix | null;
}

/** How many rows a share of them is: the nearest whole number, halves up. */
export function rowsOfShare(rows: number, fraction: number): number {
  return Math.round(rows * fraction);
}

/**
 * Splits off validation and test rows, exactly {@link rowsOfShare} of each; no row is in two splits, and each keeps its
 * order.
 *
 * Rows are ranked by `randomBits(seed, split, row, 0)`, equal ones by their number: the first ranks validate, the next
 * ones test. So the same file, fractions and seed give the same splits on every machine, and test rows are taken from
 * those that would train: they change no validation row. O(rows log rows).
 *
 * @throws DatasetError on fractions that are none, and where a split that is asked for, or the training rows, would be
 *   without rows.
 */
export function splitRows(matrix: BitMatrix, fractions: SplitFractions, seed: number): RowSplit {
  const splitOf = assignRows(matrix.rows, fractions, seed);
  const side = (split: number): BitMatrix => {
    const rows: number[] = [];
    for (let row = 0; row < matrix.rows; row++) if (splitOf[row] === split) rows.push(row);
    return matrix.selectRows(rows);
  };
  return {
    train: side(0),
    valid: (fractions.valid ?? 0) > 0 ? side(1) : null,
    test: (fractions.test ?? 0) > 0 ? side(2) : null,
  };
}

/**
 * Which split each of so many rows is in, as {@link splitRows} says: 0 train, 1 validation, 2 test. Of a part of the
 * rows the ranks behind those that test train, and the rest is `NOT_TAKEN`.
 */
export function assignRows(all: number, fractions: SplitFractions, seed: number): Uint8Array {
  const { valid = 0, test = 0 } = fractions;
  const rows = Math.min(all, fractions.rows ?? all);
  const isShare = (fraction: number): boolean => fraction >= 0 && fraction < 1;
  if (!isShare(valid) || !isShare(test) || valid + test >= 1 || !Number.isSafeInteger(seed) || seed < 0)
    throw new DatasetError('argument', {
      got: `the fractions ${valid} and ${test}, and seed ${seed}`,
      expected: 'fractions that are together below 1, and a whole number from 0 to 2^53 - 1 as seed',
      remedy: 'Take 0.1 for a tenth of the rows.',
    });
  const counts = { valid: rowsOfShare(rows, valid), test: rowsOfShare(rows, test) };
  const left = rows - counts.valid - counts.test;
  if (left < 1 || (valid > 0 && counts.valid === 0) || (test > 0 && counts.test === 0)) {
    const parts = [
      `${left} training rows`,
      ...(valid > 0 ? [`${counts.valid} validation rows`] : []),
      ...(test > 0 ? [`${counts.test} test rows`] : []),
    ];
    throw new DatasetError('empty', {
      got: `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)!} of ${rows}`,
      expected: 'at least one of each',
      remedy: 'Take other fractions, or give these rows as a file.',
    });
  }
  return rankedRows(all, { ...counts, rows }, (row) => randomBits(seed, Purpose.split, row, 0));
}

/**
 * 1 for each of the `valid` rows of the lowest ranks, 2 for each of the next `test` ones, 0 for the others of the first
 * `rows` ranks; of equal ranks the earlier row comes first. Each row holds the first byte of its rank until it is known
 * what that says, and the ranks of the few rows of which it does not say enough are sorted: a pass over the ranks, and
 * no memory per row beside the result.
 */
function rankedRows(
  rows: number,
  taken: { readonly valid: number; readonly test: number; readonly rows: number },
  rankOf: (row: number) => number,
): Uint8Array {
  const splitOf = new Uint8Array(rows);
  const { valid, test } = taken;
  if (valid + test === 0 && taken.rows === rows) return splitOf;
  const counts = new Uint32Array(256);
  for (let row = 0; row < rows; row++) {
    const first = rankOf(row) >>> 24;
    splitOf[row] = first;
    counts[first]!++;
  }
  // of rows whose ranks begin with one byte, how many come before them; all of one split, or to be sorted
  const before = new Uint32Array(257);
  for (let first = 0; first < 256; first++) before[first + 1] = before[first]! + counts[first]!;
  const splitAt = (place: number): number => {
    if (place < valid) return 1;
    if (place < valid + test) return 2;
    return place < taken.rows ? 0 : NOT_TAKEN;
  };
  const splitOfAll = Array.from(counts, (count, first) => {
    const [one, last] = [splitAt(before[first]!), splitAt(before[first + 1]! - 1)];
    return count === 0 || one === last ? one : null;
  });
  const undecided = new Map<number, number[]>();
  for (let row = 0; row < rows; row++) {
    const first = splitOf[row]!;
    const split = splitOfAll[first] ?? null;
    if (split !== null) splitOf[row] = split;
    else if (undecided.get(first)?.push(row) === undefined) undecided.set(first, [row]);
  }
  for (const [first, some] of undecided) {
    const ranked = some.map((row) => ({ row, rank: rankOf(row) })).sort((a, b) => a.rank - b.rank || a.row - b.row);
    ranked.forEach(({ row }, at) => {
      splitOf[row] = splitAt(before[first]! + at);
    });
  }
  return splitOf;
}
