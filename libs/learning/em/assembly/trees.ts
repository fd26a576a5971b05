// EM's expectation of a mixture of trees: log P of rows under four components abreast, a tile as of products
// (index.ts), from the columns in which a row is 1.
import { log } from '../../../core/numerics/src/log';
import { highestOf, TILE } from './tile';

/**
 * Of a component, a lane of a tile: log P of the row without ones, and what each one adds to it, beside a parent of 0
 * or of 1. A root's parent is itself, which adds nothing.
 *
 * @param rates P(1 | parent is 0) and P(1 | parent is 1) of each column
 * @param parents i32 of each column, -1 of a root
 * @param added the logarithm of the component's weight
 * @param alone what a one adds
 * @param withParent what it adds beside that where its parent is 1
 * @param places u32, where the parent's number is among those of a row's columns
 */
export function prepareTree(
  rates: usize,
  parents: usize,
  dimensions: i32,
  added: f64,
  lane: i32,
  zeros: usize,
  alone: usize,
  withParent: usize,
  places: usize,
): void {
  const own = lane << 3;
  let sum: f64 = 0;
  for (let column = 0; column < dimensions; column++) store<f64>(alone + column * TILE + own, 0);
  for (let column = 0; column < dimensions; column++) {
    const after0 = load<f64>(rates + (column << 4));
    const after1 = load<f64>(rates + (column << 4), 8);
    const zero = log(1.0 - after0);
    const one = log(after0);
    const place = alone + column * TILE + own;
    sum += zero;
    store<f64>(place, load<f64>(place) + (one - zero));
    const parent = load<i32>(parents + (column << 2));
    store<u32>(places + (column << 4) + (lane << 2), (parent < 0 ? column : parent) << 3);
    if (parent < 0) {
      store<f64>(withParent + column * TILE + own, 0);
      continue;
    }
    const zeroAfter1 = log(1.0 - after1);
    const oneAfter1 = log(after1);
    const above = alone + parent * TILE + own;
    store<f64>(above, load<f64>(above) + (zeroAfter1 - zero));
    store<f64>(withParent + column * TILE + own, oneAfter1 - zeroAfter1 - (one - zero));
  }
  store<f64>(zeros + own, sum + added);
}

/** All bits of a lane where its component's parent of a column is 1. */
// @ts-ignore: decorator
@inline function parentsAt(ones: usize, places: usize): v128 {
  return v128.load64_lane(ones + load<u32>(places, 4), v128.load64_zero(ones + load<u32>(places)), 1);
}

/**
 * log (w_k P_k(row)) of a block of rows under four components, and the highest of each row so far.
 *
 * @param starts where the columns of each row begin in `columns`, and behind the last one where they end
 * @param ones i64 of each column: zeros, before and after
 */
export function logsOfTrees(
  starts: usize,
  columns: usize,
  count: i32,
  ones: usize,
  zeros: usize,
  alone: usize,
  withParent: usize,
  places: usize,
  logs: usize,
  highest: usize,
): void {
  for (let row = 0; row < count; row++) {
    const place = starts + (row << 2);
    const first = columns + ((load<u32>(place) as usize) << 2);
    const end = columns + ((load<u32>(place, 4) as usize) << 2);
    for (let at = first; at < end; at += 4) store<i64>(ones + (load<u32>(at) << 3), -1);
    let low = v128.load(zeros);
    let high = v128.load(zeros, 16);
    for (let at = first; at < end; at += 4) {
      const column = load<u32>(at);
      const own = alone + column * TILE;
      const beside = withParent + column * TILE;
      const parents = places + (column << 4);
      low = f64x2.add(f64x2.add(low, v128.load(own)), v128.and(v128.load(beside), parentsAt(ones, parents)));
      high = f64x2.add(
        f64x2.add(high, v128.load(own, 16)),
        v128.and(v128.load(beside, 16), parentsAt(ones, parents + 8)),
      );
    }
    for (let at = first; at < end; at += 4) store<i64>(ones + (load<u32>(at) << 3), 0);
    v128.store(logs + row * TILE, low);
    v128.store(logs + row * TILE, high, 16);
    const best = highest + (row << 3);
    store<f64>(best, highestOf(low, high, load<f64>(best)));
  }
}

/**
 * How often each row of a block is there times P(component | row), of four components: each to its own rows, and added
 * to their sums.
 *
 * @param totals of each row, of all components' shares
 * @param rows of the first component, the next `stride` bytes behind it
 */
export function shareRows(
  shares: usize,
  count: i32,
  counts: usize,
  totals: usize,
  sums: usize,
  rows: usize,
  stride: usize,
): void {
  let lowAll = v128.load(sums);
  let highAll = v128.load(sums, 16);
  for (let row = 0; row < count; row++) {
    const at = row << 3;
    const times = f64x2.splat(load<f64>(counts + at));
    const total = f64x2.splat(load<f64>(totals + at));
    const low = f64x2.div(f64x2.mul(times, v128.load(shares + row * TILE)), total);
    const high = f64x2.div(f64x2.mul(times, v128.load(shares + row * TILE, 16)), total);
    lowAll = f64x2.add(lowAll, low);
    highAll = f64x2.add(highAll, high);
    v128.store64_lane(rows + at, low, 0);
    v128.store64_lane(rows + stride + at, low, 1);
    v128.store64_lane(rows + 2 * stride + at, high, 0);
    v128.store64_lane(rows + 3 * stride + at, high, 1);
  }
  v128.store(sums, lowAll);
  v128.store(sums, highAll, 16);
}
