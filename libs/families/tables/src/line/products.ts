import { sumsByCode } from '@orchard/dataset';
import type { Variable } from '@orchard/contracts';
import type { Feature } from './feature.js';
import type { LentArrays } from './lent-arrays.js';
import { onGrid } from './on-grid.js';

/** Two positions, the earlier first, or one twice. */
export type Pair = readonly [one: number, other: number];

/** Products are tried of so many numbers: those that go most with the variable. */
const MOST_FACTORS = 6;

/** The product of two numbers over the rows that are fitted, or a square. */
export interface Product {
  readonly pair: Pair;
  readonly one: Feature;
  readonly other: Feature;
  /** Of the numbers in units of their deviations, less its own mean, in units of its own deviation. */
  readonly values: Float64Array;
  readonly mean: number;
  readonly deviation: number;
  /** With the target. */
  readonly correlation: number;
}

/** The pairs of those numbers that correlate most with the target; of equal ones the earlier. */
export function pairsOf(numbers: readonly Feature[]): Pair[] {
  const factors = [...numbers]
    .sort((a, b) => Math.abs(b.correlation) - Math.abs(a.correlation) || a.earlier - b.earlier)
    .slice(0, MOST_FACTORS)
    .map(({ earlier }) => earlier)
    .sort((a, b) => a - b);
  return factors.flatMap((one, at) => factors.slice(at).map((other) => [one, other] as const));
}

/** What products are made of: all less their means, numbers in units of their deviations. */
export interface Factors {
  /** Of each row. */
  readonly unitsOf: (number: Feature) => Float64Array;
  readonly target: Float64Array;
  /** Its summed squares. */
  readonly spread: number;
  readonly lent: LentArrays;
}

/** Null of one that is the same in all rows, and where a number is not there or is the same in all of them. */
export function productOf(
  one: Feature | undefined,
  other: Feature | undefined,
  { unitsOf, target, spread, lent }: Factors,
): Product | null {
  if (one === undefined || other === undefined) return null;
  const values = lent.take();
  const mean = multiply(unitsOf(one), unitsOf(other), values) / values.length;
  const { squares, covariance } = centre(values, mean, target);
  const deviation = Math.sqrt(squares / values.length);
  if (!(deviation > 1e-6) || !(spread > 0)) return null;
  divide(values, deviation);
  const correlation = covariance / Math.sqrt(squares * spread);
  return { pair: [one.earlier, other.earlier], one, other, values, mean, deviation, correlation };
}

/** Writes the products of two arrays, and gives their sum. */
function multiply(one: Float64Array, other: Float64Array, products: Float64Array): number {
  let sum = 0;
  for (let row = 0; row < products.length; row++) {
    const product = one[row]! * other[row]!;
    products[row] = product;
    sum += product;
  }
  return sum;
}

/** Takes the mean off, and gives the summed squares of what is left, and its products with the target. */
function centre(
  values: Float64Array,
  mean: number,
  target: Float64Array,
): { readonly squares: number; readonly covariance: number } {
  let squares = 0;
  let covariance = 0;
  for (let row = 0; row < values.length; row++) {
    const own = values[row]! - mean;
    values[row] = own;
    squares += own * own;
    covariance += own * target[row]!;
  }
  return { squares, covariance };
}

function divide(values: Float64Array, by: number): void {
  for (let row = 0; row < values.length; row++) values[row]! /= by;
}

/** The products of a line: their coefficients, and where the bits of their factors are. */
interface ProductsOfLine {
  readonly pairs: readonly Pair[];
  readonly curvatures: Float64Array;
  readonly steps: Float64Array;
}

/** What the products of a line add to μ: multiples of 2^-30, as what its bits do. */
export class ProductSums {
  /** The positions whose numbers are multiplied. */
  readonly factors: readonly number[];
  /** All products, by place. */
  readonly all: readonly number[];
  /** Of each product: the places of its factors in {@link factors}. */
  readonly #ones: Uint32Array;
  readonly #others: Uint32Array;
  readonly #curvatures: Float64Array;
  /** Of each factor: what the bits of its position add to its number. */
  readonly #steps: readonly Float64Array[];

