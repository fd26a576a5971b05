import type { OrderedVariable, Table, Variable } from '@orchard/contracts';
import { exp, log, oncePer, powerOfTen } from '@orchard/numerics';
import type { BitMatrix } from '../rows/bit-matrix.js';
import { stepOf } from './cell-values.js';
import { codeOffsets, readCodes } from './codes.js';
import { logDensityIn, shareIn } from './density.js';
import { momentStep } from './moment-format.js';
import { MOST_DECIMALS } from './number-format.js';
import { sharesIn, type ValueRange } from './restriction.js';

/** Whether values of two columns can be compared: measurements on one grid. */
export function mayBeEqual(one: Variable, other: Variable): boolean {
  return isMeasured(one) && isMeasured(other) && gridOf(one) === gridOf(other);
}

/**
 * What the values of two columns have in common that may be one: moments their form, numbers their sign and how many
 * digits behind the point they need. Whether a file writes 1.250,00 beside 19,90 or 1250.0 beside 19.9 says nothing.
 */
export function gridOf({ format }: OrderedVariable): string {
  if (format.type !== 'number') return JSON.stringify(format);
  const { prefix = '', suffix = '' } = format.written ?? {};
  return JSON.stringify([format.places, prefix.trim(), suffix.trim()]);
}

/** Whether its values have a density with a shape. */
export function isMeasured(variable: Variable): variable is OrderedVariable {
  return variable.kind === 'ordered' && variable.pieces !== undefined;
}

/** Where a cell of one column and a cell of another have values in common. */
export interface Overlap {
  readonly range: ValueRange;
  /** Of the probability of the first column's cell. */
  readonly share: number;
}

/**
 * Two columns that are one value more often than by chance (`Equality` of the contracts). Codes know nothing of it:
 * given the cells of both, a of one column and b of the other have the density
 *
 * `share * p(a | overlap) * [b is written as a] / step + (1 - share) * p(a) * p(b)`
 *
 * where the cells overlap, and `p(a) * p(b)` elsewhere. It integrates to 1.
 */
export class EqualColumns {
  /** The values of a column that are written alike lie within this. */
  readonly step: number;
  readonly #overlaps = new Map<number, Overlap | null>();

  /**
   * @param one the variable number `first` of the table
   * @param other the variable number `second`
   */
  constructor(
    readonly first: number,
    readonly second: number,
    readonly one: OrderedVariable,
    readonly other: OrderedVariable,
    readonly share: number,
  ) {
    this.step = writtenStep(one);
  }

  /** Of two codes; null where the cells have no value in common, or a code is not of a cell. */
  overlap(oneCode: number, otherCode: number): Overlap | null {
    const key = oneCode * this.other.values.length + otherCode;
    if (oneCode >= this.one.values.length || otherCode >= this.other.values.length) return null;
    let overlap = this.#overlaps.get(key);
    if (overlap === undefined) {
      overlap = this.#overlapOf(oneCode, otherCode);
      this.#overlaps.set(key, overlap);
    }
    return overlap;
  }

  areEqual({ range: [low, high] }: Overlap, oneValue: number, otherValue: number): boolean {
    return Math.abs(oneValue - otherValue) < this.step / 2 && oneValue >= low && oneValue < high;
  }

  /** What the equality adds to the log-density of the other column's value. @param nats without it */
  natsBeyond(overlap: Overlap, areEqual: boolean, nats: number): number {
    const apart = log(1 - this.share);
    if (!areEqual) return apart;
    const asOne = log(this.share) + this.logRatio(overlap, nats);
    const most = Math.max(apart, asOne);
    return most + log(exp(apart - most) + exp(asOne - most));
  }

  /** How much likelier two equal values are as one than each by itself. @param nats of the second by itself */
  logRatio({ share }: Overlap, nats: number): number {
    return -nats - log(this.step * share);
  }

  /** How likely it is that cells that overlap hold one value. @param ranges that the values of either lie in */
  chance(
    overlap: Overlap,
    [oneCode, otherCode]: readonly [number, number],
    [oneRanges, otherRanges]: readonly [readonly ValueRange[], readonly ValueRange[]] = [[], []],
  ): number {
    const both = commonRanges([overlap.range], oneRanges, otherRanges);
    const equal = (this.share * sharesIn(this.one, oneCode, both).all) / overlap.share;
    const apart = shareOf(this.one, oneCode, oneRanges) * shareOf(this.other, otherCode, otherRanges);
    return this.#ofBoth(equal, apart);
  }

