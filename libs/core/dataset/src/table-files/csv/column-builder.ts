import { plainNumber } from '../../variables/plain-number.js';
import { NO_NUMBER, NumberCells, RepeatedCells, textOfNumber, type RawColumn } from '../raw-column.js';

/** Distinct texts that are kept of all columns together, and of one. */
const ALL_WORDS = 2 ** 18;
const MOST_WORDS = 2 ** 16;
/** Characters that the distinct texts of one column have at most: labels, not essays. */
const MOST_WORD_BYTES = 2 ** 20;
/** Cells after which it is clear whether they repeat. */
const TRIED = 4096;

/** Bytes of a word that lie in two whole numbers of 32 bits beside a one, and what no such number is. */
const SHORT = 7;
const LONG = -1;

const MINUS = 45;
const POINT = 46;
const ZERO = 48;
/**
 * So many digits are a whole number below 2^53, and their quotient by a power of ten is rounded once, as the text is.
 */
const EXACT_DIGITS = 15;
const POWERS = Float64Array.from({ length: EXACT_DIGITS + 1 }, (_, exponent) => Number(`1e${exponent}`));

/**
 * Makes the cells of one column from the bytes of a text. While they repeat, each is looked up by its bytes and made a
 * text once. Once it is plain that they do not, numbers are read from the bytes, and only what is neither becomes a
 * text of its own.
 */
export class ColumnBuilder {
  #repeats = true;
  readonly #words: (string | null)[] = [];
  readonly #mostWords: number;
  /** Place + 1 of a word by its key, 0 where there is none: open addressing, at most half full. */
  #slots = new Int32Array(32);
  /**
   * Keys: of a short word its bytes behind a one, so that no two have the same; of a long one its hash, and
   * {@link LONG}.
   */
  #lowKeys = new Int32Array(16);
  #highKeys = new Int32Array(16);
  /** Where the bytes of each word end; they begin where those before it end. */
  #ends = new Int32Array(16);
  #bytes = new Uint8Array(64);
  #asked = 0;
  #missed = 0;

  #places: Uint16Array;
  #numbers = new Float64Array(0);
  #decimals = new Uint8Array(0);
  /** Cells of a batch that are neither all words nor all numbers. */
  #cells: (string | null)[] | null = null;

  /**
   * @param cellOf what a text stands for: null where it marks a missing value
   * @param readsNumbers whether the text of a plain number stands for itself
   */
  constructor(
    columns: number,
    private readonly batchRows: number,
    private readonly cellOf: (text: string) => string | null,
    private readonly readsNumbers: boolean,
  ) {
    this.#mostWords = Math.max(16, Math.min(MOST_WORDS, Math.floor(ALL_WORDS / columns)));
    this.#places = new Uint16Array(batchRows);
  }

