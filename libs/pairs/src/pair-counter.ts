import type { BitMatrix } from '@orchard/dataset';
import { counterBytes } from './generated/counter-bytes.js';
import { PairCounts } from './pair-counts.js';

/** The function of assembly/index.ts, on a memory of its own. */
interface CounterModule {
  readonly memory: WebAssembly.Memory;
  addShared(columns: number, dimensions: number, blocks: number, stride: number, counts: number): void;
}

/** Rows of a block of bits. */
const BLOCK = 128;
/** Blocks that the loop takes at a time: a piece of every column is 496 bytes, so that hundreds of columns stay in a near cache. */
const BLOCKS = 31;
const STRIDE = 16 * BLOCKS;
/** Where the counts begin: the module has no data of its own below. */
const HEAP = 1024;
const PAGE = 65_536;

let compiled: WebAssembly.Module | undefined;

/**
 * Counts how often columns are 1 together, again and again in one memory: by SIMD popcounts over bit columns, D² N / 256 of them
 * for N rows. What it gives is good until it counts again.
 */
export class PairCounter {
  readonly #module: CounterModule;

  constructor() {
    // browsers have no Buffer
    compiled ??= new WebAssembly.Module(Uint8Array.from(atob(counterBytes), (byte) => byte.charCodeAt(0)));
    const { exports } = new WebAssembly.Instance(compiled, { env: { abort: () => undefined } });
    this.#module = exports as unknown as CounterModule;
  }

  /**
   * @param rows the rows that count, each as often as it is named; all where nothing is said
   * @param count how many of `rows`, where it is longer
   */
  count(matrix: BitMatrix, rows: Uint32Array | null = null, count = rows?.length ?? matrix.rows): PairCounts {
    const { dimensions } = matrix;
    const { memory, addShared } = this.#module;
    const columns = HEAP + Math.ceil((4 * dimensions ** 2) / 16) * 16;
    const missing = columns + 8 * Math.ceil(dimensions / 8) * STRIDE - memory.buffer.byteLength;
    if (missing > 0) memory.grow(Math.ceil(missing / PAGE));
    const bytes = new Uint8Array(memory.buffer);
    const counts = new Uint32Array(memory.buffer, HEAP, dimensions ** 2);
    counts.fill(0);
    for (let first = 0; first < count; first += BLOCK * BLOCKS) {
      const piece = Math.min(BLOCK * BLOCKS, count - first);
      const blocks = Math.ceil(piece / BLOCK);
      transpose(matrix, rows, first, piece, bytes, columns, 16 * blocks);
      addShared(columns, dimensions, blocks, STRIDE, HEAP);
    }
    return new PairCounts(dimensions, count, counts);
  }
}

/**
 * Eight rows and eight columns at a time (Warren, Hacker's Delight, 7-3). The order of the rows in a byte does not matter to counts; bits
 * behind the last row are zero.
 *
 * @param length bytes of a column that the loop reads
 */
function transpose(
  { bytes, stride, dimensions }: BitMatrix,
  rows: Uint32Array | null,
  first: number,
  count: number,
  target: Uint8Array,
  columns: number,
  length: number,
): void {
  const used = Math.ceil(dimensions / 8);
  const at = new Uint32Array(8);
  for (let group = 0; group < length; group++) {
    const from = first + 8 * group;
    const present = Math.max(0, Math.min(8, first + count - from));
    for (let i = 0; i < present; i++) at[i] = (rows === null ? from + i : rows[from + i]!) * stride;
    for (let byte = 0; byte < used; byte++) {
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
      let to = columns + 8 * byte * STRIDE + group;
      for (let shift = 24; shift >= 0; shift -= 8, to += STRIDE) target[to] = high >>> shift;
      for (let shift = 24; shift >= 0; shift -= 8, to += STRIDE) target[to] = low >>> shift;
    }
  }
}
