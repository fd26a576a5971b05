import { BitMatrix } from '@orchard/dataset';
import type { Column, Rows } from './rows.js';

/** Places at which a number may be split: as many as the histograms of usual boosting libraries have. */
const MOST_CUTS = 255;
/** Labels with a bit of their own, the most frequent ones. */
const MOST_LABELS = 255;

/** Which bits of a row a value sets. */
interface BitsOf {
  readonly width: number;
  set(bits: BitMatrix, row: number, from: number, value: number): void;
}

/** Rows as bits that trees split on, one column's behind another's, and how many bits each column has. */
export interface SplitBits {
  readonly widths: readonly number[];
  /** Rows in the order in which they were given. @param extra zero bits behind those of the columns */
  bitsOf(rows: Rows, extra: number): BitMatrix;
}

/** @param all rows whose values say where to split; both sides of a comparison, so that what one alone has is seen */
export function splitBits(all: readonly Rows[]): SplitBits {
  const columns = all[0]!.columns.map((_, at) => {
    const own = all.map((rows) => rows.columns[at]!);
    return own[0]!.kind === 'number' ? cutsOf(own) : labelsOf(own);
  });
  const widths = columns.map(({ width }) => width);
  return {
    widths,
    bitsOf: ({ count, columns: values }, extra) => {
      const bits = BitMatrix.create(count, widths.reduce((sum, width) => sum + width, 0) + extra);
      let from = 0;
      columns.forEach(({ width, set }, at) => {
        const own = values[at]!.values;
        for (let row = 0; row < count; row++) set(bits, row, from, own[row]!);
        from += width;
      });
      return bits;
    },
  };
}

/** One bit for each place that a number may lie above, and one for a missing number. */
function cutsOf(columns: readonly Column[]): BitsOf {
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
  const width = cuts.length + 1;
  return {
    width,
    set: (bits, row, from, value) => {
      if (Number.isNaN(value)) {
        bits.set(row, from + cuts.length, 1);
        return;
      }
      for (let cut = 0; cut < cuts.length && value >= cuts[cut]!; cut++) bits.set(row, from + cut, 1);
    },
  };
}

/** One bit for each label, and one for a missing one. */
function labelsOf(columns: readonly Column[]): BitsOf {
  const counts = new Map<number, number>();
  for (const { values } of columns) for (const label of values) counts.set(label, (counts.get(label) ?? 0) + 1);
  const frequent = [...counts].sort((a, b) => b[1] - a[1] || a[0] - b[0]).slice(0, MOST_LABELS);
  const places = new Map(frequent.map(([label], place) => [label, place]));
  return {
    width: places.size,
    set: (bits, row, from, label) => {
      const place = places.get(label);
      if (place !== undefined) bits.set(row, from + place, 1);
    },
  };
}
