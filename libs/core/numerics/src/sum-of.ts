/** The sum of some values, one after another: 0 of none. */
export function sumOf(values: ArrayLike<number>): number {
  let sum = 0;
  for (let at = 0; at < values.length; at++) sum += values[at]!;
  return sum;
}

/** The mean of some values; NaN of none. */
export function meanOf(values: ArrayLike<number>): number {
  return sumOf(values) / values.length;
}
