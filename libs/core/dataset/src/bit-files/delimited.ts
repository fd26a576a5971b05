import { CATEGORICAL, layOut, UNREAD, type ColumnLayout } from './column-layout.js';
import { DatasetError, quote } from '../errors.js';
import { listNames } from '../rows/columns.js';
import { isHeader } from './header.js';
import { isNumber, parseNumber } from './number-text.js';
import { expandCategories } from './one-hot.js';
import { advise, sentences, withWord } from '../reading/option-words.js';
import type { ReadContext } from '../reading/options.js';
import { RowCutter, type CellSink } from '../table-files/csv/row-cutter.js';
import { packLine } from './pack-line.js';
import { checkCells, checkColumns, mostColumns, type ReadRows } from './row-sink.js';
import type { DigitRows } from '../rows/digit-rows.js';

const DIGIT_0 = 48;
const IN_SINGLE_QUOTES = /^'.*'$/s;
/** Of a cell of line 1 as a string among others, beside its characters. */
const BYTES_A_CELL = 64;

/**
 * Makes bits of the cells of a text, whose line 1 may hold names. Lines of nothing but 0, 1 and delimiters are packed
 * at once.
 */
export class BitCells implements CellSink {
  readonly #cutter: RowCutter;
  readonly #delimiter: number;
  /** The cells of line 1, until it has ended. */
  readonly #first: string[] = [];
  /** The categories of the row at hand. */
  readonly #categories: (string | null)[] = [];
  /** Set by line 1. */
  #layout: ColumnLayout | null = null;
  readonly #numericMarks: boolean;
  /** Where the first cell stands that is more than a digit; null while there is none. */
  #otherCell: (DigitRows['end'] & { readonly rows: number }) | null = null;

  constructor(
    private readonly context: ReadContext,
    private readonly delimiter: string,
  ) {
    this.#delimiter = delimiter.charCodeAt(0);
    this.#numericMarks = [...context.missing].some(isNumber);
    this.#cutter = new RowCutter(context, delimiter, this);
  }

  get line(): number {
    return this.#cutter.line;
  }

  get width(): number | null {
    return this.#layout?.count ?? null;
  }

  push(piece: Buffer): void {
    this.#cutter.push(piece);
  }

  /** The rows. @throws DatasetError when there are none. */
  end(): ReadRows {
    this.#cutter.end();
    const layout = this.#layout;
    if (!layout)
      throw new DatasetError('empty', {
        got: 'no line with values',
        expected: 'at least one row',
        where: this.context.name,
        remedy: 'Check that the right file was given.',
      });
    const { sink, names, categorical, order } = layout;
    if (categorical.length === 0) return sink!.finish(names, this.context.options.shape ?? null);
    const rows = layout.rows;
    return expandCategories(this.context, rows, rows > 0 && sink ? sink.finish(null, null) : null, order);
  }

  /** The rows before the first cell that is more than a digit, once the text is refused; null where there are none. */
  takeDigitRows(): DigitRows | null {
    const layout = this.#layout;
    const { rows, start, line } = this.#otherCell ?? this.#place();
    if (!layout?.packable || rows === 0) return null;
    const { values } = layout.sink!;
    const { stride } = values;
    this.context.memory(values.rows * stride);
    const bytes = new Uint8Array(values.rows * stride);
    values.moveTo(bytes, stride);
    const hasHeader = layout.sourceNames !== null;
    return { delimiter: this.delimiter, hasHeader, columns: layout.count, rows, bytes, stride, end: { start, line } };
  }

  #place(): DigitRows['end'] & { readonly rows: number } {
    const { start, startLine: line } = this.#cutter;
    return { start, line, rows: this.#layout?.sink?.rows ?? 0 };
  }

