const SQRT2: f64 = 1.4142135623730951;
const LN2_HIGH: f64 = 0.6931471803691238;
const LN2_LOW: f64 = 1.9082149292705877e-10;
/** 2^52, whose last bit counts ones: what is put there is a whole number. */
const WHOLE: f64 = 4503599627370496;

/**
 * `log` of `@orchard/numerics`, operation by operation, of two finite numbers from 2^-1022 on. Of those below, which
 * have fewer bits, it is -710 or so, not down to -745: what is multiplied by them is nothing either way. Of none and
 * less it is any finite number.
 */
// @ts-ignore: decorator
@inline export function logOfTwo(x: v128): v128 {
  const mantissa = v128.or(v128.and(x, i64x2.splat(0x000f_ffff_ffff_ffff)), f64x2.splat(1.0));
  const isHigh = f64x2.gt(mantissa, f64x2.splat(SQRT2));
  const m = v128.bitselect(f64x2.mul(mantissa, f64x2.splat(0.5)), mantissa, isHigh);
  const exponent = f64x2.sub(v128.or(i64x2.shr_u(x, 52), f64x2.splat(WHOLE)), f64x2.splat(WHOLE + 1023));
  const e = f64x2.add(exponent, v128.and(isHigh, f64x2.splat(1.0)));

  const f = f64x2.sub(m, f64x2.splat(1.0));
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
  const small = f64x2.add(
    f64x2.mul(s, f64x2.add(halfSquare, f64x2.mul(series, z))),
    f64x2.mul(e, f64x2.splat(LN2_LOW)),
  );
  return f64x2.sub(f64x2.mul(e, f64x2.splat(LN2_HIGH)), f64x2.sub(f64x2.sub(halfSquare, small), f));
}
