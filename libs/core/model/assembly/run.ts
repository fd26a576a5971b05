import { CODES, CODES_SIZE, GROUP, RESULTS, RESULTS_SIZE, STEPS, STEPS_SIZE, TABLES, TABLE_SIZE } from './layout';

const HIGHEST: f64 = 8.452712498170644e270; // 2^900
const LOWEST: f64 = 1.1830521861667747e-271; // 2^-900

/** Where an operand's bytes of the block at `start` begin. */
// @ts-ignore: decorator
@inline function addressOf(operand: i32, start: i32): i32 {
  return operand + (-(operand & 1) & (start - 1));
}

/** Computes the planes of `bytes` bytes from `start` on, a multiple of 64. */
export function runSteps(member: i32, count: i32, start: i32, bytes: i32): void {
  const steps = STEPS + member * STEPS_SIZE;
  for (let s = steps, end = steps + (count << 4); s < end; s += 16) {
    let x = load<i32>(s) + start;
    let zero = addressOf(load<i32>(s, 4), start);
    let one = addressOf(load<i32>(s, 8), start);
    let target = load<i32>(s, 12);
    const last = target + bytes;
    do {
      v128.store(target, v128.bitselect(v128.load(one), v128.load(zero), v128.load(x)));
      v128.store(target, v128.bitselect(v128.load(one, 16), v128.load(zero, 16), v128.load(x, 16)), 16);
      v128.store(target, v128.bitselect(v128.load(one, 32), v128.load(zero, 32), v128.load(x, 32)), 32);
      v128.store(target, v128.bitselect(v128.load(one, 48), v128.load(zero, 48), v128.load(x, 48)), 48);
      target += 64;
      x += 64;
      zero += 64;
      one += 64;
    } while (target < last);
  }
}

/**
 * Turns planes into codes, a byte a row: an 8 x 8 bit transpose of each byte lane of eight vectors, in three rounds of
 * swaps. Byte b of vector j of the 128 rows from r on belongs to row r + 8b + j.
 */
export function gatherCodes(member: i32, start: i32, bytes: i32): void {
  const result = RESULTS + member * RESULTS_SIZE;
  const p0 = addressOf(load<i32>(result), start), p1 = addressOf(load<i32>(result, 4), start);
  const p2 = addressOf(load<i32>(result, 8), start), p3 = addressOf(load<i32>(result, 12), start);
  const p4 = addressOf(load<i32>(result, 16), start), p5 = addressOf(load<i32>(result, 20), start);
  const p6 = addressOf(load<i32>(result, 24), start), p7 = addressOf(load<i32>(result, 28), start);
  const fours = i8x16.splat(0x0f), twos = i8x16.splat(0x33), ones = i8x16.splat(0x55);
  let codes = CODES + member * CODES_SIZE;
  for (let i = 0; i < bytes; i += 16) {
    let a = v128.load(p0 + i), b = v128.load(p1 + i), c = v128.load(p2 + i), d = v128.load(p3 + i);
    let e = v128.load(p4 + i), f = v128.load(p5 + i), g = v128.load(p6 + i), h = v128.load(p7 + i);
    let swap = v128.and(v128.xor(i32x4.shr_u(a, 4), e), fours);
    e = v128.xor(e, swap);
    a = v128.xor(a, i32x4.shl(swap, 4));
    swap = v128.and(v128.xor(i32x4.shr_u(b, 4), f), fours);
    f = v128.xor(f, swap);
    b = v128.xor(b, i32x4.shl(swap, 4));
    swap = v128.and(v128.xor(i32x4.shr_u(c, 4), g), fours);
    g = v128.xor(g, swap);
    c = v128.xor(c, i32x4.shl(swap, 4));
    swap = v128.and(v128.xor(i32x4.shr_u(d, 4), h), fours);
    h = v128.xor(h, swap);
    d = v128.xor(d, i32x4.shl(swap, 4));
    swap = v128.and(v128.xor(i32x4.shr_u(a, 2), c), twos);
    c = v128.xor(c, swap);
    a = v128.xor(a, i32x4.shl(swap, 2));
    swap = v128.and(v128.xor(i32x4.shr_u(b, 2), d), twos);
    d = v128.xor(d, swap);
    b = v128.xor(b, i32x4.shl(swap, 2));
    swap = v128.and(v128.xor(i32x4.shr_u(e, 2), g), twos);
    g = v128.xor(g, swap);
    e = v128.xor(e, i32x4.shl(swap, 2));
    swap = v128.and(v128.xor(i32x4.shr_u(f, 2), h), twos);
    h = v128.xor(h, swap);
    f = v128.xor(f, i32x4.shl(swap, 2));
    swap = v128.and(v128.xor(i32x4.shr_u(a, 1), b), ones);
    b = v128.xor(b, swap);
    a = v128.xor(a, i32x4.shl(swap, 1));
    swap = v128.and(v128.xor(i32x4.shr_u(c, 1), d), ones);
    d = v128.xor(d, swap);
    c = v128.xor(c, i32x4.shl(swap, 1));
    swap = v128.and(v128.xor(i32x4.shr_u(e, 1), f), ones);
    f = v128.xor(f, swap);
    e = v128.xor(e, i32x4.shl(swap, 1));
    swap = v128.and(v128.xor(i32x4.shr_u(g, 1), h), ones);
    h = v128.xor(h, swap);
    g = v128.xor(g, i32x4.shl(swap, 1));
    v128.store(codes, a);
    v128.store(codes, b, 16);
    v128.store(codes, c, 32);
    v128.store(codes, d, 48);
    v128.store(codes, e, 64);
    v128.store(codes, f, 80);
    v128.store(codes, g, 96);
    v128.store(codes, h, 112);
    codes += 128;
  }
}

