import type { OrderedVariable, Variable } from '@orchard/contracts';
import { cellOf, stepOf } from './cell-values.js';
import { codeCount, valueCount } from './codes.js';
import { shareIn } from './density.js';

/** From the first number to the second, both included. */
export type ValueRange = readonly [low: number, high: number];

/** What is said of a variable without naming its value. */
export class Restriction {
  /** How far each code is allowed, 0 to 1: of a cell the share that lies in a range. */
  readonly weights: Float64Array;
  readonly #codes = new Set<number>();
  #ranges: readonly ValueRange[] = [];

  constructor(readonly variable: Variable) {
    this.weights = new Float64Array(codeCount(variable));
  }

  /** What values of cells are to lie in, ascending and disjoint; none where only codes were allowed. */
  get ranges(): readonly ValueRange[] {
    return this.#ranges;
  }

  get isEmpty(): boolean {
    return this.weights.every((weight) => weight === 0);
  }

  allowCode(code: number): void {
    this.#codes.add(code);
    this.weights[code] = 1;
  }

  /** Of an ordered variable. Ranges that overlap are one: what lies in both counts once. */
  allowRange(low: number, high: number): void {
    const variable = this.variable as OrderedVariable;
    this.#ranges = united([...this.#ranges, [low, high]]);
    for (let code = 0; code < valueCount(variable); code++)
      this.weights[code] = this.#codes.has(code) ? 1 : sharesIn(variable, code, this.#ranges).all;
  }

  /** One number of an ordered variable: of a density all that is written alike. */
  allowValue(value: number): void {
    const variable = this.variable as OrderedVariable;
    const atom = variable.atoms?.values.indexOf(value) ?? -1;
    if (atom >= 0) {
      this.allowCode(variable.values.length + atom);
      return;
    }
    const code = cellOf(variable, value);
    if (variable.values[code] !== null) {
      if (variable.values[code] === value) this.allowCode(code);
      return;
    }
    const half = stepOf(variable) / 2;
    this.allowRange(value - half, value + half);
  }
}

/** The shares of a cell that lie in disjoint ranges, and their sum. */
export function sharesIn(
  variable: OrderedVariable,
  code: number,
  ranges: readonly ValueRange[],
): { readonly shares: readonly number[]; readonly all: number } {
  const shares = ranges.map(([low, high]) => shareIn(variable, code, low, high));
  const all = shares.reduce((sum, share) => sum + share, 0);
  return { shares, all: Math.min(1, all) };
}

/**
 * The same values in ranges that are ascending and have nothing in common; a range that ends before it begins holds
 * none.
 */
function united(ranges: readonly ValueRange[]): readonly ValueRange[] {
  const result: [number, number][] = [];
  const ascending = ranges.filter(([low, high]) => low <= high).sort(([one], [other]) => one - other);
  for (const [low, high] of ascending) {
    const last = result.at(-1);
    if (last !== undefined && low <= last[1]) last[1] = Math.max(last[1], high);
    else result.push([low, high]);
  }
  return result;
}
