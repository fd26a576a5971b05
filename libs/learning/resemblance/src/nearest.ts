import type { Rows } from './rows.js';

export interface Nearest {
  /** Of each row, the distances to its nearest neighbours, the nearest first: element `row * neighbours + place`. */
  readonly distances: Float64Array;
  /** Their numbers. */
  readonly rows: Uint32Array;
}

export interface NearestOptions {
  /** Rows whose columns' ranges are the unit of distance. */
  readonly scale: Rows;
  /** @default 1 */
  readonly neighbours?: number;
  /** Called with how much is done, 0 to 1. */
  readonly onProgress?: ((share: number) => void) | undefined;
}

/**
 * The nearest rows to each of `from` among `to`. The distance is the mean over the columns: of numbers their difference
 * over the column's range in `scale`, at most 1; of labels 0 where they are equal, else 1; a missing value is 1 from
 * any other and 0 from a missing one (SDMetrics' distance to the closest record). O(rows of both x columns), less where
 * a row is soon too far.
 */
export function nearestRows(from: Rows, to: Rows, { scale, neighbours = 1, onProgress }: NearestOptions): Nearest {
  const [left, right] = [matrixOf(from, scale), matrixOf(to, scale)];
  const width = from.columns.length;
  const isLabel = from.columns.map(({ kind }) => kind === 'label');
  const distances = new Float64Array(from.count * neighbours).fill(Infinity);
  const rows = new Uint32Array(from.count * neighbours);
  for (let row = 0; row < from.count; row++) {
    const [first, last] = [row * neighbours, (row + 1) * neighbours - 1];
    for (let other = 0; other < to.count; other++) {
      const most = distances[last]!;
      let sum = 0;
      for (let column = 0; column < width && sum < most; column++) {
        const [a, b] = [left[row * width + column]!, right[other * width + column]!];
        const [isGone, isOtherGone] = [Number.isNaN(a), Number.isNaN(b)];
        if (a === b || (isGone && isOtherGone)) continue;
        sum += isLabel[column] || isGone || isOtherGone ? 1 : Math.min(1, Math.abs(a - b));
      }
      if (sum >= most) continue;
      // into its place among the nearest so far
      let place = last;
      for (; place > first && distances[place - 1]! > sum; place--) {
        distances[place] = distances[place - 1]!;
        rows[place] = rows[place - 1]!;
      }
      distances[place] = sum;
      rows[place] = other;
    }
    if (row % 64 === 0) onProgress?.(row / from.count);
  }
  return { distances: distances.map((sum) => sum / width), rows };
}

/** Row by row: numbers in units of the column's range, labels by their numbers, NaN where missing. */
function matrixOf({ count, columns }: Rows, scale: Rows): Float64Array {
  const matrix = new Float64Array(count * columns.length);
  columns.forEach((column, at) => {
    const unit = column.kind === 'number' ? rangeOf(scale.columns[at]!.values) : 1;
    for (let row = 0; row < count; row++) {
      const value = column.values[row]!;
      matrix[row * columns.length + at] = column.kind === 'label' && value < 0 ? NaN : value / unit;
    }
  });
  return matrix;
}

function rangeOf(values: Float64Array | Int32Array): number {
  let [least, greatest] = [Infinity, -Infinity];
  for (const value of values) {
    if (value < least) least = value;
    if (value > greatest) greatest = value;
  }
  return greatest > least ? greatest - least : 1;
}