  /** @param positionOf of each predictor bit */
  constructor({ pairs, curvatures, steps }: ProductsOfLine, positionOf: Int32Array) {
    this.factors = [...new Set(pairs.flat())].sort((a, b) => a - b);
    const placeOf = (position: number): number => this.factors.indexOf(position);
    this.#ones = Uint32Array.from(pairs, ([one]) => placeOf(one));
    this.#others = Uint32Array.from(pairs, ([, other]) => placeOf(other));
    this.#curvatures = curvatures;
    this.all = [...pairs.keys()];
    this.#steps = this.factors.map((position) =>
      steps.subarray(positionOf.indexOf(position), positionOf.lastIndexOf(position) + 1).map(onGrid),
    );
  }

  /** The number of each factor by code. @param variables in the ordering */
  numbersByCode(variables: readonly Variable[]): readonly Float64Array[] {
    return this.factors.map((position, factor) => sumsByCode(variables[position]!, this.#steps[factor]!));
  }

  /** The products in which one of some factors is, and the others; both by place. @param some by place, 1 of these */
  divided(some: Uint8Array): readonly [withSome: readonly number[], others: readonly number[]] {
    const has = (product: number): boolean => some[this.#ones[product]!] === 1 || some[this.#others[product]!] === 1;
    return [this.all.filter(has), this.all.filter((product) => !has(product))];
  }

  /**
   * @param numbers of the factors
   * @param products by place
   */
  sum(numbers: Float64Array, products: readonly number[]): number {
    const ones = this.#ones;
    const others = this.#others;
    const curvatures = this.#curvatures;
    let sum = 0;
    for (let at = 0; at < products.length; at++) {
      const product = products[at]!;
      sum += onGrid(curvatures[product]! * (numbers[ones[product]!]! * numbers[others[product]!]!));
    }
    return sum;
  }

  /**
   * Adds all products to the sums of many rows, one product after another: sums are exact.
   *
   * @param numbers of each factor, by code
   * @param codes of each factor, by row
   */
  addTo(sums: Float64Array, numbers: readonly Float64Array[], codes: readonly Uint16Array[]): void {
    for (const product of this.all) {
      const [one, other] = [this.#ones[product]!, this.#others[product]!];
      const curvature = this.#curvatures[product]!;
      if (one === other) addByCode(sums, squaresOf(numbers[one]!, curvature), codes[one]!);
      else addProduct(sums, curvature, numbers[one]!, codes[one]!, numbers[other]!, codes[other]!);
    }
  }

  /** The most that they can come to, up or down. */
  get reach(): number {
    const most = this.#steps.map((steps) => steps.reduce((sum, step) => sum + Math.abs(step), 0));
    return this.#curvatures.reduce(
      (sum, curvature, product) =>
        sum + Math.abs(curvature) * most[this.#ones[product]!]! * most[this.#others[product]!]!,
      0,
    );
  }
}

/** What a square adds, by code. */
function squaresOf(numbers: Float64Array, curvature: number): Float64Array {
  return numbers.map((number) => onGrid(curvature * (number * number)));
}

/** Adds to each row's sum what its code adds. */
export function addByCode(sums: Float64Array, added: Float64Array, codes: Uint16Array): void {
  for (let row = 0; row < codes.length; row++) sums[row]! += added[codes[row]!]!;
}

function addProduct(
  sums: Float64Array,
  curvature: number,
  ones: Float64Array,
  codesOfOne: Uint16Array,
  others: Float64Array,
  codesOfOther: Uint16Array,
): void {
  for (let row = 0; row < sums.length; row++)
    sums[row]! += onGrid(curvature * (ones[codesOfOne[row]!]! * others[codesOfOther[row]!]!));
}
