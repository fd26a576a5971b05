import { BitMatrix, type Field, type FieldRows } from '@orchard/dataset';
import { firstThat } from '@orchard/numerics';
import type { Column, Rows } from './rows.js';

/** Places at which a number may be split: as many as the histograms of usual boosting libraries have. */
const MOST_CUTS = 255;
/** Labels with a bit of their own, the most frequent ones. */
const MOST_LABELS = 255;

/** A field of a column: one bit for each range of its codes. */
interface ColumnField {
  readonly codes: number;
  /** Of each bit the first code with which it is 1, and the one behind the last. */
  readonly ranges: readonly (readonly [number, number])[];
  codeOf(value: number): number;
}

/** Rows as bits that trees split on, one column's behind another's, or as the fields that these bits are of. */
export interface SplitBits {
  /** Rows in the order in which they were given. */
  bitsOf(rows: Rows): BitMatrix;
  /**
   * The rows of both sides, as a field of which the bit behind all others says which side a row is of: 0 for `left`.
   */
  fieldsOf(left: Rows, right: Rows): FieldRows;
}

/** @param all rows whose values say where to split; both sides of a comparison, so that what one alone has is seen */
export function splitBits(all: readonly Rows[]): SplitBits {
  const columns = all[0]!.columns.map((_, at) => {
    const own = all.map((rows) => rows.columns[at]!);
    return own[0]!.kind === 'number' ? cutsOf(own) : labelsOf(own);
  });
  const every = columns.flatMap((fields, column) => fields.map((field) => ({ field, column })));
  const codesOf = ({ columns: values, count }: Rows, write: (row: number, at: number, code: number) => void): void =>
    every.forEach(({ field, column }, at) => {
      const own = values[column]!.values;
      for (let row = 0; row < count; row++) write(row, at, field.codeOf(own[row]!));
    });
  const side = { codes: 2, ranges: [[1, 2]] as const };
  const fields: Field[] = [];
  for (const { codes, ranges } of [...every.map(({ field }) => field), side]) {
    const start = fields.at(-1)?.end ?? 0;
    fields.push({ start, end: start + ranges.length, codes, ranges: Uint16Array.from(ranges.flat()), sets: null });
  }
  const predictors = fields.at(-1)!.end;
  return {
    bitsOf: (rows) => {
      const bits = BitMatrix.create(rows.count, predictors);
      codesOf(rows, (row, at, code) =>
        every[at]!.field.ranges.forEach(([from, to], bit) => {
          if (code >= from && code < to) bits.set(row, fields[at]!.start + bit, 1);
        }),
      );
      return bits;
    },
    fieldsOf: (left, right) => {
      const stride = Math.ceil(fields.length / 8) * 8;
      const rows = left.count + right.count;
      const bytes = new Uint8Array(rows * stride);
      codesOf(left, (row, at, code) => {
        bytes[row * stride + at] = code;
      });
      codesOf(right, (row, at, code) => {
        bytes[(left.count + row) * stride + at] = code;
      });
      for (let row = left.count; row < rows; row++) bytes[row * stride + every.length] = 1;
      return { rows, dimensions: predictors, layout: { predictors, fields, stride }, bytes };
    },
  };
}

/** One bit for each place that a number may lie above; where numbers are missing, a field of its own says so. */
function cutsOf(columns: readonly Column[]): ColumnField[] {
  const size = columns.reduce((sum, { values }) => sum + values.length, 0);
  const sorted = new Float64Array(size);
  let end = 0;
  for (const { values } of columns) for (const value of values) if (!Number.isNaN(value)) sorted[end++] = value;
  const ascending = sorted.subarray(0, end).sort();
  const distinct = ascending.filter((value, at) => at === 0 || value !== ascending[at - 1]);
  // of few values between all; of many between those at even places among the rows
  const cuts =
    distinct.length <= MOST_CUTS + 1
      ? distinct.subarray(1)
      : Float64Array.from(
          new Set(
            Array.from({ length: MOST_CUTS }, (_, cut) => ascending[Math.floor(((cut + 1) * end) / (MOST_CUTS + 1))]!),
          ),
        );
  const field: ColumnField = {
    codes: cuts.length + 1,
    ranges: Array.from(cuts, (_, cut) => [cut + 1, cuts.length + 1] as const),
    codeOf: (value) => (Number.isNaN(value) ? 0 : firstThat(cuts.length, (place) => value < cuts[place]!)),
  };
  const missing = { codes: 2, ranges: [[1, 2] as const], codeOf: (value: number) => (Number.isNaN(value) ? 1 : 0) };
  return end === size ? [field] : [field, missing];
}

/** One bit for each label, and one for a missing one. */
function labelsOf(columns: readonly Column[]): ColumnField[] {
  const counts = new Map<number, number>();
  for (const { values } of columns) for (const label of values) counts.set(label, (counts.get(label) ?? 0) + 1);
  const frequent = [...counts].sort((a, b) => b[1] - a[1] || a[0] - b[0]).slice(0, MOST_LABELS);
  const places = new Map(frequent.map(([label], place) => [label, place + 1]));
  const ranges = frequent.map((_, place) => [place + 1, place + 2] as const);
  return [{ codes: places.size + 1, ranges, codeOf: (label) => places.get(label) ?? 0 }];
}
