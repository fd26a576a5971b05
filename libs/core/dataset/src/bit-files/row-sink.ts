import { MAXIMUM_DIMENSIONS } from '@orchard/contracts/limits';
import { BitMatrix, type BitMatrixOptions } from '../rows/bit-matrix.js';
import { DatasetError } from '../errors.js';
import { strideOf } from '../rows/bit-layout.js';
import { advise, sentences } from '../reading/option-words.js';
import { MAXIMUM_FILE_COLUMNS, type ReadContext } from '../reading/options.js';
import { PackedRows } from '../rows/packed-rows.js';
import { requireRows } from '../rows/require-rows.js';

/** Rows as read: `known` is null unless missing values are welcome; where its bit is 0, the value's is 0 too. */
export interface ReadRows {
  readonly values: BitMatrix;
  readonly known: BitMatrix | null;
}

/** Columns that a file may have. */
export function mostColumns(context: ReadContext): number {
  return context.options.columns ? MAXIMUM_FILE_COLUMNS : MAXIMUM_DIMENSIONS;
}

/** Refuses a file of more columns than are read, chosen or not, before any of them is made a string. */
export function checkColumns(context: ReadContext, columns: number): void {
  const most = mostColumns(context);
  if (columns > most) refuseColumns(context, columns, most);
}

function refuseColumns(context: ReadContext, columns: number, most: number): never {
  throw new DatasetError('limit', {
    got: `${columns} dimensions`,
    expected: `at most ${most}`,
    where: context.name,
    remedy: 'Choose columns, or check that the file is what it seems.',
  });
}

/** Refuses more cells than allowed, before they take memory. */
export function checkCells(context: ReadContext, rows: number, dimensions: number): void {
  if (dimensions > MAXIMUM_DIMENSIONS) refuseColumns(context, dimensions, MAXIMUM_DIMENSIONS);
  if (rows * dimensions > context.maxCells || rows > 0xffffffff)
    throw new DatasetError('limit', {
      got: `${rows} rows of ${dimensions} dimensions or more`,
      expected: `at most ${context.maxCells} cells (rows x dimensions)`,
      where: context.name,
      remedy: sentences(
        advise(context.wordFor, 'If the data is really that large, raise the limit', 'maxCells'),
        'Read fewer columns or rows',
      ),
    });
}

/** Where parsers put the bits of one row after another, the number of rows not known. */
export class RowSink {
  readonly values: PackedRows;
  /** A bit is 1 where the value is missing; null where missing values are refused. */
  readonly unknown: PackedRows | null;
  #maxRows: number;

  constructor(
    private readonly context: ReadContext,
    private dimensions: number,
  ) {
    checkCells(context, 1, dimensions);
    this.values = new PackedRows(dimensions, context.memory);
    this.unknown = context.masked ? new PackedRows(dimensions, context.memory) : null;
    this.#maxRows = Math.floor(context.maxCells / dimensions);
  }

  get rows(): number {
    return this.values.rows;
  }

  setOne(dim: number): void {
    const { values } = this;
    values.chunk[values.at + (dim >> 3)]! |= 0x80 >> (dim & 7);
  }

  /** Only where missing values are welcome. */
  setUnknown(dim: number): void {
    const unknown = this.unknown!;
    unknown.chunk[unknown.at + (dim >> 3)]! |= 0x80 >> (dim & 7);
  }

  /** Ends the row. @throws DatasetError when there are more cells than allowed. */
  endRow(): void {
    if (this.values.rows >= this.#maxRows) checkCells(this.context, this.values.rows + 1, this.dimensions);
    this.values.advance();
    this.unknown?.advance();
  }

  /** From now on rows have so many dimensions, the earlier ones zeros in the new. */
  widen(dimensions: number): void {
    if (dimensions <= this.dimensions) return;
    checkCells(this.context, this.values.rows + 1, dimensions);
    this.dimensions = dimensions;
    this.values.widen(dimensions);
    this.unknown?.widen(dimensions);
    this.#maxRows = Math.floor(this.context.maxCells / dimensions);
  }

  /** The finished matrices. @throws DatasetError when there are no rows, or the shape does not fit. */
  finish(names: readonly string[] | null, shape: readonly [number, number] | null): ReadRows {
    const { context, rows, dimensions, values, unknown } = this;
    requireRows(rows, context.name);
    const create = (): BitMatrix =>
      createMatrix(context, rows, dimensions, { names, shape, shared: context.options.shared ?? false });
    const result = create();
    values.moveTo(result.bytes, result.stride);
    if (!unknown) return { values: result, known: null };
    const known = create();
    unknown.moveTo(known.bytes, known.stride);
    invert(known);
    return { values: result, known };
  }
}

/** A matrix of zeros, its memory announced first. */
export function createMatrix(
  context: ReadContext,
  rows: number,
  dimensions: number,
  options: BitMatrixOptions,
): BitMatrix {
  context.memory(rows * strideOf(dimensions));
  return BitMatrix.create(rows, dimensions, options);
}

/** Ones for zeros and zeros for ones, the padding apart. */
export function invert(matrix: BitMatrix): void {
  const { rows, dimensions, stride, bytes } = matrix;
  const whole = dimensions >> 3;
  const tail = 0xff & ~(0xff >> (dimensions & 7));
  for (let row = 0; row < rows; row++) {
    const start = row * stride;
    for (let i = 0; i < whole; i++) bytes[start + i]! ^= 0xff;
    if (tail) bytes[start + whole]! ^= tail;
  }
}
