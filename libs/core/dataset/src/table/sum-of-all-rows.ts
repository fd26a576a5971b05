import type { ColumnSum } from '@orchard/contracts';
import { count } from '@orchard/refusal';
import { nameInRule } from '../variables/name-in-rule.js';
import type { ComparedColumn } from './compared-columns.js';

/** Numbers are the sum of two others where they differ by less than this share of the largest. */
const EQUAL = 1e-9;
/** Fewer rows show nothing. */
const LEAST_ROWS = 20;

/**
 * Of how many rows a number is the sum of two others, where it is in all that have the three; null where it is not, or
 * where hardly a row has three numbers that are not 0: a column that is nearly always 0 makes any two equal ones a sum.
 */
export function rowsOfSum(total: Float64Array, parts: readonly [Float64Array, Float64Array]): number | null {
  const [one, other] = parts;
  let [all, telling] = [0, 0];
  for (let row = 0; row < total.length; row++) {
    const [whole, first, second] = [total[row]!, one[row]!, other[row]!];
    if (Number.isNaN(whole) || Number.isNaN(first) || Number.isNaN(second)) continue;
    all++;
    if (whole !== 0 && first !== 0 && second !== 0) telling++;
    const size = Math.max(Math.abs(whole), Math.abs(first), Math.abs(second));
    if (Math.abs(first + second - whole) > EQUAL * size) return null;
  }
  return telling >= LEAST_ROWS ? all : null;
}

/** A sum that all rows keep. */
export interface FoundRule {
  /** As a rule is said. */
  readonly rule: string;
  /** The columns that it is about. */
  readonly columns: readonly string[];
  /** What is to be said of it: samples keep it nearly, and wholly where it is a rule. */
  readonly note: string;
}

/** Sums that all rows keep. */
export function foundSums(columns: readonly ComparedColumn[], sums: readonly ColumnSum[]): FoundRule[] {
  const valuesOf = (name: string): Float64Array => columns.find(({ variable }) => variable.name === name)!.values;
  return sums.flatMap(({ total, parts }) => {
    const rows = rowsOfSum(valuesOf(total), [valuesOf(parts[0]), valuesOf(parts[1])]);
    if (rows === null) return [];
    const rule = `${nameInRule(total)} = ${parts.map(nameInRule).join(' + ')}`;
    const note = `${rule} in all ${count(rows)} rows that were looked at: as a rule, it holds in samples too`;
    return [{ rule, columns: [total, ...parts], note }];
  });
}
