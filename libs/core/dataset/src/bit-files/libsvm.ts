import { MAXIMUM_DIMENSIONS } from '@orchard/contracts/limits';
import { findColumns } from '../rows/columns.js';
import { DatasetError, quote } from '../errors.js';
import { Lines } from './lines.js';
import { parseNumber } from './number-text.js';
import { advise, sentences, withWord } from '../reading/option-words.js';
import { MAXIMUM_FILE_COLUMNS, type ReadContext } from '../reading/options.js';
import { RowSink, type ReadRows } from './row-sink.js';

const isSpace = (byte: number | undefined): boolean => byte === 32 || byte === 9;
const COLON = 58;
const HASH = 35;

/**
 * Reads libsvm and svmlight: `label index:value index:value ... # remark`, indexes from 1 (from 0 where the caller says so)
 * and ascending, what is left out is 0. The label may be missing and is not read, nor is `qid:...`. Without a given D, rows
 * widen as indexes come.
 */
export class LibsvmParser {
  readonly #lines: Lines;
  readonly #sink: RowSink;
  /** Dimension by column of the file, from 0, where columns were chosen. */
  readonly #chosen: ReadonlyMap<number, number> | null;
  /** Given, or what the highest index so far makes it. */
  #dimensions: number;
  /** The index of the first dimension. */
  readonly #base: 0 | 1;

  constructor(private readonly context: ReadContext) {
    const { options, rule, name, wordFor } = context;
    if (options.oneHot || options.header === true)
      throw new DatasetError('argument', {
        got: options.oneHot ? 'one-hot columns' : 'a header',
        expected: 'neither with libsvm',
        where: name,
        remedy: `Leave ${wordFor(options.oneHot ? 'oneHot' : 'header') || 'the option'} out.`,
      });
    if (rule.bit(0, 0, 0) !== 0)
      throw new DatasetError('argument', {
        got: 'a threshold below 0',
        expected: 'one that leaves the zeros 0, which libsvm leaves out',
        where: name,
        remedy: `Use ${withWord(wordFor, 'a threshold', 'threshold')} of at least 0.`,
      });
    const columns =
      options.columns &&
      findColumns(options.columns, null, options.dimensions ?? MAXIMUM_FILE_COLUMNS, name, wordFor('columns'));
    this.#chosen = columns ? new Map(columns.map((column, dim) => [column, dim])) : null;
    this.#base = options.zeroBased ? 0 : 1;
    this.#dimensions = columns?.length ?? options.dimensions ?? 1;
    this.#sink = new RowSink(context, this.#dimensions);
    this.#lines = new Lines(context, (bytes, from, to) => this.#takeLine(bytes, from, to));
  }

  push(chunk: Uint8Array): void {
    this.#lines.push(chunk);
  }

  end(): ReadRows {
    this.#lines.end();
    return this.#sink.finish(null, this.context.options.shape ?? null);
  }

  #takeLine(bytes: Uint8Array, from: number, lineEnd: number): void {
    let to = from;
    while (to < lineEnd && bytes[to] !== HASH) to++;
    let previous = this.#base - 1;
    let tokens = 0;
    let at = from;
    for (;;) {
      while (at < to && isSpace(bytes[at])) at++;
      if (at >= to) break;
      const start = at;
      let colon = -1;
      for (; at < to && !isSpace(bytes[at]); at++) if (bytes[at] === COLON && colon < 0) colon = at;
      if (colon < 0 && tokens === 0) {
        if (Number.isNaN(parseNumber(bytes, start, at)))
          this.#refuse('a number as label', bytes, start, at, start - from);
      } else if (colon < 0) this.#refuse('index:value', bytes, start, at, start - from);
      else if (!isQueryId(bytes, start, colon))
        previous = this.#takeValue(bytes, start, colon, at, previous, start - from);
      tokens++;
    }
    // a line of nothing, or of a remark alone, is no row
    if (tokens > 0) this.#sink.endRow();
  }

  #takeValue(bytes: Uint8Array, start: number, colon: number, end: number, previous: number, offset: number): number {
    const { rule, missing, masked, options } = this.context;
    const index = parseNumber(bytes, start, colon);
    if (!Number.isInteger(index) || index < this.#base) {
      const wayOut =
        index === 0 ? advise(this.context.wordFor, 'If they count from 0 in this file, say so', 'zeroBased') : null;
      const expected = `an index of at least ${this.#base}`;
      this.#refuse(expected, bytes, start, end, offset, sentences(`Count the indexes from ${this.#base}`, wayOut));
    }
    if (index <= previous)
      this.#refuse(
        `an index above ${previous}`,
        bytes,
        start,
        end,
        offset,
        'Put the indexes of a row in ascending order.',
      );
    const column = index - this.#base;
    const most = options.dimensions ?? (this.#chosen ? MAXIMUM_FILE_COLUMNS : MAXIMUM_DIMENSIONS);
    if (column >= most) {
      const expected = `an index of at most ${most - 1 + this.#base}`;
      this.#refuse(expected, bytes, start, end, offset, 'Give the number of dimensions that the data really have.');
    }
    if (!this.#chosen && column >= this.#dimensions) {
      this.#dimensions = column + 1;
      this.#sink.widen(column + 1);
    }
    const dim = this.#chosen ? this.#chosen.get(column) : column;
    if (dim === undefined) return index;
    const value = parseNumber(bytes, colon + 1, end);
    if (Number.isNaN(value)) {
      const text = String.fromCharCode(...bytes.subarray(colon + 1, Math.min(end, colon + 100))).toLowerCase();
      if (!missing.has(text)) this.#refuse(rule.expected, bytes, start, end, offset);
      if (!masked) this.#refuseMissing(text, index, offset);
      this.#sink.setUnknown(dim);
      return index;
    }
    const bit = rule.bit(value, this.#sink.rows, column);
    if (bit < 0) this.#refuse(rule.expected, bytes, start, end, offset, rule.remedy);
    if (bit === 1) this.#sink.setOne(dim);
    return index;
  }

  #where(offset: number): string {
    return `${this.context.name}, line ${this.#lines.line}, character ${offset + 1}`;
  }

  #refuse(
    expected: string,
    bytes: Uint8Array,
    start: number,
    end: number,
    offset: number,
    remedy = 'A row is: label index:value index:value ..., as 1 3:1 17:1.',
  ): never {
    const got = quote(String.fromCharCode(...bytes.subarray(start, Math.min(end, start + 100))));
    throw new DatasetError('value', { got, expected, where: this.#where(offset), remedy });
  }

  #refuseMissing(text: string, index: number, offset: number): never {
    throw new DatasetError('missing-value', {
      got: `${quote(text)} at index ${index}`,
      expected: 'every value known',
      where: this.#where(offset),
      remedy: 'Fill it in or leave the row out. Missing values are welcome in completion only.',
    });
  }
}

function isQueryId(bytes: Uint8Array, start: number, colon: number): boolean {
  return colon - start === 3 && bytes[start] === 113 && bytes[start + 1] === 105 && bytes[start + 2] === 100;
}
