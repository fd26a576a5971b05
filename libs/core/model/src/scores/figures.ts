/** The least size that {@link nats} shows. */
const SMALLEST_SHOWN = 0.001;

/** Four significant digits, and not more than three decimals: files and `--json` have them all. */
export function nats(value: number): string {
  return withDecimals(value, decimalsOfNats(value));
}

/** So many decimals; what they round to zero has no sign. */
export function withDecimals(value: number, decimals: number): string {
  const text = value.toFixed(decimals);
  return Number(text) === 0 ? text.replace('-', '') : text;
}

export function decimalsOfNats(value: number): number {
  const size = Math.abs(value);
  if (size < 10) return 3;
  if (size < 100) return 2;
  return size < 1000 ? 1 : 0;
}

/** As `less than 0.001 nats`, `up to 0.012 nats`. */
export function errorInNats(error: number): string {
  return error < SMALLEST_SHOWN ? `less than ${nats(SMALLEST_SHOWN)} nats` : `up to ${nats(error)} nats`;
}

/** A probability as a percentage of two or three digits. */
export function percent(probability: number): string {
  const share = 100 * probability;
  return share >= 0.1 ? `${share.toFixed(1)} %` : share === 0 ? '0 %' : `${share.toExponential(0)} %`;
}
