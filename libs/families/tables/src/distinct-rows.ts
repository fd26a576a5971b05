import type { BitMatrix } from '@orchard/dataset';
import type { Ensemble } from '@orchard/model';

/**
 * Rows that differ in what an ensemble splits on: rows that agree in it have the same odds, and one of them is
 * evaluated. Particles of a row differ in few variables, and a decision looks at few.
 */
export class DistinctRows {
  #slots = new Int32Array(0);
  readonly #masks = new WeakMap<Ensemble, Mask>();
  /** The rows that stand for the others: the first `count` of them. */
  representatives = new Uint32Array(0);
  count = 0;
  /** Of each place in the rows asked for, which representative stands for it. */
  places = new Uint32Array(0);

  /** O(rows x words that the ensemble looks at). */
  find(ensemble: Ensemble, bits: BitMatrix, rows: Uint32Array): void {
    const { words, masks } = this.#maskOf(ensemble);
    const width = words.length;
    if (this.places.length < rows.length) {
      this.places = new Uint32Array(2 * rows.length);
      this.representatives = new Uint32Array(2 * rows.length);
    }
    const { places, representatives } = this;
    if (width === 0 && rows.length > 0) {
      places.fill(0, 0, rows.length);
      representatives[0] = rows[0]!;
      this.count = 1;
      return;
    }
    let size = 16;
    while (size < 2 * rows.length) size *= 2;
    if (this.#slots.length < size) this.#slots = new Int32Array(size);
    const slots = this.#slots;
    slots.fill(-1, 0, size);
    const all = new Uint32Array(bits.bytes.buffer, bits.bytes.byteOffset, bits.bytes.byteLength >> 2);
    const stride = bits.stride >> 2;
    let count = 0;
    for (let at = 0; at < rows.length; at++) {
      const start = rows[at]! * stride;
      let hash = 0;
      for (let word = 0; word < width; word++) {
        hash = Math.imul(hash ^ (all[start + words[word]!]! & masks[word]!), 0x9e3779b1);
        hash ^= hash >>> 15;
      }
      let slot = hash & (size - 1);
      for (; ; slot = (slot + 1) & (size - 1)) {
        const found = slots[slot]!;
        if (found === -1) {
          slots[slot] = count;
          representatives[count] = rows[at]!;
          places[at] = count++;
          break;
        }
        const other = representatives[found]! * stride;
        let word = 0;
        while (word < width && ((all[start + words[word]!]! ^ all[other + words[word]!]!) & masks[word]!) === 0) word++;
        if (word === width) {
          places[at] = found;
          break;
        }
      }
    }
    this.count = count;
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
  readonly words: Uint32Array;
  readonly masks: Uint32Array;
}
