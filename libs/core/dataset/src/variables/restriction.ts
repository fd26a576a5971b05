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
  /** What values of cells are to lie in; none where only codes were allowed. */
  readonly ranges: ValueRange[] = [];

  constructor(readonly variable: Variable) {
    this.weights = new Float64Array(codeCount(variable));
  }

  get isEmpty(): boolean {
    return this.weights.every((weight) => weight === 0);
  }

  allowCode(code: number): void {
    this.weights[code] = 1;
  }

  /** Of an ordered variable. */
  allowRange(low: number, high: number): void {
    const variable = this.variable as OrderedVariable;
    this.ranges.push([low, high]);
    for (let code = 0; code < valueCount(variable); code++)
      this.weights[code] = Math.min(1, this.weights[code]! + shareIn(variable, code, low, high));
  }

  /** One number of an ordered variable: of a density all that is written alike. */
  allowValue(value: number): void {
    const variable = this.variable as OrderedVariable;
    const code = cellOf(variable, value);
    if (variable.values[code] !== null) {
      if (variable.values[code] === value) this.allowCode(code);
      return;
    }
    const half = stepOf(variable) / 2;
    this.allowRange(value - half, value + half);
  }
}
