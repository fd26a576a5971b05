/** Texts that are remembered of a column, a power of two. */
const SLOTS = 4096;
/** All columns together have no more than so many slots, which are 16 bytes each. */
const ALL_SLOTS = 2 ** 17;
/** Cells after which it is clear whether they repeat. */
const TRIED = 4096;
const LONGEST = 24;

/**
 * The cells of one column as texts. Most columns have the same few texts again and again: each is made once, and found again by what
 * it says, which costs neither memory nor the work of whoever looks it up. A column whose texts do not repeat is left alone.
 */
export class ColumnTexts {
  readonly #mask: number;
  readonly #texts: string[];
  readonly #cells: (string | null)[];
  #asked = 0;
  #missed = 0;
  #repeats = true;

  /** @param cellOf the cell that a text is, as null for a mark of a hole; told once where texts repeat */
  constructor(
    columns: number,
    private readonly cellOf: (text: string) => string | null,
  ) {
    let slots = SLOTS;
    while (slots * columns > ALL_SLOTS && slots > 16) slots >>= 1;
    this.#mask = slots - 1;
    this.#texts = new Array<string>(slots).fill('');
    this.#cells = new Array<string | null>(slots).fill(null);
  }

  /** The cell of the characters `from` to `to - 1`: at least one. */
  cell(text: string, from: number, to: number): string | null {
    const length = to - from;
    if (!this.#repeats || length > LONGEST) return this.cellOf(copyOf(text, from, to));
    let hash = length;
    for (let at = from; at < to; at++) hash = (Math.imul(hash, 31) + text.charCodeAt(at)) | 0;
    const slot = (hash ^ (hash >>> 12)) & this.#mask;
    const known = this.#texts[slot]!;
    if (known.length === length) {
      let at = 0;
      while (at < length && known.charCodeAt(at) === text.charCodeAt(from + at)) at++;
      if (at === length) {
        this.#asked++;
        return this.#cells[slot]!;
      }
    }
    this.#missed++;
    if (++this.#asked >= TRIED) {
      this.#repeats = this.#missed * 2 < this.#asked;
      this.#asked = this.#missed = 0;
    }
    const copy = copyOf(text, from, to);
    this.#texts[slot] = copy;
    return (this.#cells[slot] = this.cellOf(copy));
  }
}

/** Up to so many characters V8 copies a part of a text; a longer part would hold the whole text in memory. */
const COPIED = 12;

/** A part of a text that holds nothing but itself in memory. */
export function copyOf(text: string, from: number, to: number): string {
  const part = text.slice(from, to);
  return to - from <= COPIED ? part : ` ${part}`.slice(1);
}
