import { MAXIMUM_DIMENSIONS } from '@orchard/contracts/limits';
import { findColumns } from '../rows/columns.js';
import { DatasetError, quote } from '../errors.js';
import { withWord } from '../reading/option-words.js';
import { MAXIMUM_FILE_COLUMNS, type ReadContext } from '../reading/options.js';
import { SparseLines, type SparseSink } from '../table-files/lines/sparse-lines.js';
import { RowSink, type ReadRows } from './row-sink.js';

/** Makes bits of libsvm and svmlight. Without a given D, rows widen as indexes come. */
export class SparseBits implements SparseSink {
  readonly #lines: SparseLines;
  readonly #sink: RowSink;
  /** Dimension by column of the file, from 0, where columns were chosen. */
  readonly #chosen: ReadonlyMap<number, number> | null;
  /** Given, or what the highest index so far makes it. */
  #dimensions: number;

  constructor(private readonly context: ReadContext) {
    const { options, rule, name, wordFor, missing } = context;
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
    const most = options.dimensions ?? (options.columns ? MAXIMUM_FILE_COLUMNS : MAXIMUM_DIMENSIONS);
    const columns = options.columns && findColumns(options.columns, null, most, name, wordFor('columns'));
    this.#chosen = columns ? new Map(columns.map((column, dim) => [column, dim])) : null;
    this.#dimensions = columns?.length ?? options.dimensions ?? 1;
    this.#sink = new RowSink(context, this.#dimensions);
    const isMissing = (text: string): boolean => missing.has(text.toLowerCase());
    this.#lines = new SparseLines({ ...context, base: options.zeroBased ? 0 : 1, mostColumns: most, isMissing }, this);
  }

  get line(): number {
    return this.#lines.line;
  }

  push(piece: Buffer): void {
    this.#lines.push(piece);
  }

  end(): ReadRows {
    return this.#sink.finish(null, this.context.options.shape ?? null);
  }

  takeValue(column: number, value: number): void {
    const { rule, masked } = this.context;
    if (!this.#chosen && column >= this.#dimensions) {
      this.#dimensions = column + 1;
      this.#sink.widen(column + 1);
    }
    const dim = this.#chosen ? this.#chosen.get(column) : column;
    if (dim === undefined) return;
    if (Number.isNaN(value)) {
      if (!masked) this.#refuseMissing();
      this.#sink.setUnknown(dim);
      return;
    }
    const bit = rule.bit(value, this.#sink.rows, column);
    if (bit < 0) this.#lines.refuse(rule.expected, rule.remedy);
    if (bit === 1) this.#sink.setOne(dim);
  }

  endRow(): void {
    this.#sink.endRow();
  }

  #refuseMissing(): never {
    throw new DatasetError('missing-value', {
      got: quote(this.#lines.token()),
      expected: 'every value known',
      where: this.#lines.where(),
      remedy: 'Fill it in or leave the row out. Missing values are welcome in completion only.',
    });
  }
}
