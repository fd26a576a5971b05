/** Mean, and the standard error of the mean: null for a single row. */
export function moments(values: Float64Array): { readonly mean: number; readonly standardError: number | null } {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  if (values.length < 2) return { mean, standardError: null };
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return { mean, standardError: Math.sqrt(squares / (values.length - 1) / values.length) };
}