  /** The same where the value of the first column is known. */
  chanceGivenOne({ range: [low, high], share }: Overlap, value: number): number {
    return value >= low && value < high ? this.#ofBoth(this.share / share, 1) : 0;
  }

  /** The same where the value of the second column is known. */
  chanceGivenOther(
    { range: [low, high], share }: Overlap,
    [oneCode, otherCode]: readonly [number, number],
    value: number,
  ): number {
    if (!(value >= low && value < high)) return 0;
    const [one, other] = [logDensityIn(this.one, oneCode, value), logDensityIn(this.other, otherCode, value)];
    return this.#ofBoth((this.share / share) * exp(one - other), 1);
  }

  #ofBoth(equal: number, apart: number): number {
    return equal === 0 ? 0 : equal / (equal + (1 - this.share) * apart);
  }

  #overlapOf(oneCode: number, otherCode: number): Overlap | null {
    const { one, other } = this;
    const low = Math.max(one.edges[oneCode - 1] ?? -Infinity, other.edges[otherCode - 1] ?? -Infinity);
    const high = Math.min(one.edges[oneCode] ?? Infinity, other.edges[otherCode] ?? Infinity);
    if (!(low < high)) return null;
    const share = shareIn(one, oneCode, low, high);
    return share > 0 ? { range: [low, high], share } : null;
  }
}

/** Of a column, or 1 where no ranges are given. */
function shareOf(variable: OrderedVariable, code: number, ranges: readonly ValueRange[]): number {
  return ranges.length === 0 ? 1 : sharesIn(variable, code, ranges).all;
}

/** What lies in one of the ranges of each list; a list without any says nothing. */
export function commonRanges(...lists: readonly (readonly ValueRange[])[]): readonly ValueRange[] {
  return lists
    .filter((list) => list.length > 0)
    .reduce((common, list) =>
      common.flatMap(([low, high]) =>
        list
          .map(([from, to]): ValueRange => [Math.max(low, from), Math.min(high, to)])
          .filter(([from, to]) => from <= to),
      ),
    );
}

/** The distance of neighbouring values as the column writes them. */
function writtenStep(variable: OrderedVariable): number {
  const { format } = variable;
  if (format.type !== 'number') return momentStep(format);
  return format.places < MOST_DECIMALS ? powerOfTen(-format.places) : stepOf(variable);
}

/** The equalities of a table. */
export const equalColumnsOf = oncePer((table: Table): readonly EqualColumns[] =>
  (table.equalities ?? []).map(({ one, other, share }) => {
    const [first, second] = [one, other].map((name) => table.variables.findIndex((each) => each.name === name));
    const columns = [table.variables[first!], table.variables[second!]] as [OrderedVariable, OrderedVariable];
    return new EqualColumns(first!, second!, ...columns, share);
  }),
);

/** By variable, values of rows: of columns that are often equal, NaN where they are not known. */
export type KnownValues = ReadonlyMap<number, Float64Array>;

/** Room for {@link KnownValues} of so many rows. */
export function unknownValues(table: Table, rows: number): Map<number, Float64Array> {
  const indices = equalColumnsOf(table).flatMap(({ first, second }) => [first, second]);
  return new Map(indices.map((index) => [index, new Float64Array(rows).fill(NaN)]));
}

/**
 * Adds what a table's equalities tell to log-densities of values that were taken one by one.
 *
 * @param matrix rows of codes
 * @param logDensity element `row * V + variable`
 */
export function addEqualNats(table: Table, matrix: BitMatrix, values: KnownValues, logDensity: Float64Array): void {
  const offsets = codeOffsets(table);
  const codesOf = (index: number): Uint16Array => readCodes(matrix, offsets[index]!, offsets[index + 1]!);
  for (const equal of equalColumnsOf(table)) {
    const [ones, others] = [codesOf(equal.first), codesOf(equal.second)];
    for (let row = 0; row < matrix.rows; row++) {
      const [one, other] = [values.get(equal.first)![row]!, values.get(equal.second)![row]!];
      const overlap = Number.isNaN(one) || Number.isNaN(other) ? null : equal.overlap(ones[row]!, others[row]!);
      if (overlap === null) continue;
      const at = row * table.variables.length + equal.second;
      logDensity[at]! += equal.natsBeyond(overlap, equal.areEqual(overlap, one, other), logDensity[at]!);
    }
  }
}
