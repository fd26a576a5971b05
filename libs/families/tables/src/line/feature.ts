/** Of more features those that go most with the variable by themselves. */
export const MOST_FEATURES = 64;

/** A feature of a variable before, over the rows that are fitted. */
export interface Feature {
  readonly feature: number;
  /** The position that it is of. */
  readonly earlier: number;
  /** Whether it is the number itself, beside the feature that is its score. */
  readonly isNumber: boolean;
  /** By code of that variable, whose codes are of the rows that are fitted. */
  readonly values: Float64Array;
  readonly codes: Uint16Array;
  readonly mean: number;
  readonly deviation: number;
  /** With the target. */
  readonly correlation: number;
}

/** Null of one that is the same in all rows. */
export function featureOf(
  place: Pick<Feature, 'feature' | 'earlier' | 'isNumber'>,
  values: Float64Array,
  codes: Uint16Array,
  centred: Float64Array,
): Feature | null {
  const counts = new Float64Array(values.length);
  const sums = new Float64Array(values.length);
  for (let at = 0; at < codes.length; at++) {
    const code = codes[at]!;
    counts[code]! += 1;
    sums[code]! += centred[at]!;
  }
  const mean = values.reduce((sum, value, code) => sum + value * counts[code]!, 0) / codes.length;
  const variance = values.reduce((sum, value, code) => sum + (value - mean) ** 2 * counts[code]!, 0) / codes.length;
  const spread = centred.reduce((sum, value) => sum + value * value, 0) / codes.length;
  if (!(variance > 1e-12) || !(spread > 1e-12)) return null;
  const covariance = values.reduce((sum, value, code) => sum + (value - mean) * sums[code]!, 0) / codes.length;
  const deviation = Math.sqrt(variance);
  return {
    ...place,
    values,
    codes,
    mean,
    deviation,
    correlation: covariance / (deviation * Math.sqrt(spread)),
  };
}

/** Those that correlate most with the target, in the order of the features; of equal ones the earlier. */
export function strongest(features: readonly Feature[]): Feature[] {
  return [...features]
    .sort((a, b) => Math.abs(b.correlation) - Math.abs(a.correlation) || a.feature - b.feature)
    .slice(0, MOST_FEATURES)
    .sort((a, b) => a.feature - b.feature);
}
