// Portable subset (see scale.ts).
import { exponent, mantissaOf } from './scale.js';

const LN2_HIGH = 0.6931471803691238;
const LN2_LOW = 1.9082149292705877e-10;
const SQRT2 = 1.4142135623730951;

/**
 * `ln(1 + f) + e ln 2 + correction` for `f` in [sqrt(1/2) - 1, sqrt(2) - 1].
 *
 * With `s = f / (2 + f)`, `ln(1 + f) = 2 atanh(s) = 2s + s R`, `R = 2 (s^2/3 + s^4/5 + ...)`, and
 * `2s = f - (f^2/2 - s f^2/2)`, which keeps the large term exact. The series is cut after s^22 (below 2^-60).
 */
function logarithm(f: number, e: number, correction: number): number {
  const s = f / (2.0 + f);
  const z = s * s;
  let series = 2.0 / 23.0;
  series = series * z + 2.0 / 21.0;
  series = series * z + 2.0 / 19.0;
  series = series * z + 2.0 / 17.0;
  series = series * z + 2.0 / 15.0;
  series = series * z + 2.0 / 13.0;
  series = series * z + 2.0 / 11.0;
  series = series * z + 2.0 / 9.0;
  series = series * z + 2.0 / 7.0;
  series = series * z + 2.0 / 5.0;
  series = series * z + 2.0 / 3.0;
  const halfSquare = 0.5 * f * f;
  const small = s * (halfSquare + series * z) + (e * LN2_LOW + correction);
  return e * LN2_HIGH - (halfSquare - small - f);
}

/** `ln x`, below 1 ulp, the same bits in every engine. NaN below 0, -Infinity at 0. */
export function log(x: number): number {
  if (!(x > 0.0)) return x === 0.0 ? -Infinity : NaN;
  if (x === Infinity) return x;
  let m = mantissaOf(x);
  let e = exponent;
  if (m > SQRT2) {
    m *= 0.5;
    e += 1.0;
  }
  return logarithm(m - 1.0, e, 0.0);
}

/** `ln(1 + x)` for `x >= 0` (odds), below 1 ulp also where `x` is tiny. NaN below 0. */
export function log1p(x: number): number {
  if (!(x >= 0.0)) return NaN;
  if (x < SQRT2 - 1.0) return logarithm(x, 0.0, 0.0);
  if (x === Infinity) return x;
  const u = 1.0 + x;
  // what the sum lost in rounding, brought back as a first-order term
  const lost = x < 1.0 ? x - (u - 1.0) : 1.0 - (u - x);
  let m = mantissaOf(u);
  let e = exponent;
  if (m > SQRT2) {
    m *= 0.5;
    e += 1.0;
  }
  return logarithm(m - 1.0, e, lost / u);
}