  /** The cell whose text is `bytes[from ... to - 1]`, of UTF-8. */
  add(row: number, bytes: Buffer, from: number, to: number): void {
    if (this.#repeats) {
      const place = this.#placeOf(bytes, from, to);
      if (place >= 0) {
        this.#places[row] = place;
        return;
      }
      this.#stopRepeating(row);
    }
    if (this.#cells === null) {
      if (this.readsNumbers && this.#addNumber(row, bytes, from, to)) return;
      this.#cells = this.#cellsOfNumbers(row);
    }
    this.#cells[row] = this.cellOf(bytes.toString('utf8', from, to));
  }

  /** A cell without text. */
  addEmpty(row: number): void {
    if (this.#repeats || this.#cells !== null || this.cellOf('') !== null) {
      this.add(row, NOTHING, 0, 0);
      return;
    }
    this.#numbers[row] = NaN;
    this.#decimals[row] = NO_NUMBER;
  }

  /** The cells of so many rows; the next batch begins. */
  take(rows: number): RawColumn {
    const taken = this.#taken(rows);
    this.#cells = null;
    if (this.#repeats) this.#places = new Uint16Array(this.batchRows);
    else {
      this.#numbers = new Float64Array(this.batchRows);
      this.#decimals = new Uint8Array(this.batchRows);
    }
    return taken;
  }

  #taken(rows: number): RawColumn {
    if (this.#cells !== null) {
      // a row that was not whole has left a cell
      this.#cells.length = rows;
      return this.#cells;
    }
    if (this.#repeats) return new RepeatedCells(this.#words, this.#places.subarray(0, rows));
    return new NumberCells(this.#numbers.subarray(0, rows), this.#decimals.subarray(0, rows));
  }

  /** The place of a word, new or not; -1 where it is new and there is no room, or no sense in keeping it. */
  #placeOf(bytes: Uint8Array, from: number, to: number): number {
    let low = 1;
    let high = 0;
    if (to - from <= SHORT)
      for (let at = from; at < to; at++) {
        high = (high << 8) | (low >>> 24);
        low = (low << 8) | bytes[at]!;
      }
    else {
      high = LONG;
      for (let at = from; at < to; at++) low = (Math.imul(low, 31) + bytes[at]!) | 0;
    }
    const mask = this.#slots.length - 1;
    this.#asked++;
    let slot = hashOf(low, high) & mask;
    for (let place = this.#slots[slot]! - 1; place >= 0; place = this.#slots[slot]! - 1) {
      const isKey = this.#lowKeys[place] === low && this.#highKeys[place] === high;
      if (isKey && (high !== LONG || this.#isWord(place, bytes, from, to))) return place;
      slot = (slot + 1) & mask;
    }
    this.#missed++;
    if (this.#asked >= TRIED) {
      if (this.#missed * 2 >= this.#asked) return -1;
      this.#asked = 0;
      this.#missed = 0;
    }
    return this.#keepWord(slot, low, high, bytes, from, to);
  }

  #isWord(place: number, bytes: Uint8Array, from: number, to: number): boolean {
    const kept = this.#bytes;
    let at = place === 0 ? 0 : this.#ends[place - 1]!;
    if (this.#ends[place]! - at !== to - from) return false;
    for (let i = from; i < to; i++) if (kept[at++] !== bytes[i]) return false;
    return true;
  }

  #keepWord(slot: number, low: number, high: number, bytes: Uint8Array, from: number, to: number): number {
    const place = this.#words.length;
    const start = place === 0 ? 0 : this.#ends[place - 1]!;
    const end = start + to - from;
    if (place === this.#mostWords || end > MOST_WORD_BYTES) return -1;
    if (place === this.#lowKeys.length) {
      this.#lowKeys = grown(this.#lowKeys, 2 * place);
      this.#highKeys = grown(this.#highKeys, 2 * place);
      this.#ends = grown(this.#ends, 2 * place);
    }
    if (end > this.#bytes.length) {
      const wider = new Uint8Array(Math.max(end, 2 * this.#bytes.length));
      wider.set(this.#bytes);
      this.#bytes = wider;
    }
    this.#bytes.set(bytes.subarray(from, to), start);
    this.#lowKeys[place] = low;
    this.#highKeys[place] = high;
    this.#ends[place] = end;
    this.#slots[slot] = place + 1;
    const text = Buffer.from(this.#bytes.buffer, start, end - start).toString('utf8');
    this.#words.push(this.cellOf(text));
    if (2 * (place + 1) > this.#slots.length) this.#rehash();
    return place;
  }

  #rehash(): void {
    const slots = new Int32Array(2 * this.#slots.length);
    const mask = slots.length - 1;
    for (let place = 0; place < this.#words.length; place++) {
      let slot = hashOf(this.#lowKeys[place]!, this.#highKeys[place]!) & mask;
      while (slots[slot] !== 0) slot = (slot + 1) & mask;
      slots[slot] = place + 1;
    }
    this.#slots = slots;
  }

  /** From here on cells are read one by one; those of the batch at hand become cells of their own. */
  #stopRepeating(row: number): void {
    this.#repeats = false;
    this.#cells = Array.from(this.#places.subarray(0, row), (place) => this.#words[place]!);
    this.#slots = new Int32Array(0);
    this.#ends = new Int32Array(0);
    this.#highKeys = this.#ends;
    this.#lowKeys = this.#ends;
    this.#bytes = new Uint8Array(0);
  }

  /** @returns false where the text is not a plain number, or not one that its number and decimals restore */
  #addNumber(row: number, bytes: Uint8Array, from: number, to: number): boolean {
    const isNegative = bytes[from] === MINUS;
    const first = isNegative ? from + 1 : from;
    if (to - first > EXACT_DIGITS + 1) return false;
    let point = -1;
    let mantissa = 0;
    for (let at = first; at < to; at++) {
      const digit = bytes[at]! - ZERO;
      if (digit >= 0 && digit <= 9) mantissa = mantissa * 10 + digit;
      else if (digit === POINT - ZERO && point < 0 && at > first) point = at;
      else return false;
    }
    const whole = (point < 0 ? to : point) - first;
    const decimals = point < 0 ? 0 : to - point - 1;
    // 00501 is a name, 7. is not restored from its decimals, nor is -0
    if (whole === 0 || point === to - 1 || (whole > 1 && bytes[first] === ZERO)) return false;
    if (whole + decimals > EXACT_DIGITS || (isNegative && mantissa === 0)) return false;
    const value = mantissa / POWERS[decimals]!;
    this.#numbers[row] = isNegative ? -value : value;
    this.#decimals[row] = decimals;
    return true;
  }

  #cellsOfNumbers(rows: number): (string | null)[] {
    return Array.from({ length: rows }, (_, row) => textOfNumber(this.#numbers[row]!, this.#decimals[row]!));
  }
}

/** Whether a plain number may mark a missing value, so that not every number stands for itself. */
export function marksNumber(missing: ReadonlySet<string>): boolean {
  return [...missing].some((mark) => !Number.isNaN(plainNumber(mark)));
}

const NOTHING = Buffer.alloc(0);

function hashOf(low: number, high: number): number {
  const hash = Math.imul(low, 0x9e3779b1) ^ Math.imul(high, 0x85ebca6b);
  return hash ^ (hash >>> 15);
}

function grown(numbers: Int32Array, length: number): Int32Array<ArrayBuffer> {
  const wider = new Int32Array(length);
  wider.set(numbers);
  return wider;
}
