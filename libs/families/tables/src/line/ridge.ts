/** Rows of predictors and what is to be predicted: all centred, the predictors of unit variance. */
export interface Regression {
  /** One array a predictor, of all rows. */
  readonly predictors: readonly Float64Array[];
  readonly target: Float64Array;
}

export interface RidgeFit {
  /** One a predictor. */
  readonly coefficients: Float64Array;
  readonly penalty: number;
  /** Of each row, predicted by the coefficients of the other folds. */
  readonly predicted: Float64Array;
  /** The summed squares of what those predictions miss. */
  readonly error: number;
}

const FOLDS = 5;

/**
 * Ridge regression: the coefficients with the least squared error per row plus penalty times their squared length. The
 * penalty is the one of those given with the least error of each fold of the rows by the others; of equal ones the
 * earliest. Every n-th row is of a fold: neighbours, which may be equal, are of different ones.
 *
 * With a penalty above 0 predictors that depend on each other do no harm: their sums of squares stay positive definite.
 *
 * @param known of regressions on some of the same arrays
 */
export function fitRidge(
  { predictors, target }: Regression,
  penalties: readonly number[],
  known = new KnownSums(),
): RidgeFit {
  const folds = sumsOfFolds(predictors, target, known);
  const all = folds.reduce(added);
  const others = folds.map((fold) => without(all, fold));
  let best: Omit<RidgeFit, 'coefficients'> | null = null;
  for (const penalty of penalties) {
    const predicted = predictedByFold(
      predictors,
      others.map((sums) => solve(sums, penalty)),
      target.length,
    );
    const error = squaredError(target, predicted);
    if (error < (best?.error ?? Infinity)) best = { penalty, predicted, error };
  }
  if (best === null) throw new Error('a ridge regression of numbers that are none');
  return { ...best, coefficients: solve(all, best.penalty) };
}

/** Sums of products: predictor by predictor (the lower half), and predictor by target. */
interface Sums {
  readonly rows: number;
  readonly squares: Float64Array;
  readonly products: Float64Array;
}

function sumsOfFolds(predictors: readonly Float64Array[], target: Float64Array, known: KnownSums): Sums[] {
  const count = predictors.length;
  const folds = Array.from({ length: FOLDS }, (_, fold): Sums => ({
    rows: Math.max(0, Math.ceil((target.length - fold) / FOLDS)),
    squares: new Float64Array(count * count),
    products: new Float64Array(count),
  }));
  for (let one = 0; one < count; one++) {
    const ofTarget = known.of(predictors[one]!, target);
    for (let fold = 0; fold < FOLDS; fold++) folds[fold]!.products[one] = ofTarget[fold]!;
    for (let other = 0; other <= one; other++) {
      const sums = known.of(predictors[one]!, predictors[other]!);
      for (let fold = 0; fold < FOLDS; fold++) folds[fold]!.squares[one * count + other] = sums[fold]!;
    }
  }
  return folds;
}

/**
 * Sums of products of two arrays by fold, each pair's once: the same predictors are tried alone, and with others. They
 * are most of what a regression takes.
 */
export class KnownSums {
  readonly #numbers = new Map<Float64Array, number>();
  /** By the higher number, then the lower one. */
  readonly #sums: (Float64Array | undefined)[][] = [];

  of(one: Float64Array, other: Float64Array): Float64Array {
    const [first, second] = [this.#numberOf(one), this.#numberOf(other)];
    const ofHigher = this.#sums[Math.max(first, second)]!;
    const lower = Math.min(first, second);
    ofHigher[lower] ??= sumProducts(one, other);
    return ofHigher[lower];
  }

  #numberOf(values: Float64Array): number {
    const found = this.#numbers.get(values);
    if (found !== undefined) return found;
    this.#sums.push([]);
    this.#numbers.set(values, this.#numbers.size);
    return this.#numbers.size - 1;
  }
}

