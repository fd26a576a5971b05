export { addWeighted, inform, share } from "./weighted";

/** Bits of 16 bytes in both columns, added lane by lane: a lane holds 31 such sums. */
// @ts-ignore: decorator
@inline function shared(sum: v128, left: v128, right: i32): v128 {
  return i8x16.add(sum, i8x16.popcnt(v128.and(left, v128.load(right))));
}

// @ts-ignore: decorator
@inline function total(sum: v128): i32 {
  const lanes = i32x4.extadd_pairwise_i16x8_u(i16x8.extadd_pairwise_i8x16_u(sum));
  return (
    i32x4.extract_lane(lanes, 0) + i32x4.extract_lane(lanes, 1) + i32x4.extract_lane(lanes, 2) + i32x4.extract_lane(lanes, 3)
  );
}

// @ts-ignore: decorator
@inline function add(address: i32, count: i32): void {
  store<i32>(address, load<i32>(address) + count);
}

/**
 * Adds to `counts[a * dimensions + b]`, for b <= a, how many bits columns a and b have in common, `1 << shift` for
 * each: columns of `blocks` (at most 31) times 16 bytes, `stride` bytes from one to the next. A column is held against
 * four at a time. 16 bytes of a pair: one load, one and, one popcount, one add.
 */
export function addShared(columns: i32, dimensions: i32, blocks: i32, stride: i32, counts: i32, shift: i32): void {
  const length = blocks << 4;
  for (let a = 0; a < dimensions; a++) {
    const left = columns + a * stride;
    const row = counts + ((a * dimensions) << 2);
    let b = 0;
    for (; b + 3 <= a; b += 4) {
      const right0 = columns + b * stride;
      const right1 = right0 + stride;
      const right2 = right1 + stride;
      const right3 = right2 + stride;
      let sum0 = i8x16.splat(0);
      let sum1 = i8x16.splat(0);
      let sum2 = i8x16.splat(0);
      let sum3 = i8x16.splat(0);
      for (let at = 0; at < length; at += 16) {
        const own = v128.load(left + at);
        sum0 = shared(sum0, own, right0 + at);
        sum1 = shared(sum1, own, right1 + at);
        sum2 = shared(sum2, own, right2 + at);
        sum3 = shared(sum3, own, right3 + at);
      }
      const target = row + (b << 2);
      add(target, total(sum0) << shift);
      add(target + 4, total(sum1) << shift);
      add(target + 8, total(sum2) << shift);
      add(target + 12, total(sum3) << shift);
    }
    for (; b <= a; b++) {
      const right = columns + b * stride;
      let sum = i8x16.splat(0);
      for (let at = 0; at < length; at += 16) sum = shared(sum, v128.load(left + at), right + at);
      add(row + (b << 2), total(sum) << shift);
    }
  }
}
