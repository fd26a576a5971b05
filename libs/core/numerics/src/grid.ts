/**
 * The grid of gradients (decision 0001): with residuals and weights rounded to multiples of `2^(k-52)`, sums over
 * any rows are exact in f64, so neither the order of rows nor the number of threads can change a bit of a tree.
 */

/** `k = max(1, ceil(log2 rows))`, by integer arithmetic; `rows` in [1, 2^31]. */
export function gridExponent(rows: number): number {
  return Math.max(1, 32 - Math.clz32(rows - 1));
}

/** `G = 1.5 * 2^k`: adding and subtracting it rounds a number in [-1, 1] to the grid of `rows` rows. */
export function gridOffset(rows: number): number {
  return 1.5 * 2 ** gridExponent(rows);
}
