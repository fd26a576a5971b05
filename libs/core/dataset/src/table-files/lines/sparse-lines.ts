import { DatasetError, quote } from '../../errors.js';
import { parseNumber } from '../../bit-files/number-text.js';
import { advise, sentences, type OptionWord } from '../../reading/option-words.js';
import { endOfRemark } from '../csv/cells.js';
import { checkUtf8, refuseLong, type TextContext } from './text-pieces.js';

const LF = 10;
const CR = 13;
const TAB = 9;
const SPACE = 32;
const COLON = 58;
const HASH = 35;
const DIGIT_0 = 48;
const FORM = 'A row is: label index:value index:value ..., as 1 3:1 17:0.5.';

export interface SparseContext extends TextContext {
  readonly wordFor: OptionWord<'maxLineBytes' | 'skip' | 'comment' | 'encoding' | 'escape' | 'zeroBased'>;
  /** The index of the first column. */
  readonly base: 0 | 1;
  readonly mostColumns: number;
  /** Whether a text that is not a number marks a missing value. */
  readonly isMissing: (text: string) => boolean;
}

/** Takes the rows of a sparse text. */
export interface SparseSink {
  /** A value by its column from 0, ascending within the row; NaN where it is missing. What a row leaves out is 0. */
  takeValue(column: number, value: number): void;
  endRow(hasLabel: boolean): void;
}

/**
 * Cuts libsvm and svmlight into rows: `label index:value index:value ... # remark`, indexes ascending. The label may be
 * missing and is not read, nor is `qid:...`. The one reader of such text, whatever is made of it.
 */
export class SparseLines {
  /** The line at hand, from 1. */
  line: number;
  /** The token at hand, and where its line begins. */
  #text: Buffer = Buffer.alloc(0);
  #from = 0;
  #to = 0;
  #start = 0;

  constructor(
    private readonly context: SparseContext,
    private readonly sink: SparseSink,
  ) {
    this.line = context.syntax.skip + 1;
  }

  /** Takes whole lines. */
  push(piece: Buffer): void {
    checkUtf8(piece, this.context, this.line);
    for (let at = 0; at < piece.length; this.line++) {
      let end = at;
      while (end < piece.length && piece[end] !== LF && piece[end] !== CR) end++;
      if (end - at > this.context.maxLineBytes) refuseLong(this.context, this.line);
      if (endOfRemark(piece, at, this.context.syntax.comment, true) === at) this.#takeLine(piece, at, end);
      at = piece[end] === CR && piece[end + 1] === LF ? end + 2 : end + 1;
    }
  }

  /** Refuses the token at hand. */
  refuse(expected: string, remedy = FORM): never {
    throw new DatasetError('value', { got: quote(this.token()), expected, where: this.where(), remedy });
  }

  /** The beginning of the token at hand. */
  token(): string {
    return this.#text.toString('utf8', this.#from, Math.min(this.#to, this.#from + 100));
  }

  where(): string {
    return `${this.context.name}, line ${this.line}, character ${this.#from - this.#start + 1}`;
  }

  #takeLine(text: Buffer, start: number, lineEnd: number): void {
    const hash = text.subarray(start, lineEnd).indexOf(HASH);
    const end = hash < 0 ? lineEnd : start + hash;
    let previous = -1;
    let tokens = 0;
    let hasLabel = false;
    this.#text = text;
    this.#start = start;
    for (let at = start; ; tokens++) {
      while (at < end && isBlank(text[at]!)) at++;
      if (at >= end) break;
      let colon = -1;
      this.#from = at;
      for (; at < end && !isBlank(text[at]!); at++) if (text[at] === COLON && colon < 0) colon = at;
      this.#to = at;
      if (colon >= 0) previous = this.#takePair(text, colon, previous);
      else if (tokens > 0) this.refuse('index:value');
      else if (Number.isNaN(parseNumber(text, this.#from, at))) this.refuse('a number as label');
      else hasLabel = true;
    }
    // a line of nothing, or of a remark alone, is not a row
    if (tokens > 0) this.sink.endRow(hasLabel);
  }

  /** @returns the column of the value, or that before it where there is none */
  #takePair(text: Buffer, colon: number, previous: number): number {
    const { base, mostColumns, isMissing, wordFor } = this.context;
    if (text.toString('latin1', this.#from, colon) === 'qid') return previous;
    let index = 0;
    for (let at = this.#from; at < colon; at++) {
      const digit = text[at]! - DIGIT_0;
      index = digit >= 0 && digit <= 9 ? index * 10 + digit : NaN;
    }
    const column = index - base;
    if (!(column >= 0) || colon === this.#from)
      this.refuse(
        `an index of at least ${base}`,
        sentences(
          `Count the indexes from ${base}`,
          index === 0 ? advise(wordFor, 'If they count from 0 in this file, say so', 'zeroBased') : null,
        ),
      );
    if (column <= previous)
      this.refuse(`an index above ${previous + base}`, 'Put the indexes of a row in ascending order.');
    if (column >= mostColumns)
      this.refuse(
        `an index of at most ${mostColumns - 1 + base}`,
        'Give the number of dimensions that the data really have.',
      );
    const value = parseNumber(text, colon + 1, this.#to);
    if (Number.isNaN(value)) {
      const word = text.toString('utf8', colon + 1, Math.min(this.#to, colon + 100));
      if (!isMissing(word)) this.refuse('a number after the colon', 'Correct the value.');
    }
    this.sink.takeValue(column, value);
    return column;
  }
}

function isBlank(byte: number): boolean {
  return byte === SPACE || byte === TAB;
}
