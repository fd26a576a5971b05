// Negative log-likelihoods of two patterns at a time, in the kernel's own arithmetic: the host's logarithm is not
// asked.

export const LN2: f64 = 0.6931471805599453;
/**
 * Below this probability of what did not happen, its logarithm comes from a series: the product would lose its digits.
 */
export const SMALL: f64 = 0.000244140625; // 2^-12

/**
 * `-ln(1 - s) = s + s^2/2 + s^3/3 + s^4/4`, its rest below 2^-50 s where `s` is small: computed for all, without a
 * branch.
 */
@inline
export function seriesOf(s: v128): v128 {
  let tail = f64x2.add(f64x2.splat(1.0 / 3.0), f64x2.mul(f64x2.splat(0.25), s));
  tail = f64x2.add(f64x2.splat(0.5), f64x2.mul(tail, s));
  tail = f64x2.add(f64x2.splat(1.0), f64x2.mul(tail, s));
  return f64x2.mul(tail, s);
}

/**
 * `-ln` of two numbers: `m 2^e`, `m` in [sqrt(1/2), sqrt(2)), and with `s = (m - 1) / (m + 1)` it is
 * `-e ln 2 - 2 atanh(s)`, whose series is cut after s^16.
 */
@inline
function minusLog(x: v128): v128 {
  const one = f64x2.splat(1.0);
  // the bits are shifted so that the exponent changes at sqrt(1/2)
  const shifted = i64x2.add(x, i64x2.splat(0x3ff0000000000000 - 0x3fe6a09e667f3bcd));
  const e = f64x2.sub(
    f64x2.splat(1023.0),
    f64x2.convert_low_i32x4_s(v128.shuffle<i32>(i64x2.shr_u(shifted, 52), shifted, 0, 2, 0, 2)),
  );
  const m = i64x2.add(v128.and(shifted, i64x2.splat(0x000fffffffffffff)), i64x2.splat(0x3fe6a09e667f3bcd));
  const f = f64x2.sub(m, one);
  const s = f64x2.div(f, f64x2.add(f64x2.splat(2.0), f));
  const z = f64x2.mul(s, s);
  const z2 = f64x2.mul(z, z);
  const c01 = f64x2.add(f64x2.splat(2.0 / 3.0), f64x2.mul(f64x2.splat(2.0 / 5.0), z));
  const c23 = f64x2.add(f64x2.splat(2.0 / 7.0), f64x2.mul(f64x2.splat(2.0 / 9.0), z));
  const c45 = f64x2.add(f64x2.splat(2.0 / 11.0), f64x2.mul(f64x2.splat(2.0 / 13.0), z));
  const c67 = f64x2.add(f64x2.splat(2.0 / 15.0), f64x2.mul(f64x2.splat(2.0 / 17.0), z));
  const upper = f64x2.add(c45, f64x2.mul(c67, z2));
  const series = f64x2.add(f64x2.add(c01, f64x2.mul(c23, z2)), f64x2.mul(upper, f64x2.mul(z2, z2)));
  const twoAtanh = f64x2.mul(s, f64x2.add(f64x2.splat(2.0), f64x2.mul(series, z)));
  return f64x2.sub(f64x2.mul(e, f64x2.splat(LN2)), twoAtanh);
}

/**
 * `-ln(right)` of two probabilities, `wrong` being what they lack to 1; relative error of some 1e-13. Where `wrong` is
 * below 2^-10 the series `s + s^2/2 + ... + s^6/6` keeps its digits.
 */
@inline
export function cost(right: v128, wrong: v128): v128 {
  const one = f64x2.splat(1.0);
  let tail = f64x2.add(f64x2.splat(1.0 / 5.0), f64x2.mul(f64x2.splat(1.0 / 6.0), wrong));
  tail = f64x2.add(f64x2.splat(1.0 / 4.0), f64x2.mul(tail, wrong));
  tail = f64x2.add(f64x2.splat(1.0 / 3.0), f64x2.mul(tail, wrong));
  tail = f64x2.add(f64x2.splat(1.0 / 2.0), f64x2.mul(tail, wrong));
  tail = f64x2.mul(wrong, f64x2.add(one, f64x2.mul(tail, wrong)));
  return v128.bitselect(tail, minusLog(right), f64x2.lt(wrong, f64x2.splat(0.0009765625)));
}

/** `-ln` of `product * 2^exponents`, the product's lanes in [1, 2). */
@inline
export function costOfProduct(product: v128, exponents: v128): v128 {
  const e = f64x2.convert_low_i32x4_s(v128.shuffle<i32>(exponents, exponents, 0, 2, 0, 2));
  return f64x2.sub(minusLog(product), f64x2.mul(e, f64x2.splat(LN2)));
}

/** Of so many rows, so many of them ones. */
@inline
export function mixedCost(rows: v128, ones: v128, zeroCost: v128, oneCost: v128): v128 {
  return f64x2.add(f64x2.mul(ones, oneCost), f64x2.mul(f64x2.sub(rows, ones), zeroCost));
}