/**
 * odds = odds * factor, tree after tree of the group, for `rows` rows, two at a time. Addresses are constants of the
 * instructions, which is why they are written out.
 */
export function multiply(odds: i32, rows: i32): void {
  for (let row = 0; row < rows; row += 2, odds += 16) {
    let product = v128.load(odds);
    product = f64x2.mul(product, v128.load64_lane(
      <i32>load<u8>(row, CODES + 1) << 3, v128.load64_zero(<i32>load<u8>(row, CODES) << 3, TABLES), 1, TABLES,
    ));
    product = f64x2.mul(product, v128.load64_lane(
      <i32>load<u8>(row, CODES + CODES_SIZE + 1) << 3, v128.load64_zero(<i32>load<u8>(row, CODES + CODES_SIZE) << 3, TABLES + TABLE_SIZE), 1, TABLES + TABLE_SIZE,
    ));
    product = f64x2.mul(product, v128.load64_lane(
      <i32>load<u8>(row, CODES + 2 * CODES_SIZE + 1) << 3, v128.load64_zero(<i32>load<u8>(row, CODES + 2 * CODES_SIZE) << 3, TABLES + 2 * TABLE_SIZE), 1, TABLES + 2 * TABLE_SIZE,
    ));
    product = f64x2.mul(product, v128.load64_lane(
      <i32>load<u8>(row, CODES + 3 * CODES_SIZE + 1) << 3, v128.load64_zero(<i32>load<u8>(row, CODES + 3 * CODES_SIZE) << 3, TABLES + 3 * TABLE_SIZE), 1, TABLES + 3 * TABLE_SIZE,
    ));
    v128.store(odds, product);
  }
}

/** The same, clamping after each tree: for odds that may reach their limits. */
export function multiplyAndClamp(odds: i32, rows: i32): void {
  for (let row = 0; row < rows; row += 2, odds += 16) {
    let product = v128.load(odds);
    product = clamped(f64x2.mul(product, v128.load64_lane(
      <i32>load<u8>(row, CODES + 1) << 3, v128.load64_zero(<i32>load<u8>(row, CODES) << 3, TABLES), 1, TABLES,
    )));
    product = clamped(f64x2.mul(product, v128.load64_lane(
      <i32>load<u8>(row, CODES + CODES_SIZE + 1) << 3, v128.load64_zero(<i32>load<u8>(row, CODES + CODES_SIZE) << 3, TABLES + TABLE_SIZE), 1, TABLES + TABLE_SIZE,
    )));
    product = clamped(f64x2.mul(product, v128.load64_lane(
      <i32>load<u8>(row, CODES + 2 * CODES_SIZE + 1) << 3, v128.load64_zero(<i32>load<u8>(row, CODES + 2 * CODES_SIZE) << 3, TABLES + 2 * TABLE_SIZE), 1, TABLES + 2 * TABLE_SIZE,
    )));
    product = clamped(f64x2.mul(product, v128.load64_lane(
      <i32>load<u8>(row, CODES + 3 * CODES_SIZE + 1) << 3, v128.load64_zero(<i32>load<u8>(row, CODES + 3 * CODES_SIZE) << 3, TABLES + 3 * TABLE_SIZE), 1, TABLES + 3 * TABLE_SIZE,
    )));
    v128.store(odds, product);
  }
}

// @ts-ignore: decorator
@inline function clamped(odds: v128): v128 {
  return f64x2.pmax(f64x2.pmin(odds, f64x2.splat(HIGHEST)), f64x2.splat(LOWEST));
}

/** How far a tree moves odds at most: the largest of its leaves' factors and of their inverses. */
export function reachOf(factors: i32, leaves: i32): f64 {
  let most = f64x2.splat(1), least = f64x2.splat(1);
  for (let factor = factors, end = factors + (leaves << 3); factor < end; factor += 8) {
    const both = v128.load64_splat(factor);
    most = f64x2.pmax(most, both);
    least = f64x2.pmin(least, both);
  }
  return max(f64x2.extract_lane(most, 0), 1 / f64x2.extract_lane(least, 0));
}
