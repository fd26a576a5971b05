/**
 * Counter-based random numbers: Philox4x32-10 (Salmon, Moraes, Dror, Shaw: "Parallel random numbers: as easy as 1, 2,
 * 3", 2011). A draw is a pure function of (seed, purpose, index, counter), so streams need no state to be shared and
 * give the same numbers on every machine, in any order of use.
 */

/** Tags that keep the streams of one seed apart. */
export const Purpose = {
  split: 1,
  binarize: 2,
  ordering: 3,
  features: 4,
  sample: 5,
  complete: 6,
  reservoir: 7,
  cell: 8,
  component: 9,
  member: 10,
  fold: 11,
  bootstrap: 12,
  condition: 13,
  trial: 14,
  restart: 15,
  online: 16,
  dropout: 17,
  someRows: 18,
  classifierFold: 19,
  smallSample: 20,
  shuffle: 21,
  rows: 22,
  fill: 23,
} as const;

const MULTIPLIER_0 = 0xd2511f53 | 0;
const MULTIPLIER_1 = 0xcd9e8d57 | 0;
const WEYL_0 = 0x9e3779b9 | 0;
const WEYL_1 = 0xbb67ae85 | 0;

/** The upper 32 bits of the 64-bit product of two u32, all of them as i32: every step stays in 32-bit integers. */
function multiplyHigh(a: number, b: number): number {
  const aLow = a & 0xffff;
  const aHigh = a >>> 16;
  const bLow = b & 0xffff;
  const bHigh = b >>> 16;
  const middle = (Math.imul(aHigh, bLow) + (Math.imul(aLow, bLow) >>> 16)) | 0;
  const carry = (Math.imul(aLow, bHigh) + (middle & 0xffff)) | 0;
  return (Math.imul(aHigh, bHigh) + (middle >>> 16) + (carry >>> 16)) | 0;
}

/** One block of Philox4x32-10: four u32 of counter and two of key give four u32, written to `out`. */
export function philox4x32(
  out: Uint32Array,
  counter0: number,
  counter1: number,
  counter2: number,
  counter3: number,
  key0: number,
  key1: number,
): void {
  let c0 = counter0 | 0;
  let c1 = counter1 | 0;
  let c2 = counter2 | 0;
  let c3 = counter3 | 0;
  let k0 = key0 | 0;
  let k1 = key1 | 0;
  for (let round = 0; round < 10; round++) {
    const high0 = multiplyHigh(MULTIPLIER_0, c0);
    const high1 = multiplyHigh(MULTIPLIER_1, c2);
    const low0 = Math.imul(MULTIPLIER_0, c0);
    const low1 = Math.imul(MULTIPLIER_1, c2);
    c0 = high1 ^ c1 ^ k0;
    c1 = low1;
    c2 = high0 ^ c3 ^ k1;
    c3 = low0;
    k0 = (k0 + WEYL_0) | 0;
    k1 = (k1 + WEYL_1) | 0;
  }
  out[0] = c0;
  out[1] = c1;
  out[2] = c2;
  out[3] = c3;
}

const block = new Uint32Array(4);

/**
 * 32 random bits for (seed, purpose, index, counter), without a stream. `seed` is a safe integer >= 0, the rest u32.
 */
export function randomBits(seed: number, purpose: number, index: number, counter: number): number {
  philox4x32(block, counter >>> 2, 0, index, purpose, seed % 2 ** 32, Math.floor(seed / 2 ** 32));
  return block[counter & 3]!;
}

/** The draws of (seed, purpose, index) in order: draw `i` is `randomBits(seed, purpose, index, i)`. */
export class RandomStream {
  readonly #buffer = new Uint32Array(4);
  readonly #keyLow: number;
  readonly #keyHigh: number;
  #drawn = 0;

  constructor(
    seed: number,
    private readonly purpose: number,
    private readonly index = 0,
  ) {
    if (!Number.isSafeInteger(seed) || seed < 0)
      throw new RangeError(`A seed is a whole number from 0 to 2^53 - 1; got ${seed}.`);
    this.#keyLow = seed % 2 ** 32;
    this.#keyHigh = Math.floor(seed / 2 ** 32);
  }

  /** A whole number in [0, 2^32). */
  uint32(): number {
    const lane = this.#drawn % 4;
    if (lane === 0) {
      const count = Math.floor(this.#drawn / 4);
      philox4x32(
        this.#buffer,
        count % 2 ** 32,
        Math.floor(count / 2 ** 32),
        this.index,
        this.purpose,
        this.#keyLow,
        this.#keyHigh,
      );
    }
    this.#drawn++;
    return this.#buffer[lane]!;
  }

  /** A multiple of 2^-53 in [0, 1). */
  uniform(): number {
    const high = this.uint32() >>> 5;
    const low = this.uint32() >>> 6;
    return (high * 2 ** 26 + low) * 2 ** -53;
  }

  /** A whole number in [0, n), without bias; `n` in [1, 2^32]. */
  below(n: number): number {
    let draw = this.uint32();
    // few draws lie where some might not fit in a whole number of times n, and only they need the division
    if (draw > 2 ** 32 - n) {
      const limit = 2 ** 32 - (2 ** 32 % n);
      while (draw >= limit) draw = this.uint32();
    }
    return n < 2 ** 32 ? (draw >>> 0) % (n >>> 0) : draw;
  }
}
