import type { BitMatrix } from '@orchard/dataset';
import { CompiledModule, growMemory } from '@orchard/numerics';
import { counterBytes } from '../generated/counter-bytes.js';
import { PairCounts } from './pair-counts.js';

/** The function of assembly/index.ts, on a memory of its own. */
interface CounterModule {
  readonly memory: WebAssembly.Memory;
  addShared(columns: number, dimensions: number, blocks: number, stride: number, counts: number, shift: number): void;
}

/** Rows of a block of bits. */
const BLOCK = 128;
/**
 * Blocks that the loop takes at a time: a piece of every column is 496 bytes, so that hundreds of columns stay in a
 * near cache.
 */
const BLOCKS = 31;
const STRIDE = 16 * BLOCKS;
/** Where the counts begin: the module has no data of its own below. */
const HEAP = 1024;

const compiled = new CompiledModule(counterBytes);

/**
 * Counts how often columns are 1 together, again and again in one memory: by SIMD popcounts over bit columns, D² N /
 * 256 of them for N rows. What it gives is good until it counts again.
 */
export class PairCounter {
  readonly #module: CounterModule;

  constructor() {
    this.#module = compiled.instantiate();
  }

  /** @param rows the rows that count, each as often as it is named; all where nothing is said */
  count(matrix: BitMatrix, rows: Uint32Array | null = null): PairCounts {
    const count = rows?.length ?? matrix.rows;
    const room = this.#roomFor(matrix, null);
    this.#add(matrix, rows, count, room, 0);
    return new PairCounts(matrix.dimensions, count, room.counts);
  }

  /**
   * Of some columns of rows that count several times: as many popcounts as for all of these rows where they are few,
   * else one go for each binary digit of how often.
   *
   * @param times how often each row of the matrix counts
   * @param columns distinct; the counts name them by their places here
   */
  countRepeated(matrix: BitMatrix, rows: Uint32Array, times: Uint32Array, columns: Uint32Array): PairCounts {
    const room = this.#roomFor(matrix, columns);
    let total = 0;
    let digits = 0;
    for (const row of rows) {
      total += times[row]!;
      digits |= times[row]!;
    }
    if (total <= BLOCK * BLOCKS) {
      const repeated = new Uint32Array(total);
      let at = 0;
      for (const row of rows) for (let left = times[row]!; left > 0; left--) repeated[at++] = row;
      this.#add(matrix, repeated, total, room, 0);
    } else {
      const own = new Uint32Array(rows.length);
      for (let digit = 0; digit < 32; digit++) {
        if (((digits >>> digit) & 1) === 0) continue;
        let count = 0;
        for (const row of rows) if (((times[row]! >>> digit) & 1) === 1) own[count++] = row;
        this.#add(matrix, own, count, room, digit);
      }
    }
    return new PairCounts(columns.length, total, room.counts);
  }

  /** Memory for the bits of all columns, or of some, in which nothing is counted yet. */
  #roomFor(matrix: BitMatrix, columns: Uint32Array | null): Room {
    const dimensions = columns?.length ?? matrix.dimensions;
    const { memory } = this.#module;
    const bits = HEAP + Math.ceil((4 * dimensions ** 2) / 16) * 16;
    // behind them one for the bits of columns that are not asked for
    const unasked = bits + dimensions * STRIDE;
    growMemory(memory, unasked + STRIDE);
    const counts = new Uint32Array(memory.buffer, HEAP, dimensions ** 2);
    counts.fill(0);
    const places = new Uint32Array(8 * Math.ceil(matrix.dimensions / 8)).fill(unasked);
    for (let place = 0; place < dimensions; place++) places[columns?.[place] ?? place] = bits + place * STRIDE;
    const used: number[] = [];
    for (let byte = 0; 8 * byte < places.length; byte++)
      if (places.subarray(8 * byte, 8 * byte + 8).some((place) => place !== unasked)) used.push(byte);
    return { dimensions, bits, counts, bytes: new Uint8Array(memory.buffer), places, used: Uint32Array.from(used) };
  }

  #add(matrix: BitMatrix, rows: Uint32Array | null, count: number, room: Room, shift: number): void {
    for (let first = 0; first < count; first += BLOCK * BLOCKS) {
      const piece = Math.min(BLOCK * BLOCKS, count - first);
      const blocks = Math.ceil(piece / BLOCK);
      transpose(matrix, rows, first, piece, room, 16 * blocks);
      this.#module.addShared(room.bits, room.dimensions, blocks, STRIDE, HEAP, shift);
    }
  }
}

/** Where a counter counts. */
interface Room {
  readonly dimensions: number;
  /** The address of the first column's bits. */
  readonly bits: number;
  readonly counts: Uint32Array;
  readonly bytes: Uint8Array;
  /** The address of the bits of each column of the matrix, and of what pads them. */
  readonly places: Uint32Array;
  /** Bytes of a row in which there is a column that counts. */
  readonly used: Uint32Array;
}

/**
 * Eight rows and eight columns at a time (Warren, Hacker's Delight, 7-3). The order of the rows in a byte does not
 * matter to counts; bits behind the last row are zero.
 *
 * @param length bytes of a column that the loop reads
 */
function transpose(
  { bytes, stride }: BitMatrix,
  rows: Uint32Array | null,
  first: number,
  count: number,
  { bytes: target, places, used }: Room,
  length: number,
): void {
  const at = new Uint32Array(8);
  for (let group = 0; group < length; group++) {
    const from = first + 8 * group;
    const present = Math.max(0, Math.min(8, first + count - from));
    for (let i = 0; i < present; i++) at[i] = (rows === null ? from + i : rows[from + i]!) * stride;
    for (const byte of used) {
      let x = 0;
      let y = 0;
      for (let i = 0; i < present; i++) {
        const bits = bytes[at[i]! + byte]!;
        if (i < 4) x |= bits << (24 - 8 * i);
        else y |= bits << (56 - 8 * i);
      }
      let swap = (x ^ (x >>> 7)) & 0x00aa00aa;
      x ^= swap ^ (swap << 7);
      swap = (y ^ (y >>> 7)) & 0x00aa00aa;
      y ^= swap ^ (swap << 7);
      swap = (x ^ (x >>> 14)) & 0x0000cccc;
      x ^= swap ^ (swap << 14);
      swap = (y ^ (y >>> 14)) & 0x0000cccc;
      y ^= swap ^ (swap << 14);
      const high = (x & 0xf0f0f0f0) | ((y >>> 4) & 0x0f0f0f0f);
      const low = ((x << 4) & 0xf0f0f0f0) | (y & 0x0f0f0f0f);
      let column = 8 * byte;
      for (let shift = 24; shift >= 0; shift -= 8) target[places[column++]! + group] = high >>> shift;
      for (let shift = 24; shift >= 0; shift -= 8) target[places[column++]! + group] = low >>> shift;
    }
  }
}