/** Sums of products fold by fold, in one pass: each fold's sum in the order of its rows, none waiting for another. */
function sumProducts(one: Float64Array, other: Float64Array): Float64Array {
  let [first, second, third, fourth, fifth] = [0, 0, 0, 0, 0];
  const whole = one.length - (one.length % FOLDS);
  for (let row = 0; row < whole; row += FOLDS) {
    first += one[row]! * other[row]!;
    second += one[row + 1]! * other[row + 1]!;
    third += one[row + 2]! * other[row + 2]!;
    fourth += one[row + 3]! * other[row + 3]!;
    fifth += one[row + 4]! * other[row + 4]!;
  }
  const sums = Float64Array.of(first, second, third, fourth, fifth);
  for (let row = whole; row < one.length; row++) sums[row - whole]! += one[row]! * other[row]!;
  return sums;
}

/** A loop, since rows are many and it is asked of each penalty. */
function squaredError(target: Float64Array, predicted: Float64Array): number {
  let sum = 0;
  for (let row = 0; row < target.length; row++) {
    const missed = target[row]! - predicted[row]!;
    sum += missed * missed;
  }
  return sum;
}

function added(one: Sums, other: Sums): Sums {
  return {
    rows: one.rows + other.rows,
    squares: one.squares.map((value, at) => value + other.squares[at]!),
    products: one.products.map((value, at) => value + other.products[at]!),
  };
}

function without(all: Sums, fold: Sums): Sums {
  return {
    rows: all.rows - fold.rows,
    squares: all.squares.map((value, at) => value - fold.squares[at]!),
    products: all.products.map((value, at) => value - fold.products[at]!),
  };
}

/** By Cholesky's factors of the squares with the penalty on the diagonal. */
function solve({ rows, squares, products }: Sums, penalty: number): Float64Array {
  const count = products.length;
  const factor = squares.slice();
  const added = penalty * Math.max(1, rows);
  const own = new Float64Array(count);
  for (let at = 0; at < count; at++) factor[at * count + at]! += added;
  // column after column is taken off all that is left: each entry loses the same products in the same order as if it
  // were summed by itself, and none waits for the one before
  for (let column = 0; column < count; column++) {
    // rounding alone could take it below what the penalty adds
    const pivot = Math.sqrt(Math.max(factor[column * count + column]!, added / 2));
    factor[column * count + column] = pivot;
    for (let row = column + 1; row < count; row++) {
      const value = factor[row * count + column]! / pivot;
      factor[row * count + column] = value;
      own[row] = value;
      const start = row * count;
      for (let other = column + 1; other <= row; other++) factor[start + other]! -= value * own[other]!;
    }
  }
  const solution = products.slice();
  for (let row = 0; row < count; row++) {
    for (let at = 0; at < row; at++) solution[row]! -= factor[row * count + at]! * solution[at]!;
    solution[row]! /= factor[row * count + row]!;
  }
  for (let row = count - 1; row >= 0; row--) {
    for (let at = row + 1; at < count; at++) solution[row]! -= factor[at * count + row]! * solution[at]!;
    solution[row]! /= factor[row * count + row]!;
  }
  return solution;
}

/** Each row by the coefficients of its fold, all folds in one pass. */
function predictedByFold(
  predictors: readonly Float64Array[],
  coefficients: readonly Float64Array[],
  rows: number,
): Float64Array {
  const predicted = new Float64Array(rows);
  predictors.forEach((own, at) => {
    const [first, second, third, fourth, fifth] = coefficients.map((ofFold) => ofFold[at]!);
    addProducts(predicted, own, [first!, second!, third!, fourth!, fifth!]);
  });
  return predicted;
}

function addProducts(
  sums: Float64Array,
  own: Float64Array,
  [first, second, third, fourth, fifth]: readonly [number, number, number, number, number],
): void {
  const whole = sums.length - (sums.length % FOLDS);
  for (let row = 0; row < whole; row += FOLDS) {
    sums[row]! += first * own[row]!;
    sums[row + 1]! += second * own[row + 1]!;
    sums[row + 2]! += third * own[row + 2]!;
    sums[row + 3]! += fourth * own[row + 3]!;
    sums[row + 4]! += fifth * own[row + 4]!;
  }
  for (let row = whole; row < sums.length; row++)
    sums[row]! += [first, second, third, fourth, fifth][row - whole]! * own[row]!;
}
