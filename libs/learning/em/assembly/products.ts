// EM's expectation of a mixture of products. Components lie four abreast, a tile: element `4 * place + component` of
// what is said of places (columns of a row, rows of a block). Each number is made by the operations, and in the order,
// in which one component after the other would make it.
import { logOfTwo } from '../../../core/numerics/assembly/log-of-two';
import { TILE } from './tile';

/** Bytes of a row whose tables are made, and looked up, together: 32 KiB, of which most stays in the fastest cache. */
const ABREAST = 4;
/** Bytes of one byte's table. */
const TABLE = TILE << 8;
const ENTRY: u32 = 0xff * TILE;

/**
 * Of four components from `rates` on: the log-odds of each column, and of each eight columns log P of all 0.
 *
 * @param rates P(1) of each column under one component, then the next: above 0 and below 1
 * @param components how many there are, at most four; the others keep what they have
 */
export function prepareTile(rates: usize, components: i32, dimensions: i32, odds: usize, zeros: usize): void {
  for (let k = 0; k < components; k++) {
    const own = rates + ((k * dimensions) << 3);
    for (let dim = 0; dim < dimensions; dim++) {
      const rate = load<f64>(own + (dim << 3));
      const logs = logOfTwo(f64x2.replace_lane(f64x2.splat(rate), 0, 1.0 - rate));
      const zero = f64x2.extract_lane(logs, 0);
      const sum = zeros + (dim >> 3) * TILE + (k << 3);
      store<f64>(sum, load<f64>(sum) + zero);
      store<f64>(odds + dim * TILE + (k << 3), f64x2.extract_lane(logs, 1) - zero);
    }
  }
}

/** The 256 sums of a byte: that of a value is that of the value without its highest bit, and that one's log-odds. */
function makeTable(odds: usize, zeros: usize, table: usize): void {
  v128.store(table, v128.load(zeros));
  v128.store(table, v128.load(zeros, 16), 16);
  for (let column = 7, half = 1; half < 256; column--, half <<= 1) {
    const low = v128.load(odds + column * TILE);
    const high = v128.load(odds + column * TILE, 16);
    for (let from = table, to = table + half * TILE, end = to; from < end; from += TILE, to += TILE) {
      v128.store(to, f64x2.add(v128.load(from), low));
      v128.store(to, f64x2.add(v128.load(from, 16), high), 16);
    }
  }
}

/**
 * log (w_k P_k(row)) of a block of rows under four components.
 *
 * @param words of four bytes that have columns
 * @param tables for four tables of a byte
 * @param stride from a row to the next
 * @param added four logarithms of weights
 */
export function logsOfTile(
  odds: usize,
  zeros: usize,
  words: i32,
  tables: usize,
  rows: usize,
  stride: i32,
  count: i32,
  added: usize,
  logs: usize,
): void {
  const weightLow = v128.load(added);
  const weightHigh = v128.load(added, 16);
  for (let row = 0; row < count; row++) {
    v128.store(logs + row * TILE, weightLow);
    v128.store(logs + row * TILE, weightHigh, 16);
  }
  for (let word = 0; word < words; word++) {
    for (let byte = 0; byte < ABREAST; byte++) {
      const place = word * ABREAST + byte;
      makeTable(odds + (place << 3) * TILE, zeros + place * TILE, tables + byte * TABLE);
    }
    let at = rows + (word << 2);
    for (let to = logs, end = logs + count * TILE; to < end; to += TILE) {
      const bits = load<u32>(at);
      at += stride;
      // a byte times TILE
      const entry0 = tables + ((bits << 5) & ENTRY);
      const entry1 = tables + ((bits >> 3) & ENTRY);
      const entry2 = tables + ((bits >> 11) & ENTRY);
      const entry3 = tables + ((bits >> 19) & ENTRY);
      let low = f64x2.add(v128.load(to), v128.load(entry0));
      let high = f64x2.add(v128.load(to, 16), v128.load(entry0, 16));
      low = f64x2.add(low, v128.load(entry1, TABLE));
      high = f64x2.add(high, v128.load(entry1, TABLE + 16));
      low = f64x2.add(low, v128.load(entry2, 2 * TABLE));
      high = f64x2.add(high, v128.load(entry2, 2 * TABLE + 16));
      low = f64x2.add(low, v128.load(entry3, 3 * TABLE));
      high = f64x2.add(high, v128.load(entry3, 3 * TABLE + 16));
      v128.store(to, low);
      v128.store(to, high, 16);
    }
  }
}

