import { strideOf } from './bit-layout.js';

const FIRST_CHUNK_BYTES = 1 << 16;
const LARGEST_CHUNK_BYTES = 1 << 23;

/**
 * Packed rows whose number is not known yet. They grow by chunks of doubling size that are copied once, at the end, and
 * let go one by one: the peak is twice the packed result, once per file.
 * The row being written is `chunk[at ... at + stride - 1]`, all zero at first.
 */
export class PackedRows {
  chunk: Uint8Array;
  at = 0;
  rows = 0;
  stride: number;
  #full: Uint8Array[] = [];
  #nextBytes = FIRST_CHUNK_BYTES;

  /** @param memory see `ReadOptions.onMemory` */
  constructor(
    dimensions: number,
    private readonly memory: (bytes: number) => void,
  ) {
    this.stride = strideOf(dimensions);
    this.chunk = this.#allocate();
  }

  /** Keeps the row being written and begins the next. */
  advance(): void {
    this.rows++;
    this.at += this.stride;
    if (this.at < this.chunk.length) return;
    this.#full.push(this.chunk);
    this.chunk = this.#allocate();
    this.at = 0;
  }

  /** Makes room for more dimensions. Doubles at least, so that the copies cost as much as one more pass in all. */
  widen(dimensions: number): void {
    const stride = strideOf(dimensions);
    if (stride <= this.stride) return;
    const wider = new PackedRows(Math.max(dimensions, this.stride * 16), this.memory);
    for (const { chunk, end } of this.#drain()) {
      for (let from = 0; from < end; from += this.stride) {
        wider.chunk.set(chunk.subarray(from, from + this.stride), wider.at);
        wider.advance();
      }
    }
    wider.chunk.set(this.chunk.subarray(this.at, this.at + this.stride), wider.at);
    this.chunk = wider.chunk;
    this.at = wider.at;
    this.stride = wider.stride;
    this.#full = wider.#full;
    this.#nextBytes = wider.#nextBytes;
  }

  /** Copies all rows that were kept to `target`, whose rows are `stride` bytes apart, and lets go of them. */
  moveTo(target: Uint8Array, stride: number): void {
    let to = 0;
    const used = Math.min(stride, this.stride);
    for (const { chunk, end } of this.#drain()) {
      if (stride === this.stride) {
        target.set(chunk.subarray(0, end), to);
        to += end;
        continue;
      }
      for (let from = 0; from < end; from += this.stride, to += stride)
        target.set(chunk.subarray(from, from + used), to);
    }
  }

  *#drain(): Generator<{ chunk: Uint8Array; end: number }> {
    const full = this.#full.reverse();
    for (let chunk = full.pop(); chunk; chunk = full.pop()) {
      yield { chunk, end: chunk.length };
      this.memory(-chunk.length);
    }
    yield { chunk: this.chunk, end: this.at };
    this.memory(-this.chunk.length);
  }

  #allocate(): Uint8Array {
    const rows = Math.max(1, Math.floor(this.#nextBytes / this.stride));
    this.#nextBytes = Math.min(2 * this.#nextBytes, LARGEST_CHUNK_BYTES);
    this.memory(rows * this.stride);
    return new Uint8Array(rows * this.stride);
  }
}
