import { CATEGORICAL, layOut, UNREAD, type ColumnLayout } from './column-layout.js';
import { DatasetError, quote } from '../errors.js';
import { countFields, fieldText, nextField, type Field } from './fields.js';
import { isHeader } from './header.js';
import { Lines } from './lines.js';
import { isNumber, parseNumber } from './number-text.js';
import { expandCategories } from './one-hot.js';
import { advise, sentences, withWord } from '../reading/option-words.js';
import type { ReadContext } from '../reading/options.js';
import { packLine } from './pack-line.js';
import { checkCells, checkColumns, type ReadRows } from './row-sink.js';

const DIGIT_0 = 48;
const MAX_BLANK_LINES = 1000;
/** Of a field of line 1 as a string among others, beside its characters. */
const BYTES_A_FIELD = 64;

/** Reads CSV, TSV and DEBD `.data`: lines of fields between delimiters, one of them perhaps of names. */
export class DelimitedParser {
  readonly #lines: Lines;
  readonly #field: Field = { from: 0, to: 0, doubled: false, next: 0 };
  /** Set by line 1. */
  #layout: ColumnLayout | null = null;
  #blankLines = 0;
  readonly #numericMarks: boolean;

  constructor(
    private readonly context: ReadContext,
    private readonly delimiter: number,
  ) {
    this.#numericMarks = [...context.missing].some(isNumber);
    this.#lines = new Lines(
      context,
      (bytes, from, to) => this.#takeLine(bytes, from, to),
      (bytes, from) => this.#takeBlock(bytes, from),
    );
  }

  push(chunk: Uint8Array): void {
    this.#lines.push(chunk);
  }

  /** The rows. @throws DatasetError when there are none. */
  end(): ReadRows {
    this.#lines.end();
    const layout = this.#layout;
    if (!layout) {
      const remedy = 'Check that the right file was given.';
      throw new DatasetError('empty', {
        got: 'no line with values',
        expected: 'at least one row',
        where: this.context.name,
        remedy,
      });
    }
    const { sink, names, categorical, order } = layout;
    if (categorical.length === 0) return sink!.finish(names, this.context.options.shape ?? null);
    const rows = layout.rows;
    return expandCategories(this.context, rows, rows > 0 && sink ? sink.finish(null, null) : null, order);
  }

  /** As many whole lines of nothing but 0, 1 and delimiters as there are: almost all of almost every file. */
  #takeBlock(bytes: Uint8Array, from: number): number {
    const layout = this.#layout;
    if (!layout?.packable || this.#blankLines > 0) return from;
    const { count } = layout;
    const sink = layout.sink!;
    const { values } = sink;
    for (;;) {
      const next = packLine(bytes, from, count, this.delimiter, values.chunk, values.at);
      if (next < 0) return from;
      sink.endRow();
      this.#lines.line++;
      from = next;
    }
  }

  #takeLine(bytes: Uint8Array, from: number, to: number): void {
    if (from === to) {
      if (++this.#blankLines > MAX_BLANK_LINES) this.#refuseBlank(this.#lines.line);
      return;
    }
    if (this.#blankLines > 0) this.#refuseBlank(this.#lines.line - this.#blankLines);
    if (this.#layout) this.#takeRow(this.#layout, bytes, from, to);
    else this.#takeFirstLine(bytes, from, to);
  }

  #takeFirstLine(bytes: Uint8Array, from: number, to: number): void {
    const { context, delimiter } = this;
    // too many are refused before each is made a string
    const count = countFields(bytes, from, to, delimiter);
    checkColumns(context, count);
    if (!context.options.columns) checkCells(context, 1, count);
    context.memory(2 * (to - from) + BYTES_A_FIELD * count);
    const fields: string[] = [];
    for (let at = from; at <= to; at = this.#field.next) {
      const where = (): string => this.#where(fields.length);
      if (!nextField(bytes, at, to, delimiter, this.#field)) this.#refuseQuote(fields.length);
      fields.push(fieldText(bytes, this.#field, where));
    }
    const header = isHeader(fields, context);
    this.#layout = layOut(context, fields, header);
    if (!header) this.#takeRow(this.#layout, bytes, from, to);
  }

  #takeRow(layout: ColumnLayout, bytes: Uint8Array, from: number, to: number): void {
    const { targets, sink, count, categorical } = layout;
    const { context, delimiter } = this;
    const { rule } = context;
    const field = this.#field;
    const quickDigits = rule.exact && !this.#numericMarks;
    // a line that packLine gave up halfway has left bits
    if (sink) sink.values.chunk.fill(0, sink.values.at, sink.values.at + sink.values.stride);
    let column = 0;
    for (let at = from; at <= to; at = field.next, column++) {
      if (!nextField(bytes, at, to, delimiter, field)) this.#refuseQuote(column);
      const target = column < count ? targets[column]! : UNREAD;
      if (target === UNREAD) continue;
      if (target <= CATEGORICAL) {
        const where = (): string => this.#where(column);
        const text = fieldText(bytes, field, where);
        const isMissing = context.missing.has(text.toLowerCase());
        if (isMissing && !context.masked) this.#refuseMissing(text, column);
        categorical[CATEGORICAL - target]!.push(isMissing ? null : text, where);
        continue;
      }
      if (quickDigits && field.to - field.from === 1) {
        const digit = bytes[field.from]! - DIGIT_0;
        if (digit === 1) sink!.setOne(target);
        if (digit === 0 || digit === 1) continue;
      }
      const value = parseNumber(bytes, field.from, field.to);
      if (Number.isNaN(value) || this.#numericMarks) {
        const text = fieldText(bytes, field, () => this.#where(column));
        if (context.missing.has(text.toLowerCase())) {
          if (!context.masked) this.#refuseMissing(text, column);
          sink!.setUnknown(target);
          continue;
        }
        if (Number.isNaN(value)) this.#refuseWord(text, column);
      }
      const bit = rule.bit(value, layout.rows, column);
      if (bit < 0)
        this.#refuseNumber(
          fieldText(bytes, field, () => this.#where(column)),
          column,
        );
      if (bit === 1) sink!.setOne(target);
    }
    if (column !== count) this.#refuseRagged(layout, column, bytes, from, to);
    sink?.endRow();
    layout.rows++;
    if (categorical.length > 0) {
      const dimensions = categorical.reduce((sum, { size }) => sum + size, layout.plainCount);
      checkCells(context, layout.rows, dimensions);
    }
  }

  #where(column: number): string {
    const name = this.#layout?.sourceNames?.[column];
    const named = name === undefined ? '' : ` (${quote(name)})`;
    return `${this.context.name}, line ${this.#lines.line}, column ${column + 1}${named}`;
  }

  #refuseNumber(text: string, column: number): never {
    const { rule } = this.context;
    throw new DatasetError('value', {
      got: quote(text),
      expected: rule.expected,
      where: this.#where(column),
      remedy: rule.remedy,
    });
  }

  #refuseWord(text: string, column: number): never {
    const { wordFor } = this.context;
    const first = this.#lines.line === 1;
    const hint = /^(true|false)$/i.test(text)
      ? 'Write true and false as 1 and 0. '
      : /[;\t ]/.test(text)
        ? `The values seem to be separated by something else: ${withWord(wordFor, 'give the format, csv, tsv, data or libsvm', 'format')}. `
        : first
          ? `If line 1 holds names, ${withWord(wordFor, 'read it with a header', 'header')}. `
          : '';
    const ways = [
      advise(wordFor, 'read as one-hot columns', 'oneHot'),
      advise(wordFor, 'left out by choosing columns', 'columns'),
    ].filter((way) => way !== null);
    throw new DatasetError(hint.startsWith('If line 1') && this.context.header !== 'auto' ? 'header' : 'value', {
      got: quote(text),
      expected: this.context.rule.expected,
      where: this.#where(column),
      remedy: `${hint}A column of categories can be ${ways.length === 0 ? 'left out' : ways.join(', or ')}.`,
    });
  }

  #refuseMissing(text: string, column: number): never {
    throw new DatasetError('missing-value', {
      got: text === '' ? 'an empty value' : quote(text),
      expected: `every value known: ${this.context.rule.expected}`,
      where: this.#where(column),
      remedy: sentences(
        'Fill it in or leave the row out. Missing values are welcome in completion only',
        advise(this.context.wordFor, 'If the mark is a category, set other marks', 'missing'),
      ),
    });
  }

  #refuseQuote(column: number): never {
    throw new DatasetError('format', {
      got: 'a quote that is not closed before the delimiter or the end of the line',
      expected: '"text", with quotes inside doubled',
      where: this.#where(column),
      remedy: 'Close the quote; line ends within quotes are not read.',
    });
  }

  #refuseBlank(line: number): never {
    throw new DatasetError('ragged', {
      got: 'an empty line',
      expected: this.#layout ? `${this.#layout.count} values` : 'values',
      where: `${this.context.name}, line ${line}`,
      remedy: 'Remove the line. An only value that is missing is written ? or "".',
    });
  }

  #refuseRagged(layout: ColumnLayout, got: number, bytes: Uint8Array, from: number, to: number): never {
    const other = got === 1 && bytes.subarray(from, to).some((byte) => byte === 9 || byte === 44 || byte === 59);
    throw new DatasetError('ragged', {
      got: `${got} ${got === 1 ? 'value' : 'values'}`,
      expected: `${layout.count}, as on line 1`,
      where: `${this.context.name}, line ${this.#lines.line}, column ${Math.min(got, layout.count) + 1}`,
      remedy: other ? 'Use one delimiter in the whole file.' : 'Give every row the same number of values.',
    });
  }
}
