import type { BitMatrix } from '@orchard/dataset';
import { philox4x32, Purpose } from '@orchard/numerics';
import type { BitColumns } from './bit-columns.js';
import { chunkRows, type Conditionals } from '../network/conditional-odds.js';

/**
 * The uniform numbers of many random streams, position after position: number i of stream `index` is the i-th
 * `uniform()` of `new RandomStream(seed, purpose, index)`, but a block of random bits is computed once for two
 * positions.
 */
export class UniformStreams {
  private readonly block = new Uint32Array(4);
  private readonly second: Float64Array;
  private readonly keyLow: number;
  private readonly keyHigh: number;

  constructor(
    seed: number,
    private readonly purpose: number,
    streams: number,
  ) {
    this.keyLow = seed % 2 ** 32;
    this.keyHigh = Math.floor(seed / 2 ** 32);
    this.second = new Float64Array(streams);
  }

  /**
   * Writes number `position` of streams `first..first + out.length - 1`. Positions have to come in order, from an even
   * one.
   */
  next(first: number, position: number, out: Float64Array): void {
    const { block, second, purpose, keyLow, keyHigh } = this;
    if (position % 2 === 1) {
      out.set(second.subarray(0, out.length));
      return;
    }
    for (let i = 0; i < out.length; i++) {
      philox4x32(block, position / 2, 0, first + i, purpose, keyLow, keyHigh);
      out[i] = ((block[0]! >>> 5) * 2 ** 26 + (block[1]! >>> 6)) * 2 ** -53;
      second[i] = ((block[2]! >>> 5) * 2 ** 26 + (block[3]! >>> 6)) * 2 ** -53;
    }
  }
}

/**
 * Fills `matrix` with draws from the network, position after position (ancestral sampling). Row r uses random stream
 * (seed, sample, firstRow + r), its i-th number for position i, so a row does not depend on how many are drawn.
 */
export function sampleInto(
  { evaluator, ensembles, ordering }: Conditionals,
  matrix: BitMatrix,
  seed: number,
  firstOfAll: number,
): void {
  const size = Math.min(matrix.rows, chunkRows(matrix.dimensions));
  const odds = new Float64Array(size);
  const uniforms = new Float64Array(size);
  const streams = new UniformStreams(seed, Purpose.sample, size);
  for (let firstRow = 0; firstRow < matrix.rows; firstRow += size) {
    const rows = Math.min(size, matrix.rows - firstRow);
    const columns = evaluator.columns(rows, ordering.length);
    for (let position = 0; position < ordering.length; position++) {
      evaluator.odds(ensembles[position]!, columns, rows, odds);
      streams.next(firstOfAll + firstRow, position, uniforms.subarray(0, rows));
      drawColumn(columns, position, odds, uniforms, rows);
    }
    writeColumns(columns, ordering, matrix, firstRow);
  }
}

/** Whether a uniform number draws a 1: u < odds / (1 + odds), without the rounding of the division. */
export function draws(uniform: number, odds: number): boolean {
  return uniform * (1 + odds) < odds;
}

function drawColumn(
  columns: BitColumns,
  position: number,
  odds: Float64Array,
  uniforms: Float64Array,
  rows: number,
): void {
  const { words, stride } = columns;
  for (let row = 0; row < rows; row++) {
    if (draws(uniforms[row]!, odds[row]!)) words[position * stride + (row >> 5)]! |= 1 << (row & 31);
  }
}

/** Copies columns of positions to the stored columns of rows `firstRow...` of the matrix, which have to be zero. */
function writeColumns(columns: BitColumns, ordering: Uint32Array, matrix: BitMatrix, firstRow: number): void {
  const { words, stride, rows } = columns;
  const { bytes } = matrix;
  for (let position = 0; position < ordering.length; position++) {
    const dim = ordering[position]!;
    const bit = 0x80 >> (dim & 7);
    for (let row = 0; row < rows; row++) {
      if ((words[position * stride + (row >> 5)]! >>> (row & 31)) & 1) {
        bytes[(firstRow + row) * matrix.stride + (dim >> 3)]! |= bit;
      }
    }
  }
}
