import type { OrderedVariable, Variable } from '@orchard/contracts';
import { writeValue } from '../variables/cell-values.js';
import { holeCode, otherCode, ownValue, valueCount } from '../variables/codes.js';
import { codesInOrder } from '../variables/value-order.js';
import { wordsOf } from './write-table.js';

/** How much of an ordered variable lies in its middle, and on each side of it. */
const MIDDLE = 0.8;
const SIDE = (1 - MIDDLE) / 2;

/**
 * What a variable's distribution leads one to expect, in words: its likeliest label, or where the middle 80 % of its
 * values lie.
 */
export function expectedWords(variable: Variable, shares: Float64Array): string {
  if (variable.kind !== 'ordered') {
    const likeliest = shares.reduce((best, p, code) => (p > shares[best]! ? code : best), 0);
    return withShare(variable, likeliest, shares[likeliest]!);
  }
  const values = sumOf(shares.subarray(0, valueCount(variable)));
  for (const code of [holeCode(variable), otherCode(variable)])
    if (code !== null && shares[code]! > values) return withShare(variable, code, shares[code]!);
  const [first, last] = middleCodes(variable, shares);
  return first === last ? wordsOf(variable, first) : `${lowestOf(variable, first)} … ${highestOf(variable, last)}`;
}

/** Where a cell begins. */
function lowestOf(variable: OrderedVariable, code: number): string {
  const isInner = ownValue(variable, code) === null && code > 0;
  return isInner ? writeValue(variable.edges[code - 1]!, variable.format) : wordsOf(variable, code);
}

/** Where a cell ends. */
function highestOf(variable: OrderedVariable, code: number): string {
  const isInner = ownValue(variable, code) === null && code < variable.edges.length;
  return isInner ? writeValue(variable.edges[code]!, variable.format) : wordsOf(variable, code);
}

/** The codes between which the middle 80 % of an ordered variable's values lie. */
export function middleCodes(variable: OrderedVariable, shares: Float64Array): readonly [number, number] {
  const codes = codesInOrder(variable);
  const all = codes.reduce((sum, code) => sum + shares[code]!, 0);
  const codeAt = (share: number): number => {
    let sum = 0;
    return codes.find((code) => (sum += shares[code]!) >= share * all) ?? codes.at(-1)!;
  };
  return [codeAt(SIDE), codeAt(1 - SIDE)];
}

function withShare(variable: Variable, code: number, share: number): string {
  return `${wordsOf(variable, code)} (${(100 * share).toFixed(0)} %)`;
}

function sumOf(shares: Float64Array): number {
  return shares.reduce((sum, share) => sum + share, 0);
}
