/** Four significant digits, and not more than three decimals: files and `--json` have them all. */
export function nats(value: number): string {
  const size = Math.abs(value);
  return value.toFixed(size < 10 ? 3 : size < 100 ? 2 : size < 1000 ? 1 : 0);
}

/** A probability as a percentage of two or three digits. */
export function percent(probability: number): string {
  const share = 100 * probability;
  return share >= 0.1 ? `${share.toFixed(1)} %` : share === 0 ? '0 %' : `${share.toExponential(0)} %`;
}
