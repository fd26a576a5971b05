const LN2_HIGH: f64 = 0.6931471803691238;
const LN2_LOW: f64 = 1.9082149292705877e-10;
const SQRT2: f64 = 1.4142135623730951;
/** Of a number, its exponent's place and its other bits. */
const EXPONENT = 52;
const FRACTION: i64 = 0x000f_ffff_ffff_ffff;

/**
 * `log` of `@orchard/numerics` of two numbers at once, operation by operation: for those that are not subnormal, not
 * infinite and above 0.
 */
// @ts-ignore: decorator
@inline export function logOfTwo(x: v128): v128 {
  const one = f64x2.splat(1.0);
  const mantissa = v128.or(v128.and(x, i64x2.splat(FRACTION)), one);
  // what is above the root of 2 is halved
  const isHigh = f64x2.gt(mantissa, f64x2.splat(SQRT2));
  const m = v128.bitselect(f64x2.mul(mantissa, f64x2.splat(0.5)), mantissa, isHigh);
  const biased = i64x2.sub(i64x2.shr_u(x, EXPONENT), isHigh);
  // both exponents in the low half, for the conversion
  const whole = i32x4.sub(v128.shuffle<i32>(biased, biased, 0, 2, 0, 2), i32x4.splat(1023));
  const e = f64x2.convert_low_i32x4_s(whole);
  const f = f64x2.sub(m, one);
  const s = f64x2.div(f, f64x2.add(f64x2.splat(2.0), f));
  const z = f64x2.mul(s, s);
  let series = f64x2.splat(2.0 / 23.0);
  series = f64x2.add(f64x2.mul(series, z), f64x2.splat(2.0 / 21.0));
  series = f64x2.add(f64x2.mul(series, z), f64x2.splat(2.0 / 19.0));
  series = f64x2.add(f64x2.mul(series, z), f64x2.splat(2.0 / 17.0));
  series = f64x2.add(f64x2.mul(series, z), f64x2.splat(2.0 / 15.0));
  series = f64x2.add(f64x2.mul(series, z), f64x2.splat(2.0 / 13.0));
  series = f64x2.add(f64x2.mul(series, z), f64x2.splat(2.0 / 11.0));
  series = f64x2.add(f64x2.mul(series, z), f64x2.splat(2.0 / 9.0));
  series = f64x2.add(f64x2.mul(series, z), f64x2.splat(2.0 / 7.0));
  series = f64x2.add(f64x2.mul(series, z), f64x2.splat(2.0 / 5.0));
  series = f64x2.add(f64x2.mul(series, z), f64x2.splat(2.0 / 3.0));
  const halfSquare = f64x2.mul(f64x2.mul(f64x2.splat(0.5), f), f);
  const rest = f64x2.mul(s, f64x2.add(halfSquare, f64x2.mul(series, z)));
  const small = f64x2.add(rest, f64x2.mul(e, f64x2.splat(LN2_LOW)));
  return f64x2.sub(f64x2.mul(e, f64x2.splat(LN2_HIGH)), f64x2.sub(f64x2.sub(halfSquare, small), f));
}
