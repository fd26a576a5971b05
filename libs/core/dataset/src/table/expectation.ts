import type { OrderedFormat, OrderedVariable, Variable } from '@orchard/contracts';
import { cellOf, numberOf, writeOnGrid } from '../variables/cell-values.js';
import { holeCode, otherCode, valueCount } from '../variables/codes.js';
import { ValueDistribution } from '../variables/value-distribution.js';
import { codesInOrder } from '../variables/value-order.js';
import { wordsOf } from './write-table.js';

/** How much of an ordered variable lies in its middle, and on each side of it. */
const MIDDLE = 0.8;
const SIDE = (1 - MIDDLE) / 2;

/** Decimals that are written whatever the values are; of more, as computed numbers have them, few are. */
const OWN_DECIMALS = 6;
/** Beyond it only all digits tell numbers apart. */
const MOST_SHOWN = 15;
/** Digits by which the ends of what is expected differ. */
const SHOWN = 3;

/** What a distribution leads one to expect of a cell, in the words and digits of its column. */
export interface Expectation {
  /** The likeliest label and its probability, or where the middle 80 % of the values lie. */
  readonly expected: string;
  /** Where the middle 80 % of the values lie: a number, or text of a date or time; null otherwise. */
  readonly expectedLow: number | string | null;
  readonly expectedHigh: number | string | null;
  /** The likeliest label; null of numbers, dates and missing values. */
  readonly expectedLabel: string | null;
}

/** What one distribution says of a column; of a column that is read alike several may be asked. */
export interface Opinion {
  readonly variable: Variable;
  /** P(code), of all codes. */
  readonly shares: Float64Array;
}

export function expectationOf(variable: Variable, shares: Float64Array): Expectation {
  return commonExpectation([{ variable, shares }]);
}

/** What several distributions of one column expect: in the mean, of where values lie the median. */
export function commonExpectation(opinions: readonly Opinion[]): Expectation {
  const missing = mean(opinions, ({ variable, shares }) => shares[holeCode(variable) ?? -1] ?? 0);
  const { variable } = opinions[0]!;
  if (variable.kind !== 'ordered') return ofLabels(opinions, missing);
  const others = mean(opinions, (each) => (isOfValues(each) ? 0 : (each.shares[otherCode(each.variable) ?? -1] ?? 0)));
  const values = 1 - missing - others;
  if (missing > values) return withoutValue(`missing (${percentOf(missing)})`);
  if (others > values) return withoutValue(`${wordsOf(variable, otherCode(variable)!)} (${percentOf(others)})`);
  const spreads = opinions
    .filter(isOfValues)
    .map(({ variable: own, shares }) => new ValueDistribution(own as OrderedVariable, shares));
  const [low, high] = [SIDE, 1 - SIDE].map((part) => medianOf(spreads.map((each) => each.quantile(part)))) as [
    number,
    number,
  ];
  const format = shownFormat(variable.format, high - low);
  const shown = format === variable.format ? variable : { format };
  const [first, last] = [writeOnGrid(low, shown), writeOnGrid(high, shown)];
  const valueOf = (text: string): number | string => (format.type === 'number' ? numberOf(text, format) : text);
  return {
    expected: first === last ? first : `${first} … ${last}`,
    expectedLow: valueOf(first),
    expectedHigh: valueOf(last),
    expectedLabel: null,
  };
}

/**
 * Whether a cell of that code is what is expected: the label, or a value where the middle 80 % of the values lie.
 *
 * @param value the number that the cell is; NaN where it is not known
 */
export function isExpected(
  variable: Variable,
  { expectedLow: low, expectedHigh: high, expectedLabel: label }: Expectation,
  code: number,
  value: number,
): boolean {
  if (code === holeCode(variable)) return label === null && low === null;
  if (variable.kind !== 'ordered') return label === wordsOf(variable, code);
  if (low === null || high === null) return false;
  const [from, to] = [low, high].map((end) => numberOf(end, variable.format)) as [number, number];
  if (!Number.isNaN(value)) return value >= from && value <= to;
  // of a cell it is known that it lies within
  const order = codesInOrder(variable);
  const place = order.indexOf(code);
  return place > order.indexOf(cellOf(variable, from)) && place < order.indexOf(cellOf(variable, to));
}

function ofLabels(opinions: readonly Opinion[], missing: number): Expectation {
  const shares = new Map<string, number>();
  for (const { variable, shares: own } of opinions)
    for (let code = 0; code < own.length; code++)
      if (code !== holeCode(variable)) {
        const label = wordsOf(variable, code);
        shares.set(label, (shares.get(label) ?? 0) + own[code]! / opinions.length);
      }
  const [label, share] = [...shares].reduce((best, each) => (each[1] > best[1] ? each : best));
  if (missing > share) return withoutValue(`missing (${percentOf(missing)})`);
  return { expected: `${label} (${percentOf(share)})`, expectedLow: null, expectedHigh: null, expectedLabel: label };
}

function withoutValue(expected: string): Expectation {
  return { expected, expectedLow: null, expectedHigh: null, expectedLabel: null };
}

function isOfValues({ variable, shares }: Opinion): boolean {
  return shares.subarray(0, valueCount(variable)).some((share) => share > 0);
}

function mean(opinions: readonly Opinion[], of: (opinion: Opinion) => number): number {
  return opinions.reduce((sum, opinion) => sum + of(opinion), 0) / opinions.length;
}

/** Of an even number of values the lower one of the middle: a value that there is. */
function medianOf(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) / 2)]!;
}

/** Numbers that have more decimals than anybody reads are written by how far the ends lie apart. */
function shownFormat(format: OrderedFormat, spread: number): OrderedFormat {
  if (format.type !== 'number' || format.places <= OWN_DECIMALS) return format;
  const decimals = Math.max(0, SHOWN - 1 - Math.floor(Math.log10(spread)));
  return spread > 0 && decimals <= MOST_SHOWN ? { ...format, decimals, places: decimals } : format;
}

/** The codes between which the middle 80 % of an ordered variable's values lie. */
export function middleCodes(variable: OrderedVariable, shares: Float64Array): readonly [number, number] {
  const codes = codesInOrder(variable);
  const all = codes.reduce((sum, code) => sum + shares[code]!, 0);
  const codeAt = (share: number): number => {
    let sum = 0;
    for (const code of codes) {
      sum += shares[code]!;
      if (sum >= share * all) return code;
    }
    return codes.at(-1)!;
  };
  return [codeAt(SIDE), codeAt(1 - SIDE)];
}

function percentOf(share: number): string {
  return `${(100 * share).toFixed(0)} %`;
}
