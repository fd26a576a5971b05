import type { Table } from '@orchard/contracts';
import { coarseGroups, codeCount } from '@orchard/dataset';
import { log, sumOf } from '@orchard/numerics';
import { groupsOf, type CodeForest } from '../code-forest.js';
import { neverSeenCodes, type CodeColumns } from '../code-forest-of.js';

/** A variable has so many groups of values at least, or all of them. */
const LEAST_GROUPS = 8;
/** Rows that all codes of a variable share beside those that there are. */
const ADDED = 4;

/** Rows that differ, how often each is there, and what they are. */
export interface CountedCodes {
  readonly table: Table;
  /** Codes of each variable, by distinct row. */
  readonly columns: CodeColumns;
  readonly counts: Float64Array;
  /** Codes of the validation rows: of them is asked only whether they have values that training had not. */
  readonly valid: CodeColumns;
}

export interface GroupedVariable {
  readonly groupOf: Uint16Array;
  readonly groups: number;
  /** The code and the group of each distinct row. */
  readonly codes: Uint16Array;
  readonly ofRows: Uint16Array;
  /** P(code) and P(group) of all rows alike, above 0. */
  readonly rates: Float64Array;
  readonly margin: Float64Array;
}

/** Weights of the rows that differ. */
export interface RowWeights {
  /** None negative. */
  readonly weights: Float64Array;
  /** The weight of one row of each times that of all that are equal to it. */
  readonly squares: Float64Array;
}

/**
 * A table's rows by groups of the variables' codes, to which tables are fitted under other and other weights. Groups
 * are those that a forest of all rows alike tells apart, and not fewer than eight.
 */
export class GroupedRows {
  readonly variables: readonly GroupedVariable[];

  constructor(
    readonly rows: CountedCodes,
    forest: Pick<CodeForest, 'variables'>,
  ) {
    const { table, columns, counts, valid } = rows;
    const all = sumOf(counts);
    const neverSeen = neverSeenCodes(table.variables, columns, valid);
    this.variables = table.variables.map((variable, index): GroupedVariable => {
      const codes = columns[index]!;
      const groupOf = commonGroups(forest.variables[index]!.groupOf, coarseGroups(variable, LEAST_GROUPS).groupOf);
      const groups = groupsOf({ groupOf });
      const rates = new Float64Array(codeCount(variable)).fill(ADDED / codeCount(variable));
      codes.forEach((code, row) => {
        rates[code]! += counts[row]!;
      });
      // less likely than any value that there was
      const never = neverSeen[index]!;
      if (never !== null) rates[never] = 1 / ((all + 2) * (all + 2));
      const sum = sumOf(rates);
      rates.forEach((rate, code) => {
        rates[code] = rate / sum;
      });
      const margin = new Float64Array(groups);
      rates.forEach((rate, code) => {
        margin[groupOf[code]!]! += rate;
      });
      return { groupOf, groups, codes, ofRows: codes.map((code) => groupOf[code]!), rates, margin };
    });
  }

  weigh(weights: Float64Array): RowWeights {
    return { weights, squares: weights.map((weight, row) => weight ** 2 / this.rows.counts[row]!) };
  }

  /** P(code | its group) of the weighted rows and of so many rows more, spread as all rows are. */
  sharesWithin(index: number, { weights }: RowWeights, pseudoCount: number): Float64Array {
    const { codes, groupOf, groups, rates } = this.variables[index]!;
    const all = rates.map((rate) => pseudoCount * rate);
    for (let row = 0; row < codes.length; row++) all[codes[row]!]! += weights[row]!;
    const sums = new Float64Array(groups);
    all.forEach((weight, code) => {
      sums[groupOf[code]!]! += weight;
    });
    return all.map((weight, code) => weight / sums[groupOf[code]!]!);
  }

  /**
   * P(group | line) of a table: the weighted rows, and as many pseudo-rows in each line (`rowsOfLine`), in which the
   * variable is spread as in all rows.
   *
   * @param lineOf the line of each row
   */
  tableOf(
    index: number,
    lineOf: ArrayLike<number>,
    lines: number,
    { weights }: RowWeights,
    pseudoCount: number,
  ): Float64Array {
    const { ofRows, groups, margin } = this.variables[index]!;
    const added = rowsOfLine(pseudoCount, lines);
    const cells = new Float64Array(lines * groups);
    for (let row = 0; row < ofRows.length; row++) cells[lineOf[row]! * groups + ofRows[row]!]! += weights[row]!;
    for (let line = 0, start = 0; line < lines; line++, start += groups) {
      let sum = added;
      for (let group = 0; group < groups; group++) sum += cells[start + group]!;
      for (let group = 0; group < groups; group++)
        cells[start + group] = (cells[start + group]! + added * margin[group]!) / sum;
    }
    return cells;
  }
}

/** A table as it is counted: the weight of each cell, and the sum of {@link RowWeights.squares}. */
export interface Cells {
  readonly weights: Float64Array;
  readonly squares: Float64Array;
  /** Between two lines, and between two groups of a line. */
  readonly strides: readonly [number, number];
  readonly lines: number;
}

/**
 * How likely a table makes the rows that it is counted from, weighted nats, each row by the counts without it: so
 * chance gains nothing, however many cells there are. Of rows of one cell the mean weight is taken off.
 *
 * @param margin P(group) of all rows alike
 * @param pseudoCount rows that are spread evenly over the lines, one of each at least
 */
export function leftOutNats(
  { weights, squares, strides, lines }: Cells,
  margin: Float64Array,
  pseudoCount: number,
): number {
  const added = rowsOfLine(pseudoCount, lines);
  const [lineStride, groupStride] = strides;
  let nats = 0;
  for (let line = 0, start = 0; line < lines; line++, start += lineStride) {
    let all = 0;
    for (let group = 0, at = start; group < margin.length; group++, at += groupStride) all += weights[at]!;
    if (all === 0) continue;
    for (let group = 0, at = start; group < margin.length; group++, at += groupStride) {
      const weight = weights[at]!;
      if (weight === 0) continue;
      const own = squares[at]! / weight;
      // rounding may leave less than nothing of a difference
      const others = Math.max(0, weight - own) + added * margin[group]!;
      nats += weight * log(others / (Math.max(0, all - own) + added));
    }
  }
  return nats;
}

/** Pseudo-rows of each line of a table: as many in each, but one at least where there are so many in all. */
function rowsOfLine(pseudoCount: number, lines: number): number {
  return Math.max(pseudoCount / lines, Math.min(1, pseudoCount));
}

/** Groups of codes that both tell apart. */
function commonGroups(one: Uint16Array, other: Uint16Array): Uint16Array {
  const found = new Map<number, number>();
  return one.map((group, code) => {
    const key = group * 65_536 + other[code]!;
    const own = found.get(key) ?? found.size;
    found.set(key, own);
    return own;
  });
}
