// EM's expectation of a mixture of products. Components lie four abreast, a tile: element `4 * place + component` of
// what is said of places (bytes and columns of a row, rows of a block). Each number is made by the operations, and in
// the order, in which one component after the other would make it.
import { log } from '../../../core/numerics/src/log';
import { highestOf, TILE } from './tile';

export { logsOfTrees, prepareTree, shareRows } from './trees';

/** A component that is e^20 times (500 million) less probable than another, given a row, has no share in it. */
const NO_SHARE: f64 = -20;

const LOG2_E: f64 = 1.4426950408889634;
const LN2_HIGH: f64 = 0.6931471803691238;
const LN2_LOW: f64 = 1.9082149292705877e-10;

/**
 * Of four components from `rates` on, and of each byte of a row: the log-odds of its eight columns, and log P of all
 * eight 0.
 *
 * @param rates P(1) of each column under one component, then the next
 * @param components how many there are, at most four; the others have 0
 */
export function prepareTile(rates: usize, components: i32, dimensions: i32, odds: usize, zeros: usize): void {
  const bytes = (dimensions + 7) >> 3;
  memory.fill(odds, 0, bytes * 8 * TILE);
  memory.fill(zeros, 0, bytes * TILE);
  for (let k = 0; k < components; k++) {
    const own = rates + ((k * dimensions) << 3);
    for (let dim = 0; dim < dimensions; dim++) {
      const rate = load<f64>(own + (dim << 3));
      const zero = log(1.0 - rate);
      const sum = zeros + (dim >> 3) * TILE + (k << 3);
      store<f64>(sum, load<f64>(sum) + zero);
      store<f64>(odds + dim * TILE + (k << 3), log(rate) - zero);
    }
  }
}

/** The 256 sums of each byte: that of a value is that of the value without its highest bit, and that one's log-odds. */
export function makeTables(odds: usize, zeros: usize, bytes: i32, tables: usize): void {
  for (let byte = 0; byte < bytes; byte++) {
    const start = tables + (byte << 8) * TILE;
    v128.store(start, v128.load(zeros + byte * TILE));
    v128.store(start, v128.load(zeros + byte * TILE, 16), 16);
    for (let column = 7, half = 1; half < 256; column--, half <<= 1) {
      const place = odds + ((byte << 3) + column) * TILE;
      const low = v128.load(place);
      const high = v128.load(place, 16);
      for (let from = start, to = start + half * TILE, end = to; from < end; from += TILE, to += TILE) {
        v128.store(to, f64x2.add(v128.load(from), low));
        v128.store(to, f64x2.add(v128.load(from, 16), high), 16);
      }
    }
  }
}

/**
 * log (w_k P_k(row)) of a block of rows under four components, and the highest of each row so far.
 *
 * @param added four logarithms of weights
 */
export function logsOfTile(
  tables: usize,
  bytes: i32,
  rows: usize,
  stride: i32,
  count: i32,
  added: usize,
  logs: usize,
  highest: usize,
): void {
  const low = v128.load(added);
  const high = v128.load(added, 16);
  let row = 0;
  // four rows at a time: the additions of one have to wait for each other
  for (; row + 4 <= count; row += 4) {
    let low0 = low;
    let high0 = high;
    let low1 = low;
    let high1 = high;
    let low2 = low;
    let high2 = high;
    let low3 = low;
    let high3 = high;
    let table = tables;
    for (let at = rows + row * stride, end = at + bytes; at < end; at++, table += TILE << 8) {
      const entry0 = table + (load<u8>(at) as i32) * TILE;
      const entry1 = table + (load<u8>(at + stride) as i32) * TILE;
      const entry2 = table + (load<u8>(at + 2 * stride) as i32) * TILE;
      const entry3 = table + (load<u8>(at + 3 * stride) as i32) * TILE;
      low0 = f64x2.add(low0, v128.load(entry0));
      high0 = f64x2.add(high0, v128.load(entry0, 16));
      low1 = f64x2.add(low1, v128.load(entry1));
      high1 = f64x2.add(high1, v128.load(entry1, 16));
      low2 = f64x2.add(low2, v128.load(entry2));
      high2 = f64x2.add(high2, v128.load(entry2, 16));
      low3 = f64x2.add(low3, v128.load(entry3));
      high3 = f64x2.add(high3, v128.load(entry3, 16));
    }
    const to = logs + row * TILE;
    v128.store(to, low0);
    v128.store(to, high0, 16);
    v128.store(to, low1, 32);
    v128.store(to, high1, 48);
    v128.store(to, low2, 64);
    v128.store(to, high2, 80);
    v128.store(to, low3, 96);
    v128.store(to, high3, 112);
    const best = highest + (row << 3);
    store<f64>(best, highestOf(low0, high0, load<f64>(best)));
    store<f64>(best, highestOf(low1, high1, load<f64>(best, 8)), 8);
    store<f64>(best, highestOf(low2, high2, load<f64>(best, 16)), 16);
    store<f64>(best, highestOf(low3, high3, load<f64>(best, 24)), 24);
  }
  for (; row < count; row++) {
    let low0 = low;
    let high0 = high;
    let table = tables;
    for (let at = rows + row * stride, end = at + bytes; at < end; at++, table += TILE << 8) {
      const entry = table + (load<u8>(at) as i32) * TILE;
      low0 = f64x2.add(low0, v128.load(entry));
      high0 = f64x2.add(high0, v128.load(entry, 16));
    }
    const to = logs + row * TILE;
    v128.store(to, low0);
    v128.store(to, high0, 16);
    const best = highest + (row << 3);
    store<f64>(best, highestOf(low0, high0, load<f64>(best)));
  }
}

