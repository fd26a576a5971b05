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

/** The target over the rows that are fitted, less its mean. */
export interface Centred {
  readonly values: Float64Array;
  /** The mean of its squares. */
  readonly spread: number;
}

/** The rows that are fitted by the codes of a variable before: how many have each, and the target's sum there. */
export interface RowsByCode {
  readonly codes: Uint16Array;
  readonly counts: Float64Array;
  readonly sums: Float64Array;
}

export function centredAt(values: Float64Array): Centred {
  let squares = 0;
  for (let row = 0; row < values.length; row++) squares += values[row]! * values[row]!;
  return { values, spread: squares / values.length };
}

export function rowsByCode(codes: Uint16Array, codeCount: number, { values }: Centred): RowsByCode {
  const counts = new Float64Array(codeCount);
  const sums = new Float64Array(codeCount);
  for (let at = 0; at < codes.length; at++) {
    const code = codes[at]!;
    counts[code]! += 1;
    sums[code]! += values[at]!;
  }
  return { codes, counts, sums };
}

/** Null of one that is the same in all rows. @param values by code */
export function featureOf(
  place: Pick<Feature, 'feature' | 'earlier' | 'isNumber'>,
  values: Float64Array,
  { codes, counts, sums }: RowsByCode,
  { spread }: Centred,
): Feature | null {
  const mean = values.reduce((sum, value, code) => sum + value * counts[code]!, 0) / codes.length;
  const variance = values.reduce((sum, value, code) => sum + (value - mean) ** 2 * counts[code]!, 0) / codes.length;
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
