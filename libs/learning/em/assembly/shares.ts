// What EM's expectation makes of log P of rows under components, of products as of trees.
import { logOfTwo } from '../../../core/numerics/assembly/log-of-two';
import { TILE } from './tile';

/** A component that is e^20 times (500 million) less probable than another, given a row, has no share in it. */
const NO_SHARE: f64 = -20;
/** Rows whose shares are listed at once: 4 of each at most, 12 bytes a share, in the fastest cache. */
const LISTED = 256;

const TWO_52: f64 = 4503599627370496.0;
const LOG2_E: f64 = 1.4426950408889634;
const LN2_HIGH: f64 = 0.6931471803691238;
const LN2_LOW: f64 = 1.9082149292705877e-10;

/** `exp` of `@orchard/numerics` for -20 <= x <= 0, operation by operation. */
// @ts-ignore: decorator
@inline function shareOf(x: v128): v128 {
  const k = f64x2.floor(f64x2.add(f64x2.mul(x, f64x2.splat(LOG2_E)), f64x2.splat(0.5)));
  const above = f64x2.sub(x, f64x2.mul(k, f64x2.splat(LN2_HIGH)));
  const below = f64x2.mul(k, f64x2.splat(LN2_LOW));
  const r = f64x2.sub(above, below);
  const rest = f64x2.sub(f64x2.sub(above, r), below);
  let tail = f64x2.splat(1.0 / 87178291200.0);
  tail = f64x2.add(f64x2.mul(tail, r), f64x2.splat(1.0 / 6227020800.0));
  tail = f64x2.add(f64x2.mul(tail, r), f64x2.splat(1.0 / 479001600.0));
  tail = f64x2.add(f64x2.mul(tail, r), f64x2.splat(1.0 / 39916800.0));
  tail = f64x2.add(f64x2.mul(tail, r), f64x2.splat(1.0 / 3628800.0));
  tail = f64x2.add(f64x2.mul(tail, r), f64x2.splat(1.0 / 362880.0));
  tail = f64x2.add(f64x2.mul(tail, r), f64x2.splat(1.0 / 40320.0));
  tail = f64x2.add(f64x2.mul(tail, r), f64x2.splat(1.0 / 5040.0));
  tail = f64x2.add(f64x2.mul(tail, r), f64x2.splat(1.0 / 720.0));
  tail = f64x2.add(f64x2.mul(tail, r), f64x2.splat(1.0 / 120.0));
  tail = f64x2.add(f64x2.mul(tail, r), f64x2.splat(1.0 / 24.0));
  tail = f64x2.add(f64x2.mul(tail, r), f64x2.splat(1.0 / 6.0));
  const square = f64x2.mul(r, r);
  const cubic = f64x2.add(f64x2.mul(f64x2.mul(tail, r), square), rest);
  const y = f64x2.add(f64x2.splat(1.0), f64x2.add(r, f64x2.add(f64x2.mul(f64x2.splat(0.5), square), cubic)));
  // 2^k by its bits: those of k + 1023 are the last ones of a sum this large
  const scale = i64x2.shl(f64x2.add(k, f64x2.splat(TWO_52 + 1023.0)), 52);
  return f64x2.mul(y, scale);
}

/**
 * Makes of logarithms, up to a factor of each row, P(component | row), and adds these to the totals of the rows. What
 * has a share is listed first: of 32 components a row may have 3 or 30, and only theirs is worth an exponential.
 *
 * @param listed for the shares of so many rows, f64, then where each belongs, u32
 */
export function sharesOfTile(logs: usize, count: i32, highest: usize, totals: usize, listed: usize): void {
  const places = listed + LISTED * TILE;
  const least = f64x2.splat(NO_SHARE);
  for (let first = 0; first < count; first += LISTED) {
    const end = min(first + LISTED, count);
    let found = 0;
    for (let row = first; row < end; row++) {
      const place = logs + row * TILE;
      const best = v128.load64_splat(highest + (row << 3));
      const low = f64x2.sub(v128.load(place), best);
      const high = f64x2.sub(v128.load(place, 16), best);
      v128.store(place, f64x2.splat(0));
      v128.store(place, f64x2.splat(0), 16);
      // each is written, and stays where the next is not written over it
      const hasLow = i64x2.bitmask(f64x2.ge(low, least));
      const hasHigh = i64x2.bitmask(f64x2.ge(high, least));
      v128.store64_lane(listed + (found << 3), low, 0);
      store<u32>(places + (found << 2), place as u32);
      found += hasLow & 1;
      v128.store64_lane(listed + (found << 3), low, 1);
      store<u32>(places + (found << 2), (place + 8) as u32);
      found += hasLow >> 1;
      v128.store64_lane(listed + (found << 3), high, 0);
      store<u32>(places + (found << 2), (place + 16) as u32);
      found += hasHigh & 1;
      v128.store64_lane(listed + (found << 3), high, 1);
      store<u32>(places + (found << 2), (place + 24) as u32);
      found += hasHigh >> 1;
    }
    // where their number is odd, what is behind the last one is written where it is listed
    store<u32>(places + (found << 2), (listed + (found << 3)) as u32);
    for (let at = 0; at < found; at += 2) {
      const shares = shareOf(v128.load(listed + (at << 3)));
      v128.store64_lane(load<u32>(places + (at << 2)), shares, 0);
      v128.store64_lane(load<u32>(places + (at << 2), 4), shares, 1);
    }
    for (let row = first; row < end; row += 2) {
      const place = logs + row * TILE;
      const low = v128.load(place);
      const high = v128.load(place, 16);
      const nextLow = v128.load(place, 32);
      const nextHigh = v128.load(place, 48);
      const total = totals + (row << 3);
      let sum = f64x2.add(v128.load(total), v128.shuffle<f64>(low, nextLow, 0, 2));
      sum = f64x2.add(sum, v128.shuffle<f64>(low, nextLow, 1, 3));
      sum = f64x2.add(sum, v128.shuffle<f64>(high, nextHigh, 0, 2));
      v128.store(total, f64x2.add(sum, v128.shuffle<f64>(high, nextHigh, 1, 3)));
    }
  }
}

/**
 * Adds the log P of a block of rows, each as often as it is there.
 *
 * @returns nats
 */
export function likelihoodOf(nats: f64, count: i32, counts: usize, highest: usize, totals: usize): f64 {
  // where their number is odd, the logarithm of what lies behind the last is not read
  for (let row = 0; row < count; row += 2) {
    const at = row << 3;
    const logs = logOfTwo(v128.load(totals + at));
    nats += load<f64>(counts + at) * (load<f64>(highest + at) + f64x2.extract_lane(logs, 0));
    if (row + 1 < count) nats += load<f64>(counts + at, 8) * (load<f64>(highest + at, 8) + f64x2.extract_lane(logs, 1));
  }
  return nats;
}
