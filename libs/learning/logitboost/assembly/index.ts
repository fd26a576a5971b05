// Draws of the predictors that a tree may use (src/feature-subset.ts): where rows are few they take longer than trees.

const MULTIPLIER_0: u32 = 0xd2511f53;
const MULTIPLIER_1: u32 = 0xcd9e8d57;
const WEYL_0: u32 = 0x9e3779b9;
const WEYL_1: u32 = 0xbb67ae85;
const TO_SHARE: f64 = 2.3283064365386963e-10; // 2^-32

/** Bytes beside those of the drawn ones: four random numbers a block, four blocks at a time. */
const BYTES_A_STEP: usize = 64;

/** The upper halves of four products. */
@inline
function multiplyHigh(one: v128, other: v128): v128 {
  const first = i64x2.extmul_low_i32x4_u(one, other);
  const last = i64x2.extmul_high_i32x4_u(one, other);
  return v128.shuffle<u32>(first, last, 1, 3, 5, 7);
}

/**
 * Blocks `block` to `block + 3` of Philox4x32-10 (`philox4x32` of @orchard/numerics), each counter and key alike but for
 * the block: sixteen u32.
 */
@inline
function fourBlocks(to: usize, block: u32, round: u32, position: u32, purpose: u32, keyLow: u32, keyHigh: u32): void {
  const first = i32x4.splat(MULTIPLIER_0);
  const second = i32x4.splat(MULTIPLIER_1);
  let c0 = i32x4.add(i32x4.splat(block), i32x4(0, 1, 2, 3));
  let c1 = i32x4.splat(round);
  let c2 = i32x4.splat(position);
  let c3 = i32x4.splat(purpose);
  let k0 = keyLow;
  let k1 = keyHigh;
  for (let each = 0; each < 10; each++) {
    const high0 = multiplyHigh(first, c0);
    const high1 = multiplyHigh(second, c2);
    c0 = i32x4.mul(first, c0);
    c2 = i32x4.mul(second, c2);
    const next = v128.xor(v128.xor(high1, c1), i32x4.splat(k0));
    c1 = c2;
    c2 = v128.xor(v128.xor(high0, c3), i32x4.splat(k1));
    c3 = c0;
    c0 = next;
    k0 += WEYL_0;
    k1 += WEYL_1;
  }
  const early = v128.shuffle<u32>(c0, c1, 0, 4, 1, 5);
  const late = v128.shuffle<u32>(c2, c3, 0, 4, 1, 5);
  v128.store(to, v128.shuffle<u64>(early, late, 0, 2));
  v128.store(to, v128.shuffle<u64>(early, late, 1, 3), 16);
  const earlier = v128.shuffle<u32>(c0, c1, 2, 6, 3, 7);
  const later = v128.shuffle<u32>(c2, c3, 2, 6, 3, 7);
  v128.store(to, v128.shuffle<u64>(earlier, later, 0, 2), 32);
  v128.store(to, v128.shuffle<u64>(earlier, later, 1, 3), 48);
}

/** How long the memory has to be: numbers of the predictors, then a byte each. */
export function bytesOf(predictors: u32): usize {
  return __heap_base + numberBytes(predictors) + predictors;
}

@inline
function numberBytes(predictors: u32): usize {
  return ((<usize>predictors + 15) >>> 4) * BYTES_A_STEP;
}

/**
 * Selection sampling: `count` of the predictors, every subset of that size being equally likely.
 *
 * @returns where the predictors' bytes begin, 1 for each that is drawn
 */
export function draw(
  predictors: u32,
  count: u32,
  round: u32,
  purpose: u32,
  keyLow: u32,
  keyHigh: u32,
): usize {
  let numbers = __heap_base;
  for (let block: u32 = 0; block << 2 < predictors; block += 4, numbers += BYTES_A_STEP)
    fourBlocks(numbers, block, round, predictors, purpose, keyLow, keyHigh);
  const drawn = __heap_base + numberBytes(predictors);
  let needed = <f64>count;
  let left = <f64>predictors;
  numbers = __heap_base;
  for (let at = drawn, end = drawn + predictors; at < end; at++, numbers += 4, left -= 1.0) {
    // no branch, which would be mispredicted every second time
    const chosen = <u32>(<f64>load<u32>(numbers) * TO_SHARE * left < needed);
    store<u8>(at, chosen);
    needed -= <f64>chosen;
  }
  return drawn;
}
