import type { BitMatrix } from '@orchard/dataset';
import type { Ensemble } from '@orchard/model';

/** Rows of which it is known where they may differ from one another. */
export interface AlikeRows {
  readonly rows: Uint32Array;
  /** Of each word of 32 bits of a row: 1 where these rows may differ. */
  readonly differing: Uint8Array;
}

/**
 * Rows that differ in what an ensemble splits on: rows that agree in it have the same odds, and one of them is
 * evaluated. Particles of a row differ in few variables, and a decision looks at few: first particles of one row are
 * compared, in what they may differ in alone, and then those that are left, in all.
 */
export class DistinctRows {
  #slots = new Int32Array(0);
  readonly #masks = new WeakMap<Ensemble, Mask>();
  /** All rows that were asked for, side by side: the first `asked` of them. */
  rows = new Uint32Array(0);
  asked = 0;
  /** The rows that stand for the others: the first `count` of them. */
  representatives = new Uint32Array(0);
  count = 0;
  /** Of each place in `rows`, which representative stands for it. */
  places = new Uint32Array(0);
  /** Of each place those of the rows of which one was asked for alone; and which representative stands for these. */
  #own = new Uint32Array(0);
  #ofOwn = new Uint32Array(0);

  /** O(rows x words that the ensemble looks at and in which they may differ). */
  find(ensemble: Ensemble, bits: BitMatrix, runs: readonly AlikeRows[]): void {
    const mask = this.#maskOf(ensemble);
    this.asked = runs.reduce((sum, { rows }) => sum + rows.length, 0);
    this.#makeRoom(this.asked);
    const { rows, places } = this;
    const own = this.#own;
    let asked = 0;
    let found = 0;
    for (const run of runs) {
      rows.set(run.rows, asked);
      const end = asked + run.rows.length;
      found += this.#findAlike(bits, maskWithin(mask, run.differing), { rows, from: asked, end }, own, found, places);
      asked = end;
    }
    const left = { rows: own, from: 0, end: found };
    this.count = this.#findAlike(bits, mask, left, this.representatives, 0, this.#ofOwn);
    for (let at = 0; at < asked; at++) places[at] = this.#ofOwn[places[at]!]!;
  }

  /**
   * @param found where those that stand for others go, from place `first` on
   * @param places of each row, which of these stands for it
   * @returns how many stand for others
   */
  #findAlike(
    bits: BitMatrix,
    { words, masks }: Mask,
    { rows, from, end }: { readonly rows: Uint32Array; readonly from: number; readonly end: number },
    found: Uint32Array,
    first: number,
    places: Uint32Array,
  ): number {
    const width = words.length;
    if (from === end) return 0;
    if (width === 0 || end - from === 1) {
      places.fill(first, from, end);
      found[first] = rows[from]!;
      return 1;
    }
    let size = 16;
    while (size < 2 * (end - from)) size *= 2;
    const slots = this.#slots;
    slots.fill(-1, 0, size);
    const all = new Uint32Array(bits.bytes.buffer, bits.bytes.byteOffset, bits.bytes.byteLength >> 2);
    const stride = bits.stride >> 2;
    let next = first;
    for (let at = from; at < end; at++) {
      const start = rows[at]! * stride;
      let hash = 0;
      for (let word = 0; word < width; word++) {
        hash = Math.imul(hash ^ (all[start + words[word]!]! & masks[word]!), 0x9e3779b1);
        hash ^= hash >>> 15;
      }
      let slot = hash & (size - 1);
      for (; ; slot = (slot + 1) & (size - 1)) {
        const known = slots[slot]!;
        if (known === -1) {
          slots[slot] = next;
          found[next] = rows[at]!;
          places[at] = next++;
          break;
        }
        const other = found[known]! * stride;
        let word = 0;
        while (word < width && ((all[start + words[word]!]! ^ all[other + words[word]!]!) & masks[word]!) === 0) word++;
        if (word === width) {
          places[at] = known;
          break;
        }
      }
    }
    return next - first;
  }

  #makeRoom(count: number): void {
    if (this.rows.length >= count) return;
    const room = 2 * count;
    this.rows = new Uint32Array(room);
    this.places = new Uint32Array(room);
    this.representatives = new Uint32Array(room);
    this.#own = new Uint32Array(room);
    this.#ofOwn = new Uint32Array(room);
    this.#slots = new Int32Array(4 * room);
  }

  #maskOf(ensemble: Ensemble): Mask {
    const before = this.#masks.get(ensemble);
    if (before !== undefined) return before;
    const bytes = new Uint8Array(4 * (1 + (ensemble.splitPredictor.reduce((a, b) => Math.max(a, b), 0) >> 5)));
    for (const predictor of ensemble.splitPredictor) bytes[predictor >> 3]! |= 0x80 >> (predictor & 7);
    const byWord = new Uint32Array(bytes.buffer);
    const words = Uint32Array.from(byWord.keys()).filter((word) => byWord[word] !== 0);
    const mask = { words, masks: Uint32Array.from(words, (word) => byWord[word]!) };
    this.#masks.set(ensemble, mask);
    return mask;
  }
}

/** The bits that an ensemble looks at: words of a row, and which bits of each. */
interface Mask {
  readonly words: Uint32Array | readonly number[];
  readonly masks: Uint32Array | readonly number[];
}

/** What a mask has in words that may differ. */
function maskWithin({ words, masks }: Mask, differing: Uint8Array): Mask {
  const own: { words: number[]; masks: number[] } = { words: [], masks: [] };
  for (let at = 0; at < words.length; at++) {
    if (differing[words[at]!] === 0) continue;
    own.words.push(words[at]!);
    own.masks.push(masks[at]!);
  }
  return own;
}
