import { State } from './state';

/** Positions of one vector of a packed row. */
const VECTOR: u32 = 128;
/** A byte counts so many rows, then its counts are added to the words of `scores`. */
const MOST: u32 = 255;

/**
 * Counts, position by position, the training rows that have a 1 there and `value` at `position`. They are written to
 * `scores` as u32, within each vector by bit and then by byte: position p is at `(p & ~127) + 16 (p & 7) + (p >> 3 &
 * 15)`. What an earlier conditional left in the tallies is lost.
 *
 * O(rows with that value x vectors): sixteen bytes of a row are counted at once, whichever of their bits are set.
 *
 * @param value 0 or 1; any other counts all training rows
 * @param positions how many from the first on, rounded up to whole vectors
 */
export function countOnes(state: State, position: u32, value: u32, positions: u32, pooled: bool): void {
  const rows = state.tallies;
  const end = rows + (<usize>listRows(state, position, value, pooled) << 2);
  let counts = state.scores;
  for (let from: u32 = 0; from < positions; from += VECTOR, counts += VECTOR << 2) {
    memory.fill(counts, 0, VECTOR << 2);
    for (let at = rows; at < end; at += <usize>MOST << 2) countVector(at, min(end, at + (<usize>MOST << 2)), from >>> 3, counts);
  }
}

/** Writes the addresses of those rows to the tallies, u32 each. */
function listRows(state: State, position: u32, value: u32, pooled: bool): u32 {
  const lastTraining: u32 = pooled ? 1 : 0;
  const shift: u8 = <u8>(7 - (position & 7));
  const place = <usize>(position >>> 3);
  let listed: u32 = 0;
  let address = state.rows;
  for (let row: u32 = 0; row < state.rowCount; row++, address += state.rowStride) {
    if (<u32>load<u8>(state.splits + row) > lastTraining) continue;
    if (value <= 1 && <u32>((load<u8>(address + place) >> shift) & 1) != value) continue;
    store<u32>(state.tallies + (<usize>listed << 2), <u32>address);
    listed++;
  }
  return listed;
}

/** Adds one vector of at most `MOST` listed rows to its counts. */
function countVector(from: usize, to: usize, offset: u32, counts: usize): void {
  let bit0 = i8x16.splat(0);
  let bit1 = bit0;
  let bit2 = bit0;
  let bit3 = bit0;
  let bit4 = bit0;
  let bit5 = bit0;
  let bit6 = bit0;
  let bit7 = bit0;
  for (let at = from; at < to; at += 4) {
    // the highest bit of each byte is its first position: -1 where it is set
    let lanes = v128.load(<usize>load<u32>(at) + offset);
    bit0 = i8x16.sub(bit0, i8x16.shr_s(lanes, 7));
    lanes = i8x16.add(lanes, lanes);
    bit1 = i8x16.sub(bit1, i8x16.shr_s(lanes, 7));
    lanes = i8x16.add(lanes, lanes);
    bit2 = i8x16.sub(bit2, i8x16.shr_s(lanes, 7));
    lanes = i8x16.add(lanes, lanes);
    bit3 = i8x16.sub(bit3, i8x16.shr_s(lanes, 7));
    lanes = i8x16.add(lanes, lanes);
    bit4 = i8x16.sub(bit4, i8x16.shr_s(lanes, 7));
    lanes = i8x16.add(lanes, lanes);
    bit5 = i8x16.sub(bit5, i8x16.shr_s(lanes, 7));
    lanes = i8x16.add(lanes, lanes);
    bit6 = i8x16.sub(bit6, i8x16.shr_s(lanes, 7));
    lanes = i8x16.add(lanes, lanes);
    bit7 = i8x16.sub(bit7, i8x16.shr_s(lanes, 7));
  }
  addCounts(counts, bit0);
  addCounts(counts + 64, bit1);
  addCounts(counts + 128, bit2);
  addCounts(counts + 192, bit3);
  addCounts(counts + 256, bit4);
  addCounts(counts + 320, bit5);
  addCounts(counts + 384, bit6);
  addCounts(counts + 448, bit7);
}

/** Adds sixteen bytes to as many words. */
@inline
function addCounts(counts: usize, bytes: v128): void {
  const low = i16x8.extend_low_i8x16_u(bytes);
  const high = i16x8.extend_high_i8x16_u(bytes);
  v128.store(counts, i32x4.add(v128.load(counts), i32x4.extend_low_i16x8_u(low)));
  v128.store(counts, i32x4.add(v128.load(counts, 16), i32x4.extend_high_i16x8_u(low)), 16);
  v128.store(counts, i32x4.add(v128.load(counts, 32), i32x4.extend_low_i16x8_u(high)), 32);
  v128.store(counts, i32x4.add(v128.load(counts, 48), i32x4.extend_high_i16x8_u(high)), 48);
}
