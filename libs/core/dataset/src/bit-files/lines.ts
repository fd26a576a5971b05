import { DatasetError } from '../errors.js';
import { advise, sentences } from '../reading/option-words.js';
import type { ReadContext } from '../reading/options.js';

const NEWLINE = 10;
const RETURN = 13;

/** Takes whole lines: `bytes[from ... to - 1]` without its line end; valid during the call only. */
export type LineTaker = (bytes: Uint8Array, from: number, to: number) => void;

/** May take any number of whole lines off a chunk by itself, and returns where it stopped. */
export type BlockTaker = (bytes: Uint8Array, from: number) => number;

/**
 * Cuts chunks of text into lines, ended by LF or CR LF. Only a line that lies across chunks is copied, and none may be
 * longer than `maxLineBytes`, so memory stays constant whatever comes.
 */
export class Lines {
  /** The number of the line being taken, from 1. */
  line = 0;
  #carry = new Uint8Array(1 << 12);
  #carried = 0;

  constructor(
    private readonly context: ReadContext,
    private readonly take: LineTaker,
    private readonly takeBlock?: BlockTaker,
  ) {}

  push(chunk: Uint8Array): void {
    let from = 0;
    while (from < chunk.length) {
      if (this.#carried === 0 && this.takeBlock) {
        from = this.takeBlock(chunk, from);
        if (from >= chunk.length) return;
      }
      const newline = chunk.indexOf(NEWLINE, from);
      const to = newline < 0 ? chunk.length : newline;
      if (newline >= 0 && this.#carried === 0) this.#takeLine(chunk, from, to);
      else {
        this.#append(chunk, from, to);
        if (newline >= 0) this.#takeCarried();
      }
      from = to + 1;
    }
  }

  /** Takes the last line, where no line end follows it. */
  end(): void {
    if (this.#carried > 0) this.#takeCarried();
  }

  #takeCarried(): void {
    const length = this.#carried;
    this.#carried = 0;
    this.#takeLine(this.#carry, 0, length);
  }

  #takeLine(bytes: Uint8Array, from: number, to: number): void {
    this.line++;
    this.#checkLength(to - from);
    this.take(bytes, from, to > from && bytes[to - 1] === RETURN ? to - 1 : to);
  }

  #append(bytes: Uint8Array, from: number, to: number): void {
    const length = this.#carried + to - from;
    if (length > this.context.maxLineBytes) {
      this.line++;
      this.#checkLength(length);
    }
    if (length > this.#carry.length) {
      const bytes = Math.max(length, 2 * this.#carry.length);
      this.context.memory(bytes);
      const wider = new Uint8Array(bytes);
      wider.set(this.#carry.subarray(0, this.#carried));
      this.context.memory(-this.#carry.length);
      this.#carry = wider;
    }
    this.#carry.set(bytes.subarray(from, to), this.#carried);
    this.#carried = length;
  }

  #checkLength(length: number): void {
    const { maxLineBytes, name, wordFor } = this.context;
    if (length <= maxLineBytes) return;
    throw new DatasetError('limit', {
      got: `a line of more than ${maxLineBytes} bytes`,
      expected: 'a row a line, none longer than that',
      where: `${name}, line ${this.line}`,
      remedy: sentences(
        'Put every row on a line of its own',
        advise(wordFor, 'If rows are really that wide, raise the limit', 'maxLineBytes'),
      ),
    });
  }
}
