import type { BitMatrix } from '../rows/bit-matrix.js';
import { findColumns } from '../rows/columns.js';
import { DatasetError } from '../errors.js';
import type { ReadContext } from '../reading/options.js';
import { numbersOf, type NpyType } from './npy.js';
import { checkCells, checkColumns, createMatrix, invert, RowSink, type ReadRows } from './row-sink.js';
import type { ValueRule } from './value-rule.js';
import { requireRows } from '../rows/require-rows.js';

/** What the header of an array file says. */
export interface ArrayForm {
  readonly rows: number;
  readonly dimensions: number;
  readonly shape: readonly [number, number] | null;
  readonly valueBytes: number;
  /** Of the values; null where they are single bytes 0 ... 255. */
  readonly type: NpyType | null;
  /** Whether the first index (the row) runs fastest. */
  readonly fortran: boolean;
}

/** Takes the values of an array, in the order of the file, whose number the header promised. */
export class Cells {
  readonly #rule: ValueRule;
  readonly #targets: Int32Array;
  readonly #dimensions: number;
  readonly #total: number;
  /** Rows one after another, where they come so; otherwise all at once. */
  readonly #sink: RowSink | null;
  readonly #matrix: { values: BitMatrix; unknown: BitMatrix | null } | null;
  readonly #rest = new Uint8Array(8);
  #rested = 0;
  #row = 0;
  #column = 0;
  #taken = 0;

  constructor(
    private readonly context: ReadContext,
    private readonly form: ArrayForm,
  ) {
    const { options } = context;
    const { rows, dimensions, valueBytes } = form;
    requireRows(rows, context.name);
    checkColumns(context, dimensions);
    const columns =
      options.columns && findColumns(options.columns, null, dimensions, context.name, context.wordFor('columns'));
    this.#dimensions = columns?.length ?? dimensions;
    checkCells(context, rows, this.#dimensions);
    this.#targets = new Int32Array(dimensions);
    if (columns) {
      this.#targets.fill(-1);
      columns.forEach((column, dim) => {
        this.#targets[column] = dim;
      });
    } else
      this.#targets.forEach((_, dim) => {
        this.#targets[dim] = dim;
      });
    this.#rule = form.type ? context.rule : context.rule.forBytes();
    this.#total = rows * dimensions * valueBytes;
    this.#sink = form.fortran ? null : new RowSink(context, this.#dimensions);
    const create = (): BitMatrix => createMatrix(context, rows, this.#dimensions, this.#options());
    this.#matrix = form.fortran ? { values: create(), unknown: context.masked ? create() : null } : null;
  }

  push(chunk: Uint8Array): void {
    const { valueBytes } = this.form;
    this.#taken += chunk.length;
    if (this.#taken > this.#total) this.#refuseSize('more');
    let from = 0;

    // a value across chunks
    while (this.#rested > 0 && from < chunk.length) {
      this.#rest[this.#rested++] = chunk[from++]!;
      if (this.#rested < valueBytes) continue;
      this.#rested = 0;
      this.#takeValues(this.#rest, 0, valueBytes);
    }
    const end = chunk.length - ((chunk.length - from) % valueBytes);
    this.#takeValues(chunk, from, end);
    for (from = Math.max(from, end); from < chunk.length; from++) this.#rest[this.#rested++] = chunk[from]!;
  }

  /** The rows. @throws DatasetError when values are lacking. */
  end(): ReadRows {
    if (this.#taken < this.#total) this.#refuseSize('fewer');
    const { shape } = this.#options();
    if (this.#sink) return this.#sink.finish(null, shape);
    const { values, unknown } = this.#matrix!;
    if (unknown) invert(unknown);
    return { values, known: unknown };
  }

  #options(): { shape: readonly [number, number] | null; shared: boolean } {
    const { shape, columns, shared = false } = this.context.options;
    return { shape: shape ?? (columns ? null : this.form.shape), shared };
  }

  #takeValues(bytes: Uint8Array, from: number, to: number): void {
    const { type, valueBytes, fortran, rows, dimensions } = this.form;
    const targets = this.#targets;
    const rule = this.#rule;
    const exact = rule.exact;
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const values =
      type === null ? bytes.subarray(from, to) : numbersOf(view, type, from, valueBytes, (to - from) / valueBytes);
    for (let at = 0; at < values.length; at++) {
      const target = targets[this.#column]!;
      if (target >= 0) {
        const value = values[at]!;
        if (!exact || value !== 0) {
          const bit = Number.isNaN(value) ? this.#takeMissing(target) : rule.bit(value, this.#row, this.#column);
          if (bit === 1) this.#setOne(target);
          else if (bit < 0) this.#refuseValue(value);
        }
      }
      if (fortran) {
        if (++this.#row === rows) {
          this.#row = 0;
          this.#nextFortranColumn();
        }
      } else if (++this.#column === dimensions) {
        this.#column = 0;
        this.#row++;
        this.#sink!.endRow();
      }
    }
  }

  /** The last index runs slowest: of an image, the column of pixels. */
  #nextFortranColumn(): void {
    const { shape, dimensions } = this.form;
    const [height, width] = shape ?? [dimensions, 1];
    const pixelRow = Math.floor(this.#column / width);
    this.#column = pixelRow + 1 < height ? this.#column + width : (this.#column % width) + 1;
  }

  #setOne(dim: number): void {
    if (this.#sink) this.#sink.setOne(dim);
    else setBit(this.#matrix!.values, this.#row, dim);
  }

  #takeMissing(dim: number): 0 {
    if (!this.context.masked || !this.context.missing.has('nan'))
      throw new DatasetError('missing-value', {
        got: 'NaN',
        expected: `every value known: ${this.#rule.expected}`,
        where: this.#where(),
        remedy: 'Fill it in or leave the row out. Missing values are welcome in completion only.',
      });
    if (this.#sink) this.#sink.setUnknown(dim);
    else setBit(this.#matrix!.unknown!, this.#row, dim);
    return 0;
  }

  #where(): string {
    return `${this.context.name}, row ${this.#row + 1}, column ${this.#column + 1}`;
  }

  #refuseValue(value: number): never {
    const { expected, remedy } = this.#rule;
    throw new DatasetError('value', { got: String(value), expected, where: this.#where(), remedy });
  }

  #refuseSize(what: 'more' | 'fewer'): never {
    const { rows, dimensions, valueBytes } = this.form;
    throw new DatasetError(what === 'more' ? 'format' : 'truncated', {
      got: what === 'more' ? `more than ${this.#total} bytes of values` : `${this.#taken} bytes of values`,
      expected: `${this.#total}, as the header says (${rows} x ${dimensions} values of ${valueBytes} bytes)`,
      where: `${this.context.name}, row ${this.#row + 1}, column ${this.#column + 1}`,
      remedy: 'The file is cut short, or its header is wrong: write it anew.',
    });
  }
}

/** Without the checks of `BitMatrix.set`: called once a value. */
function setBit(matrix: BitMatrix, row: number, dim: number): void {
  matrix.bytes[row * matrix.stride + (dim >> 3)]! |= 0x80 >> (dim & 7);
}