  /** As many whole lines of nothing but 0, 1 and delimiters as there are: almost all of almost every file. */
  takeRows(text: Buffer, from: number): number {
    const layout = this.#layout;
    if (!layout?.packable) return from;
    const { count } = layout;
    const sink = layout.sink!;
    const { values } = sink;
    for (let at = from; ;) {
      const next = packLine(text, at, count, this.#delimiter, values.chunk, values.at);
      if (next < 0) return at;
      sink.endRow();
      this.#cutter.line++;
      at = next;
    }
  }

  takeCell(column: number, text: Buffer, from: number, to: number): void {
    const layout = this.#layout;
    if (layout !== null) {
      this.#takeValue(layout, column, text, from, to);
      return;
    }
    if (column === 0) this.#first.length = 0;
    // too many are counted and refused, none of them a string
    if (column >= mostColumns(this.context)) return;
    this.context.memory(2 * (to - from) + BYTES_A_CELL);
    this.#first.push(text.toString('utf8', from, to));
  }

  endRow(cells: number): void {
    if (this.#layout !== null) this.#endRow(this.#layout, cells);
    else this.#endFirstRow(cells);
  }

  nameOf(column: number): string | undefined {
    return this.#layout?.sourceNames?.[column];
  }

  #endFirstRow(cells: number): void {
    const { context } = this;
    checkColumns(context, cells);
    if (!context.options.columns) checkCells(context, 1, cells);
    const fields = this.#first.splice(0);
    if (context.options.quote === undefined && fields.every((field) => IN_SINGLE_QUOTES.test(field)))
      this.#refuseSingle(fields);
    const header = isHeader(fields, context);
    const layout = layOut(context, fields, header);
    this.#layout = layout;
    if (header) return;
    fields.forEach((field, column) => {
      const text = Buffer.from(field);
      this.#takeValue(layout, column, text, 0, text.length);
    });
    this.#endRow(layout, cells);
  }

  #takeValue(layout: ColumnLayout, column: number, text: Buffer, from: number, to: number): void {
    const { targets, sink, count } = layout;
    const { context } = this;
    const { rule } = context;
    // a line that packLine gave up halfway has left bits
    if (column === 0 && sink) sink.values.chunk.fill(0, sink.values.at, sink.values.at + sink.values.stride);
    const target = column < count ? targets[column]! : UNREAD;
    if (target === UNREAD) return;
    if (target <= CATEGORICAL) {
      const category = text.toString('utf8', from, to);
      const isMissing = context.missing.has(category.toLowerCase());
      if (isMissing && !context.masked) this.#refuseMissing(category, column);
      this.#categories[CATEGORICAL - target] = isMissing ? null : category;
      return;
    }
    if (to - from === 1 && rule.exact && !this.#numericMarks) {
      const digit = text[from]! - DIGIT_0;
      if (digit === 1) sink!.setOne(target);
      if (digit === 0 || digit === 1) return;
    }
    this.#otherCell ??= this.#place();
    const value = parseNumber(text, from, to);
    if (Number.isNaN(value) || this.#numericMarks) {
      const word = text.toString('utf8', from, to);
      if (context.missing.has(word.toLowerCase())) {
        if (!context.masked) this.#refuseMissing(word, column);
        sink!.setUnknown(target);
        return;
      }
      if (Number.isNaN(value)) this.#refuseWord(word, column);
    }
    const bit = rule.bit(value, layout.rows, column);
    if (bit < 0) this.#refuseNumber(text.toString('utf8', from, to), column);
    if (bit === 1) sink!.setOne(target);
  }

  #endRow(layout: ColumnLayout, cells: number): void {
    const { sink, count, categorical, plainCount } = layout;
    if (cells !== count) this.#cutter.refuseRagged(cells, count, layout.sourceNames !== null);
    sink?.endRow();
    layout.rows++;
    if (categorical.length > 0) {
      categorical.forEach((column, at) => {
        column.push(this.#categories[at]!, () => this.#cutter.where(layout.targets.indexOf(CATEGORICAL - at)));
      });
      const dimensions = categorical.reduce((sum, { size }) => sum + size, plainCount);
      checkCells(this.context, layout.rows, dimensions);
    }
  }

  #refuseSingle(fields: readonly string[]): never {
    const { name, syntax, wordFor } = this.context;
    throw new DatasetError('header', {
      got: `the cells ${listNames(fields)}`,
      expected: 'names in double quotes, or in none',
      where: `${name}, line ${syntax.skip + 1}`,
      remedy: `${withWord(wordFor, 'Say whether single quotes stand around cells', 'quote')}.`,
    });
  }

  #refuseNumber(text: string, column: number): never {
    const { rule } = this.context;
    throw new DatasetError('value', {
      got: quote(text),
      expected: rule.expected,
      where: this.#cutter.where(column),
      remedy: rule.remedy,
    });
  }

  #refuseWord(text: string, column: number): never {
    const { wordFor } = this.context;
    const hint = this.#hintOf(text);
    const ways = [
      advise(wordFor, 'read as one-hot columns', 'oneHot'),
      advise(wordFor, 'left out by choosing columns', 'columns'),
    ].filter((way) => way !== null);
    throw new DatasetError(hint.startsWith('If line 1') && this.context.header !== 'auto' ? 'header' : 'value', {
      got: quote(text),
      expected: this.context.rule.expected,
      where: this.#cutter.where(column),
      remedy: `${hint}A column of categories can be ${ways.length === 0 ? 'left out' : ways.join(', or ')}.`,
    });
  }

  /** What a word may stand there for; '' where that is anything. */
  #hintOf(text: string): string {
    const { wordFor } = this.context;
    if (/^(true|false)$/i.test(text)) return 'Write true and false as 1 and 0. ';
    if (/[;\t ]/.test(text))
      return `The values seem to be separated by something else: ${withWord(wordFor, 'give the format, csv, tsv, data or libsvm', 'format')}. `;
    if (this.#cutter.line !== 1) return '';
    return `If line 1 holds names, ${withWord(wordFor, 'read it with a header', 'header')}. `;
  }

  #refuseMissing(text: string, column: number): never {
    throw new DatasetError('missing-value', {
      got: text === '' ? 'an empty value' : quote(text),
      expected: `every value known: ${this.context.rule.expected}`,
      where: this.#cutter.where(column),
      remedy: sentences(
        'Fill it in or leave the row out. Missing values are welcome in completion only',
        advise(this.context.wordFor, 'If the mark is a category, set other marks', 'missing'),
      ),
    });
  }
}
