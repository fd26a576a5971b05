import { SET_BYTES, type Field, type FieldRows } from '@orchard/dataset';
import { RandomStream } from '@orchard/numerics';
import { decisionOf, type Decision } from './target.js';
import type { TrainingData } from './training-data.js';

/** A variable of a table, and the codes with which each of its predictors is 1. */
interface Variable {
  readonly codes: number;
  readonly ranges: readonly (readonly [number, number])[];
  /** Where nothing is missing, so many codes stand for each value that predictors tell apart. */
  readonly codesOfValue: number;
  readonly holes: boolean;
}

/** How variables lie in fields: each by itself, or as many small ones in one as a byte has codes for. */
export type Packing = 'single' | 'bundled';

/**
 * Rows of variables that depend on each other: cut points, labels, single bits, with missing values, with values that no
 * predictor tells apart, with constant variables and repeated ones among them.
 */
export function randomTable(
  seed: number,
  rows: number,
  variables: number,
  packing: Packing,
  distinct = rows,
): FieldRows {
  const stream = new RandomStream(seed, 97);
  // where all are narrow the kernel bundles many of them
  const widths = stream.below(2) === 0 ? [1, 2, 4] : [12, 64, 127, 254];
  const columns = Array.from({ length: variables }, () => randomVariable(stream, widths));
  const written = Array.from({ length: Math.min(rows, distinct) }, () => randomRow(stream, columns));
  const groups = groupsOf(columns, packing);
  const fields: Field[] = [];
  for (const group of groups) fields.push(fieldOf(group, fields.at(-1)?.end ?? 0));
  const stride = Math.ceil(fields.length / 8) * 8;
  const bytes = new Uint8Array(rows * stride);
  for (let row = 0; row < rows; row++) {
    const codes = written[row < distinct ? row : stream.below(distinct)]!;
    let position = 0;
    groups.forEach((group, field) => {
      for (const { codes: count } of group)
        bytes[row * stride + field] = bytes[row * stride + field]! * count + codes[position++]!;
    });
  }
  const predictors = fields.at(-1)!.end;
  return { rows, dimensions: predictors, layout: { predictors, fields, stride }, bytes };
}

function randomVariable(stream: RandomStream, widths: readonly number[]): Variable {
  const kind = (['cuts', 'cuts', 'labels', 'bit'] as const)[stream.below(4)]!;
  const most = kind === 'bit' ? 1 : widths[stream.below(widths.length)]!;
  const width = 1 + stream.below(most);
  const holes = stream.below(3) === 0;
  const codesOfValue = (width + 1) * 2 < 255 && stream.below(4) === 0 ? 2 : 1;
  const values = (width + 1) * codesOfValue;
  const ranges = Array.from({ length: width }, (_, bit): readonly [number, number] => {
    const from = (kind === 'labels' ? bit : bit + 1) * codesOfValue;
    return [from, kind === 'labels' ? from + codesOfValue : values];
  });
  // some values that cut points lie around have a predictor of their own
  if (kind === 'cuts' && stream.below(3) === 0)
    for (let code = 0; code < values; code++) if (stream.below(3) === 0) ranges.push([code, code + 1]);
  // what is missing has a predictor of its own, or none
  if (holes && stream.below(2) === 0) ranges.push([values, values + 1]);
  return { codes: values + (holes ? 1 : 0), ranges, codesOfValue, holes };
}

/** A code for each variable. */
function randomRow(stream: RandomStream, columns: readonly Variable[]): number[] {
  let share = stream.uniform();
  return columns.map(({ codes, codesOfValue, holes }, index) => {
    // every fifth variable is constant, every seventh repeats the one before it
    if (index % 7 !== 6) share = stream.below(3) === 0 ? stream.uniform() : share;
    const values = (codes - (holes ? 1 : 0)) / codesOfValue;
    if (holes && stream.below(4) === 0) return codes - 1;
    const value = index % 5 === 4 ? values >> 1 : Math.floor(share * values);
    return value * codesOfValue + stream.below(codesOfValue);
  });
}

function groupsOf(columns: readonly Variable[], packing: Packing): Variable[][] {
  const groups: Variable[][] = [];
  let product = Infinity;
  for (const column of columns) {
    product *= column.codes;
    if (packing === 'bundled' && product <= 256) groups.at(-1)!.push(column);
    else {
      groups.push([column]);
      product = column.codes;
    }
  }
  return groups;
}

function fieldOf(group: readonly Variable[], start: number): Field {
  const [first, ...others] = group as [Variable, ...Variable[]];
  if (others.length === 0) {
    const { codes, ranges } = first;
    return { start, end: start + ranges.length, codes, ranges: Uint16Array.from(ranges.flat()), sets: null };
  }
  const codes = group.reduce((product, variable) => product * variable.codes, 1);
  const sets: number[] = [];
  let unit = codes;
  for (const { codes: own, ranges } of group) {
    unit /= own;
    for (const [from, to] of ranges) {
      const set = new Array<number>(SET_BYTES).fill(0);
      for (let code = 0; code < codes; code++) {
        const value = Math.floor(code / unit) % own;
        if (value >= from && value < to) set[code >> 3]! |= 1 << (code & 7);
      }
      sets.push(...set);
    }
  }
  return { start, end: start + sets.length / SET_BYTES, codes, ranges: null, sets: Uint8Array.from(sets) };
}

/** Some rows of a table, in their order; null where there are none. */
export function someRows(table: FieldRows, from: number, count: number): FieldRows | null {
  if (count === 0) return null;
  const { stride } = table.layout;
  return { ...table, rows: count, bytes: table.bytes.subarray(from * stride, (from + count) * stride) };
}

/** How a decision's rows are drawn. */
export type Reach = 'all' | 'few' | 'none' | 'one' | 'held-out' | 'constant' | 'by-value';

export const REACHES = ['all', 'few', 'none', 'one', 'held-out', 'constant', 'by-value'] as const satisfies Reach[];

/** A decision on the first `predictors` predictors that depends on them, reached by such rows. */
export function randomDecision(data: TrainingData, seed: number, predictors: number, reach: Reach): Decision {
  const stream = new RandomStream(seed, 96);
  const decider = predictors === 0 ? -1 : stream.below(predictors);
  const only = stream.below(data.rowCount);
  const labels = Uint8Array.from({ length: data.rowCount }, (_, row) => {
    const value = data.bit(row, data.dimensions - 1);
    const draw = stream.uniform();
    const reaches = {
      all: true,
      few: draw < 0.1,
      none: false,
      one: row === only,
      'held-out': data.splitOf(row) !== 0,
      constant: draw < 0.7,
      'by-value': value === 1,
    }[reach];
    const informed = decider >= 0 && stream.below(4) > 0;
    const label = informed ? data.bit(row, decider) : stream.below(2);
    return !reaches ? 2 : reach === 'constant' ? 1 : label;
  });
  return decisionOf(predictors, labels);
}
