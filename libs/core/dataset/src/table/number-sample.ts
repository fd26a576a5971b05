import { Purpose, RandomStream } from '@orchard/numerics';

/** Cells of numbers that are kept of a table, all columns together: 32 MiB. */
const KEPT_NUMBERS = 2 ** 22;
const MOST_KEPT = 2 ** 16;

/** How many numbers are kept of each of so many columns. */
export function numbersKept(columns: number): number {
  return Math.max(1024, Math.min(MOST_KEPT, Math.floor(KEPT_NUMBERS / columns)));
}

/** The numbers of a column: all of them, or a sample in which each is as likely as any other (Vitter's algorithm R). */
export class NumberSample {
  readonly #kept: Float64Array;
  readonly #stream: RandomStream;
  #count = 0;

  /** @param most numbers that are kept */
  constructor(most: number, column: number) {
    this.#kept = new Float64Array(most);
    this.#stream = new RandomStream(0, Purpose.reservoir, column);
  }

  add(number: number): void {
    const place = this.#count < this.#kept.length ? this.#count : this.#stream.below(this.#count + 1);
    if (place < this.#kept.length) this.#kept[place] = number;
    this.#count++;
  }

  /** Ascending. */
  sorted(): Float64Array {
    return this.#kept.slice(0, Math.min(this.#count, this.#kept.length)).sort();
  }

  get isWhole(): boolean {
    return this.#count <= this.#kept.length;
  }
}