/** The highest logarithm of each row so far. Where rows are odd in number, one behind the last is written and not read. */
export function highestOfTile(logs: usize, count: i32, highest: usize): void {
  for (let row = 0; row < count; row += 2) {
    const place = logs + row * TILE;
    const own = f64x2.pmax(v128.load(place), v128.load(place, 16));
    const next = f64x2.pmax(v128.load(place, 32), v128.load(place, 48));
    const both = f64x2.pmax(v128.shuffle<f64>(own, next, 0, 2), v128.shuffle<f64>(own, next, 1, 3));
    const best = highest + (row << 3);
    v128.store(best, f64x2.pmax(v128.load(best), both));
  }
}

/** Makes of totals what the shares of each row are to be multiplied by. */
export function factorsOf(count: i32, counts: usize, totals: usize): void {
  for (let at = 0, end = count << 3; at < end; at += 8)
    store<f64>(totals + at, load<f64>(counts + at) / load<f64>(totals + at));
}

/**
 * Adds rows to two tiles of components by its shares in them: to `rows`, and to `ones` in the columns where a row has a
 * 1. Element `8 * place + component` of both.
 *
 * @param second where the shares of the second tile are
 * @param starts where the columns of each row begin in `columns`, and behind the last one where they end
 */
export function shareOut(
  first: usize,
  second: usize,
  count: i32,
  factors: usize,
  starts: usize,
  columns: usize,
  rows: usize,
  ones: usize,
): void {
  let sum0 = f64x2.splat(0);
  let sum1 = f64x2.splat(0);
  let sum2 = f64x2.splat(0);
  let sum3 = f64x2.splat(0);
  for (let row = 0; row < count; row++) {
    const own = row * TILE;
    const factor = v128.load64_splat(factors + (row << 3));
    const share0 = f64x2.mul(v128.load(first + own), factor);
    const share1 = f64x2.mul(v128.load(first + own, 16), factor);
    const share2 = f64x2.mul(v128.load(second + own), factor);
    const share3 = f64x2.mul(v128.load(second + own, 16), factor);
    if (!v128.any_true(v128.or(v128.or(share0, share1), v128.or(share2, share3)))) continue;
    sum0 = f64x2.add(sum0, share0);
    sum1 = f64x2.add(sum1, share1);
    sum2 = f64x2.add(sum2, share2);
    sum3 = f64x2.add(sum3, share3);
    const end = columns + (load<i32>(starts + (row << 2), 4) << 2);
    for (let at = columns + (load<i32>(starts + (row << 2)) << 2); at < end; at += 4) {
      const one = ones + load<i32>(at) * 2 * TILE;
      v128.store(one, f64x2.add(v128.load(one), share0));
      v128.store(one, f64x2.add(v128.load(one, 16), share1), 16);
      v128.store(one, f64x2.add(v128.load(one, 32), share2), 32);
      v128.store(one, f64x2.add(v128.load(one, 48), share3), 48);
    }
  }
  v128.store(rows, f64x2.add(v128.load(rows), sum0));
  v128.store(rows, f64x2.add(v128.load(rows, 16), sum1), 16);
  v128.store(rows, f64x2.add(v128.load(rows, 32), sum2), 32);
  v128.store(rows, f64x2.add(v128.load(rows, 48), sum3), 48);
}
