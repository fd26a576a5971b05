/** The minimum of ½ (x - value)² + by |x|. */
export function softened(value: number, by: number): number {
  return value > by ? value - by : value < -by ? value + by : 0;
}

/** By how much a slope misses what it is at the minimum. */
export function missOf(coefficient: number, slope: number, penalty: number): number {
  if (coefficient === 0) return Math.abs(slope) - penalty;
  return Math.abs(slope - (coefficient > 0 ? penalty : -penalty));
}

/** Σ of the values of the members `from` to before `to`; four sums, so that no addition waits for the one before. */
export function sumListed(members: Uint32Array, from: number, to: number, values: Float64Array): number {
  let [a, b, c, d] = [0, 0, 0, 0];
  let at = from;
  for (; at + 4 <= to; at += 4) {
    a += values[members[at]!]!;
    b += values[members[at + 1]!]!;
    c += values[members[at + 2]!]!;
    d += values[members[at + 3]!]!;
  }
  for (; at < to; at++) a += values[members[at]!]!;
  return a + b + (c + d);
}

/** Takes as many times its variance from the value of each listed member. */
export function takeListed(
  members: Uint32Array,
  from: number,
  to: number,
  values: Float64Array,
  variances: Float64Array,
  times: number,
): void {
  for (let at = from; at < to; at++) {
    const member = members[at]!;
    values[member]! -= times * variances[member]!;
  }
}
