// Portable subset (see scale.ts).
import { powerOfTwo } from './scale.js';

/** log2(e). */
const LOG2_E = 1.4426950408889634;
/** ln 2 in two parts; the first has 32 significant bits, so that `k * LN2_HIGH` is exact for |k| < 2^21. */
const LN2_HIGH = 0.6931471803691238;
const LN2_LOW = 1.9082149292705877e-10;

/**
 * `e^x`, below 1 ulp, the same bits in every engine.
 *
 * `x = k ln 2 + r`, `|r| <= ln 2 / 2`; the Taylor series of `e^r` is cut after degree 14 (its rest is below 2^-60).
 * Overflows to Infinity above 709.78, underflows to 0 below -745.13; NaN for NaN.
 */
export function exp(x: number): number {
  if (isNaN(x)) return x;
  if (x > 709.782712893384) return Infinity;
  if (x < -745.1332191019412) return 0.0;
  const k = Math.floor(x * LOG2_E + 0.5);
  const high = x - k * LN2_HIGH;
  const low = k * LN2_LOW;
  const r = high - low;
  const rest = high - r - low;
  // r^3/3! + ... + r^14/14! by Horner; the terms up to r^2 are kept apart for their rounding
  let tail = 1.0 / 87178291200.0;
  tail = tail * r + 1.0 / 6227020800.0;
  tail = tail * r + 1.0 / 479001600.0;
  tail = tail * r + 1.0 / 39916800.0;
  tail = tail * r + 1.0 / 3628800.0;
  tail = tail * r + 1.0 / 362880.0;
  tail = tail * r + 1.0 / 40320.0;
  tail = tail * r + 1.0 / 5040.0;
  tail = tail * r + 1.0 / 720.0;
  tail = tail * r + 1.0 / 120.0;
  tail = tail * r + 1.0 / 24.0;
  tail = tail * r + 1.0 / 6.0;
  const square = r * r;
  const y = 1.0 + (r + (0.5 * square + (tail * r * square + rest)));
  if (k === 0.0) return y;
  if (k > 1023.0) return y * powerOfTwo(k - 1.0) * 2.0;
  // below 2^-1022 the result is rounded once: the first product is exact
  if (k < -1000.0) return y * powerOfTwo(k + 1000.0) * powerOfTwo(-1000.0);
  return y * powerOfTwo(k);
}
