import { LentArrays } from './lent-arrays.js';

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
 * By how much of the target's summed squares an error that is worked out from sums may differ from that of the rows:
 * rounding makes it 1e-8 at the very most.
 */
const ROUNDING = 1e-6;

/**
 * Ridge regression: the coefficients with the least squared error per row plus penalty times their squared length. The
 * penalty is the one of those given with the least error of each fold of the rows by the others; of equal ones the
 * earliest. Every n-th row is of a fold: neighbours, which may be equal, are of different ones.
 *
 * With a penalty above 0 predictors that depend on each other do no harm: their sums of squares stay positive definite.
 *
 * Rows are gone through for the penalties alone that may be the best by the sums of all rows.
 *
 * @param known of regressions on some of the same arrays
 * @param lent what is predicted is in arrays of it
 */
export function fitRidge(
  { predictors, target }: Regression,
  penalties: readonly number[],
  known = new KnownSums(),
  lent = LentArrays.of(target.length),
): RidgeFit {
  const folds = sumsOfFolds(predictors, target, known);
  const all = folds.reduce(added);
  const others = folds.map((fold) => without(all, fold));
  const ofTarget = known.of(target, target);
  const tried = penalties.map((penalty) => {
    const byFold = others.map((sums) => solve(sums, penalty));
    const error = byFold.reduce((sum, own, fold) => sum + errorBySums(folds[fold]!, own, ofTarget[fold]!), 0);
    return { penalty, byFold, error };
  });
  const least = tried.reduce((lowest, { error }) => Math.min(lowest, error), Infinity);
  const most = least + ROUNDING * ofTarget.reduce((sum, own) => sum + own, 0);
  let best: Omit<RidgeFit, 'coefficients'> | null = null;
  for (const { penalty, byFold, error: bySums } of tried) {
    if (bySums > most) continue;
    const predicted = lent.take();
    predictByFold(predictors, byFold, predicted);
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

/** What predictions by these coefficients miss of a fold's rows, summed squares: of its sums alone. */
function errorBySums({ squares, products }: Sums, coefficients: Float64Array, ofTarget: number): number {
  const count = coefficients.length;
  let error = ofTarget;
  for (let one = 0; one < count; one++) {
    let twice = squares[one * count + one]! * coefficients[one]! - 2 * products[one]!;
    for (let other = 0; other < one; other++) twice += 2 * squares[one * count + other]! * coefficients[other]!;
    error += coefficients[one]! * twice;
  }
  return error;
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

/** Each row by the coefficients of its fold, all folds and two predictors in one pass. */
function predictByFold(
  predictors: readonly Float64Array[],
  coefficients: readonly Float64Array[],
  predicted: Float64Array,
): void {
  predicted.fill(0);
  const at = (predictor: number): Float64Array => Float64Array.from(coefficients, (own) => own[predictor]!);
  const odd = predictors.length % 2;
  if (odd === 1) addProducts(predicted, predictors[0]!, at(0));
  for (let one = odd; one < predictors.length; one += 2)
    addProductsOfTwo(predicted, [predictors[one]!, predictors[one + 1]!], [at(one), at(one + 1)]);
}

/** @param weights one a fold */
function addProducts(sums: Float64Array, own: Float64Array, weights: Float64Array): void {
  const [first, second, third, fourth, fifth] = [weights[0]!, weights[1]!, weights[2]!, weights[3]!, weights[4]!];
  const whole = sums.length - (sums.length % FOLDS);
  for (let row = 0; row < whole; row += FOLDS) {
    sums[row]! += first * own[row]!;
    sums[row + 1]! += second * own[row + 1]!;
    sums[row + 2]! += third * own[row + 2]!;
    sums[row + 3]! += fourth * own[row + 3]!;
    sums[row + 4]! += fifth * own[row + 4]!;
  }
  for (let row = whole; row < sums.length; row++) sums[row]! += weights[row - whole]! * own[row]!;
}

/** The first's products before the second's. */
function addProductsOfTwo(
  sums: Float64Array,
  [one, other]: readonly [Float64Array, Float64Array],
  [ofOne, ofOther]: readonly [Float64Array, Float64Array],
): void {
  const [a0, a1, a2, a3, a4] = [ofOne[0]!, ofOne[1]!, ofOne[2]!, ofOne[3]!, ofOne[4]!];
  const [b0, b1, b2, b3, b4] = [ofOther[0]!, ofOther[1]!, ofOther[2]!, ofOther[3]!, ofOther[4]!];
  const whole = sums.length - (sums.length % FOLDS);
  for (let row = 0; row < whole; row += FOLDS) {
    sums[row] = sums[row]! + a0 * one[row]! + b0 * other[row]!;
    sums[row + 1] = sums[row + 1]! + a1 * one[row + 1]! + b1 * other[row + 1]!;
    sums[row + 2] = sums[row + 2]! + a2 * one[row + 2]! + b2 * other[row + 2]!;
    sums[row + 3] = sums[row + 3]! + a3 * one[row + 3]! + b3 * other[row + 3]!;
    sums[row + 4] = sums[row + 4]! + a4 * one[row + 4]! + b4 * other[row + 4]!;
  }
  for (let row = whole; row < sums.length; row++)
    sums[row] = sums[row]! + ofOne[row - whole]! * one[row]! + ofOther[row - whole]! * other[row]!;
}
