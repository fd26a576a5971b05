import { BitMatrix } from '@orchard/dataset';
import { Purpose, RandomStream } from '@orchard/numerics';

/** Which rows of training and validation together validate a network. */
export interface Fold {
  /** 0 to folds - 1. */
  readonly fold: number;
  readonly folds: number;
  /** Of the run: all its networks see the same folds. */
  readonly seed: number;
}

/** Rows of each split, training rows first, when a fold of them validates. */
export function foldSizes(
  rows: number,
  { fold, folds }: Pick<Fold, 'fold' | 'folds'>,
): { train: number; valid: number } {
  const valid = Math.ceil((rows - fold) / folds);
  return { train: rows - valid, valid };
}

/** Training rows, then validation rows. */
export function pooledRows(train: BitMatrix, valid: BitMatrix): BitMatrix {
  const { dimensions, names, shape } = train;
  const pooled = BitMatrix.create(train.rows + valid.rows, dimensions, { names, shape });
  pooled.bytes.set(train.bytes);
  pooled.bytes.set(valid.bytes, train.bytes.length);
  return pooled;
}

/**
 * The rows of two splits dealt anew: those of the fold validate, the others train, each in the order that they have.
 */
export function refold(train: BitMatrix, valid: BitMatrix, fold: Fold): { train: BitMatrix; valid: BitMatrix } {
  const pooled = pooledRows(train, valid);
  const foldOf = foldsOfRows(pooled.rows, fold);
  const numbers = [...foldOf.keys()];
  return {
    train: pooled.selectRows(numbers.filter((row) => foldOf[row] !== fold.fold)),
    valid: pooled.selectRows(numbers.filter((row) => foldOf[row] === fold.fold)),
  };
}

/** The fold of each row, 0 to `folds - 1`: rows are dealt like cards after a shuffle, since files may be sorted. */
export function foldsOfRows(rows: number, { folds, seed }: Pick<Fold, 'folds' | 'seed'>): Uint16Array {
  const stream = new RandomStream(seed, Purpose.fold);
  const shuffled = Uint32Array.from({ length: rows }, (_, row) => row);
  for (let last = rows - 1; last > 0; last--) {
    const other = stream.below(last + 1);
    const row = shuffled[last]!;
    shuffled[last] = shuffled[other]!;
    shuffled[other] = row;
  }
  const foldOf = new Uint16Array(rows);
  shuffled.forEach((row, place) => {
    foldOf[row] = place % folds;
  });
  return foldOf;
}
