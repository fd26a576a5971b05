import { Purpose, philox4x32 } from '@orchard/numerics';

/** Independent groups of particles for each row, whose disagreement is the error. */
export const GROUPS = 4;

/** The random numbers of rows that are completed, in [0, 1): whose is which, `completeSequentially` says. */
export class RowNumbers {
  /** Of each position its first number, and the end of all. */
  readonly #first: Uint32Array;
  readonly #bits = new Uint32Array(4);

  /**
   * @param numbers how many each position has, one a step at least
   * @param firstRow the number of the first row, where the rows are a part of more
   */
  constructor(
    private readonly seed: number,
    numbers: ArrayLike<number>,
    private readonly firstRow = 0,
  ) {
    this.#first = new Uint32Array(numbers.length + 1);
    for (let position = 0; position < numbers.length; position++)
      this.#first[position + 1] = this.#first[position]! + numbers[position]!;
  }

  /** What a group thins by at a step of a position. */
  ofGroup(row: number, group: number, position: number, step: number): number {
    return this.#uniform(row, group, this.#first[position]! + step);
  }

  /** What a draw is drawn by at a step of a position. */
  ofDraw(row: number, draw: number, position: number, step: number): number {
    return this.#uniform(row, wordOf(draw), this.#first[position]! + step);
  }

  /** What a draw chooses its particle by after a position, whose last number it is. */
  ofChoice(row: number, draw: number, position: number): number {
    return this.#uniform(row, wordOf(draw), this.#first[position + 1]! - 1);
  }

  #uniform(row: number, word: number, number: number): number {
    const bits = this.#bits;
    const index = this.firstRow + row;
    philox4x32(bits, number >>> 1, word, index, Purpose.complete, this.seed % 2 ** 32, Math.floor(this.seed / 2 ** 32));
    const at = number % 2 === 0 ? 0 : 2;
    return ((bits[at]! >>> 5) * 2 ** 26 + (bits[at + 1]! >>> 6)) * 2 ** -53;
  }
}

/** The first draw has the first group's numbers, of positions where that no longer takes any. */
function wordOf(draw: number): number {
  return draw === 0 ? 0 : GROUPS - 1 + draw;
}
