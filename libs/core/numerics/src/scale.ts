// Portable subset: this file is compiled both by TypeScript and by AssemblyScript (where `number` is f64), so it may
// use nothing but f64 arithmetic, comparisons and Math.floor.

/** `2^k` for an integer `k` in [-1022, 1023], by repeated squaring; every step is exact. */
export function powerOfTwo(k: number): number {
  let result = 1.0;
  let factor = k < 0.0 ? 0.5 : 2.0;
  let rest = k < 0.0 ? -k : k;
  while (rest > 0.0) {
    const half = Math.floor(rest * 0.5);
    if (rest - 2.0 * half > 0.0) result *= factor;
    rest = half;
    // the last squaring is skipped: 2^1024 would be infinite
    if (rest > 0.0) factor *= factor;
  }
  return result;
}

/** What the last call of `mantissaOf` found: the integer `e` with `x = m 2^e`. */
export let exponent: number = 0.0;

/**
 * The `m` in [1, 2) with `x = m 2^e`, for a finite `x > 0` (subnormals too); `e` is left in `exponent`. All steps are
 * exact.
 */
export function mantissaOf(x: number): number {
  let m = x;
  let e = 0.0;
  if (m >= 2.0) {
    if (m >= 1.3407807929942597e154) {
      m *= 7.458340731200207e-155;
      e += 512.0;
    } // 2^512
    if (m >= 1.157920892373162e77) {
      m *= 8.636168555094445e-78;
      e += 256.0;
    }
    if (m >= 3.402823669209385e38) {
      m *= 2.938735877055719e-39;
      e += 128.0;
    }
    if (m >= 18446744073709552000.0) {
      m *= 5.421010862427522e-20;
      e += 64.0;
    }
    if (m >= 4294967296.0) {
      m *= 2.3283064365386963e-10;
      e += 32.0;
    }
    if (m >= 65536.0) {
      m *= 0.0000152587890625;
      e += 16.0;
    }
    if (m >= 256.0) {
      m *= 0.00390625;
      e += 8.0;
    }
    if (m >= 16.0) {
      m *= 0.0625;
      e += 4.0;
    }
    if (m >= 4.0) {
      m *= 0.25;
      e += 2.0;
    }
    if (m >= 2.0) {
      m *= 0.5;
      e += 1.0;
    }
  } else if (m < 1.0) {
    if (m < 7.458340731200207e-155) {
      m *= 1.3407807929942597e154;
      e -= 512.0;
    } // 2^-512
    if (m < 7.458340731200207e-155) {
      m *= 1.3407807929942597e154;
      e -= 512.0;
    }
    if (m < 8.636168555094445e-78) {
      m *= 1.157920892373162e77;
      e -= 256.0;
    }
    if (m < 2.938735877055719e-39) {
      m *= 3.402823669209385e38;
      e -= 128.0;
    }
    if (m < 5.421010862427522e-20) {
      m *= 18446744073709552000.0;
      e -= 64.0;
    }
    if (m < 2.3283064365386963e-10) {
      m *= 4294967296.0;
      e -= 32.0;
    }
    if (m < 0.0000152587890625) {
      m *= 65536.0;
      e -= 16.0;
    }
    if (m < 0.00390625) {
      m *= 256.0;
      e -= 8.0;
    }
    if (m < 0.0625) {
      m *= 16.0;
      e -= 4.0;
    }
    if (m < 0.25) {
      m *= 4.0;
      e -= 2.0;
    }
    if (m < 0.5) {
      m *= 2.0;
      e -= 1.0;
    }
    if (m < 1.0) {
      m *= 2.0;
      e -= 1.0;
    }
  }
  exponent = e;
  return m;
}