/** `exp` of `@orchard/numerics` for -20 <= x <= 0, operation by operation; 0 below. */
// @ts-ignore: decorator
@inline function shareOf(x: v128): v128 {
  const has = f64x2.ge(x, f64x2.splat(NO_SHARE));
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
  // 2^k by its bits; what has no share is masked before, since its k may be any
  const whole = i32x4.trunc_sat_f64x2_s_zero(v128.and(k, has));
  const scale = i64x2.shl(i64x2.add(i64x2.extend_low_i32x4_s(whole), i64x2.splat(1023)), 52);
  return v128.and(f64x2.mul(y, scale), has);
}

/** Makes of logarithms, up to a factor of each row, P(component | row), and adds these to the totals of the rows. */
export function sharesOfTile(logs: usize, count: i32, highest: usize, totals: usize): void {
  for (let row = 0; row < count; row++) {
    const place = logs + row * TILE;
    const best = f64x2.splat(load<f64>(highest + (row << 3)));
    const lowGap = f64x2.sub(v128.load(place), best);
    const highGap = f64x2.sub(v128.load(place, 16), best);
    if (!v128.any_true(f64x2.ge(f64x2.pmax(lowGap, highGap), f64x2.splat(NO_SHARE)))) {
      v128.store(place, f64x2.splat(0));
      v128.store(place, f64x2.splat(0), 16);
      continue;
    }
    const low = shareOf(lowGap);
    const high = shareOf(highGap);
    v128.store(place, low);
    v128.store(place, high, 16);
    const total = totals + (row << 3);
    store<f64>(
      total,
      load<f64>(total) +
        f64x2.extract_lane(low, 0) +
        f64x2.extract_lane(low, 1) +
        f64x2.extract_lane(high, 0) +
        f64x2.extract_lane(high, 1),
    );
  }
}

/**
 * Adds the log P of a block of rows, each as often as it is there.
 *
 * @returns nats
 */
export function likelihoodOf(nats: f64, count: i32, counts: usize, highest: usize, totals: usize): f64 {
  for (let at = 0, end = count << 3; at < end; at += 8)
    nats += load<f64>(counts + at) * (load<f64>(highest + at) + log(load<f64>(totals + at)));
  return nats;
}

/** Makes of totals what the shares of each row are to be multiplied by. */
export function factorsOf(count: i32, counts: usize, totals: usize): void {
  for (let at = 0, end = count << 3; at < end; at += 8)
    store<f64>(totals + at, load<f64>(counts + at) / load<f64>(totals + at));
}

/**
 * Adds rows to four components by its shares in them: to `rows`, and to `ones` in the columns where a row has a 1.
 *
 * @param starts where the columns of each row begin in `columns`, and behind the last one where they end
 */
export function shareOut(
  shares: usize,
  count: i32,
  factors: usize,
  starts: usize,
  columns: usize,
  rows: usize,
  ones: usize,
): void {
  let lowAll = f64x2.splat(0);
  let highAll = f64x2.splat(0);
  for (let row = 0; row < count; row++) {
    const place = shares + row * TILE;
    const factor = f64x2.splat(load<f64>(factors + (row << 3)));
    const low = f64x2.mul(v128.load(place), factor);
    const high = f64x2.mul(v128.load(place, 16), factor);
    if (!v128.any_true(v128.or(low, high))) continue;
    lowAll = f64x2.add(lowAll, low);
    highAll = f64x2.add(highAll, high);
    const end = columns + (load<i32>(starts + ((row + 1) << 2)) << 2);
    for (let at = columns + (load<i32>(starts + (row << 2)) << 2); at < end; at += 4) {
      const one = ones + load<i32>(at) * TILE;
      v128.store(one, f64x2.add(v128.load(one), low));
      v128.store(one, f64x2.add(v128.load(one, 16), high), 16);
    }
  }
  v128.store(rows, f64x2.add(v128.load(rows), lowAll));
  v128.store(rows, f64x2.add(v128.load(rows, 16), highAll), 16);
}
