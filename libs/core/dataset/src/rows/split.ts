import { Purpose, randomBits } from '@orchard/numerics';
import type { BitMatrix } from './bit-matrix.js';
import { DatasetError } from '../errors.js';

/** Shares of the rows, each from 0 (none) to below 1, together below 1. */
export interface SplitFractions {
  readonly valid?: number;
  readonly test?: number;
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
 * Splits off validation and test rows, exactly {@link rowsOfShare} of each; no row is in two splits, and each keeps its order.
 *
 * Rows are ranked by `randomBits(seed, split, row, 0)`, equal ones by their number: the first ranks validate, the next ones
 * test. So the same file, fractions and seed give the same splits on every machine, and test rows are taken from those that
 * would train: they change no validation row. O(rows log rows).
 *
 * @throws DatasetError on fractions that are none, and where a split that is asked for, or the training rows, would be without rows.
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

/** Which split each of so many rows is in, as {@link splitRows} says: 0 train, 1 validation, 2 test. */
export function assignRows(rows: number, fractions: SplitFractions, seed: number): Uint8Array {
  const { valid = 0, test = 0 } = fractions;
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
  const ranks = (row: number): number => randomBits(seed, Purpose.split, row, 0);
  const heldOut = counts.valid + counts.test;
  const splitOf = new Uint8Array(rows);
  const validates = firstRanks(ranks, rows, counts.valid);
  // to find the first ranks is two passes over all of them
  const isHeldOut = counts.test > 0 ? firstRanks(ranks, rows, heldOut) : () => false;
  for (let row = 0; heldOut > 0 && row < rows; row++) {
    const rank = ranks(row);
    if (isHeldOut(rank)) splitOf[row] = 2;
    if (validates(rank)) splitOf[row] = 1;
  }
  return splitOf;
}

/** Rows whose ranks are sorted. */
const FEW = 2 ** 16;

/**
 * Tells of each row's rank, asked for row by row, whether it is one of the `count` lowest; of equal ranks the earlier rows come first, so
 * more rows hold the fewer.
 * Ranks of many rows are counted by their upper and then their lower 16 bits, which takes no memory a row.
 */
function firstRanks(ranks: (row: number) => number, rows: number, count: number): (rank: number) => boolean {
  if (count === 0) return () => false;
  if (rows <= FEW) {
    const sorted = Uint32Array.from({ length: rows }, (_, row) => ranks(row)).sort();
    const last = sorted[count - 1]!;
    let equal = count - sorted.indexOf(last);
    return (rank) => rank < last || (rank === last && equal-- > 0);
  }
  const [high, before] = bucketOf(rows, count, (row) => ranks(row) >>> 16);
  const [low, below] = bucketOf(rows, count - before, (row) => {
    const rank = ranks(row);
    return rank >>> 16 === high ? rank & 0xffff : null;
  });
  const limit = high * 2 ** 16 + low;
  let left = count - before - below;
  return (rank) => rank < limit || (rank === limit && left-- > 0);
}

/** Of 2^16 buckets the one that holds the `count`-th row, and how many rows are in those before it. */
function bucketOf(rows: number, count: number, of: (row: number) => number | null): readonly [number, number] {
  const counts = new Uint32Array(2 ** 16);
  for (let row = 0; row < rows; row++) {
    const bucket = of(row);
    if (bucket !== null) counts[bucket]!++;
  }
  let bucket = 0;
  let before = 0;
  while (before + counts[bucket]! < count) before += counts[bucket++]!;
  return [bucket, before];
}
