import type { Column, LabelColumn, NumberColumn, Rows } from './rows.js';

export interface ColumnScore {
  readonly column: string;
  /** From 0, nothing alike, to 1, the same distribution. */
  readonly score: number;
}

/**
 * How alike each column's distribution is, as SDMetrics' Column Shapes: of numbers 1 less the Kolmogorov–Smirnov
 * distance (KSComplement), of labels 1 less the total variation distance (TVComplement). Missing numbers are left out,
 * a missing label is a label.
 */
export function columnShapes(real: Rows, synthetic: Rows): ColumnScore[] {
  return real.columns.map((column, at) => ({
    column: column.name,
    score: shapeOf(column, synthetic.columns[at]!),
  }));
}

function shapeOf(real: Column, synthetic: Column): number {
  if (real.kind === 'number') return 1 - largestGap(presentOf(real), presentOf(synthetic as NumberColumn));
  return 1 - distanceOf(sharesOf(real), sharesOf(synthetic as LabelColumn));
}

function presentOf({ values }: NumberColumn): Float64Array {
  return values.filter((value) => !Number.isNaN(value)).sort();
}

/** The largest difference between two empirical distribution functions. @param left and right ascending */
function largestGap(left: Float64Array, right: Float64Array): number {
  if (left.length === 0 || right.length === 0) return left.length === right.length ? 0 : 1;
  let [a, b, gap] = [0, 0, 0];
  while (a < left.length && b < right.length) {
    const value = Math.min(left[a]!, right[b]!);
    while (a < left.length && left[a]! <= value) a++;
    while (b < right.length && right[b]! <= value) b++;
    gap = Math.max(gap, Math.abs(a / left.length - b / right.length));
  }
  return gap;
}

function sharesOf({ values }: LabelColumn): Map<number, number> {
  return sharesOfKeys(values.length, (row) => values[row]!);
}

/** How often each key comes, as a share. */
export function sharesOfKeys<Key>(count: number, keyOf: (row: number) => Key): Map<Key, number> {
  const counts = new Map<Key, number>();
  for (let row = 0; row < count; row++) {
    const key = keyOf(row);
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  for (const [key, times] of counts) counts.set(key, times / count);
  return counts;
}

/** The total variation distance of two distributions. */
export function distanceOf<Key>(left: ReadonlyMap<Key, number>, right: ReadonlyMap<Key, number>): number {
  let sum = 0;
  for (const [key, share] of left) sum += Math.abs(share - (right.get(key) ?? 0));
  for (const [key, share] of right) if (!left.has(key)) sum += share;
  return sum / 2;
}
