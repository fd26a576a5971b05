// Portable subset: this file is compiled both by TypeScript and by AssemblyScript (where `number` is f64), so it may use
// nothing but f64 arithmetic, comparisons and Math.floor.

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

/** The integer `e` with `x = m * 2^e` and `m` in [1, 2), for a finite `x > 0` (subnormals too). */
export function exponentOf(x: number): number {
  let exponent = 0.0;
  let rest = x;
  if (rest >= 2.0) {
    let step = 512.0;
    let factor = powerOfTwo(512.0);
    while (step >= 1.0) {
      if (rest >= factor) {
        rest /= factor;
        exponent += step;
      }
      step *= 0.5;
      factor = powerOfTwo(Math.floor(step));
    }
    return exponent;
  }
  if (rest < 1.0) {
    let step = 1024.0;
    while (step >= 1.0) {
      // 2^1024 is out of range, so the widest step is taken as two halves
      const half = powerOfTwo(Math.floor(step * 0.5));
      const lifted = step > 1.0 ? rest * half * half : rest * 2.0;
      if (lifted < 2.0) {
        rest = lifted;
        exponent -= step;
      }
      step *= 0.5;
    }
  }
  return exponent;
}
