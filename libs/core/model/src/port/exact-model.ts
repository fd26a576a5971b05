import type { BitMatrix } from '@orchard/dataset';
import { exp, Purpose, RandomStream } from '@orchard/numerics';
import { blanksOf, checkSeed, checkWhole, emptyMatrix } from './arguments.js';
import { asBitMatrix, type BinaryMatrix } from './binary-matrix.js';
import { exactCompletion, type CompleteOptions, type Completion } from './completion.js';
import type { DensityModel, Exact, Marginals, ModelSummary, MostProbable } from './density-model.js';
import { HeadedModel } from '../file/headed-model.js';
import { scoreCells, type Score } from './score.js';

/** Tells everything of one row of bits at a time, exactly, whatever of it is known. */
export interface RowDistribution {
  /** log P of a row's values, nats. @param values 0 or 1 of each column */
  logProbability(values: Uint8Array): number;
  /** log P of each value given those that predict it, which sum to the row's: to `cells[offset + column]`. */
  cellsInto(values: Uint8Array, cells: Float64Array, offset: number): void;
  /**
   * P(1) of each value given those that predict it: to `rates[offset + column]`. Of a mixture, whose cells are scaled.
   *
   * @default by the cells
   */
  ratesInto?(values: Uint8Array, rates: Float64Array, offset: number): void;
  /** log P(known values). */
  logEvidence(values: BitMatrix, known: BitMatrix, row: number): number;
  /** Draws the unknown values into the row. @returns log P(known values) */
  drawInto(values: BitMatrix, known: BitMatrix, row: number, uniform: () => number): number;
  /** P(1) of each value given the known ones: to `rates[offset + column]`. @returns log P(known values) */
  marginalsInto(values: BitMatrix, known: BitMatrix, row: number, rates: Float64Array, offset: number): number;
}

/** One that finds the best of all rows too. */
export interface SearchableDistribution extends RowDistribution {
  /** Fills in the most probable unknown values. @returns log P of the row then */
  mostProbableInto(values: BitMatrix, known: BitMatrix, row: number): number;
}

/** A model that answers exactly for single rows, without sampling. */
export abstract class RowModel extends HeadedModel implements DensityModel, Exact {
  protected abstract readonly distribution: RowDistribution;

  abstract summary(): ModelSummary;

  logLikelihood(matrix: BinaryMatrix): Float64Array {
    const rows = asBitMatrix(matrix, this.dimensions);
    const sums = new Float64Array(rows.rows);
    visitValues(rows, (values, row) => {
      sums[row] = this.distribution.logProbability(values);
    });
    return sums;
  }

  score(matrix: BinaryMatrix, { top = 5 }: { readonly top?: number } = {}): Score {
    const rows = asBitMatrix(matrix, this.dimensions);
    const cells = new Float64Array(rows.rows * this.dimensions);
    visitValues(rows, (values, row) => {
      this.distribution.cellsInto(values, cells, row * this.dimensions);
    });
    return scoreCells(cells, this.dimensions, top);
  }

  valueRates(matrix: BinaryMatrix): Float64Array {
    const rows = asBitMatrix(matrix, this.dimensions);
    const { distribution, dimensions } = this;
    const rates = new Float64Array(rows.rows * dimensions);
    visitValues(rows, (values, row) => {
      const from = row * dimensions;
      if (distribution.ratesInto !== undefined) {
        distribution.ratesInto(values, rates, from);
        return;
      }
      distribution.cellsInto(values, rates, from);
      for (let column = 0; column < dimensions; column++) {
        const own = exp(rates[from + column]!);
        rates[from + column] = values[column] === 1 ? own : 1 - own;
      }
    });
    return rates;
  }

  protected override draw(count: number, seed: number, firstRow: number): BitMatrix {
    const matrix = emptyMatrix(count, this);
    this.#drawInto(matrix, emptyMatrix(count, this), seed, Purpose.sample, firstRow);
    return matrix;
  }

  /** Exact, from one candidate a row, whatever `samples` says. */
  complete(
    values: BinaryMatrix,
    known: BinaryMatrix,
    { seed, samples = 1, firstRow = 0 }: CompleteOptions,
  ): Completion {
    checkSeed(seed);
    checkWhole('samples', samples, 1, 2 ** 32 - 1);
    const blanks = blanksOf(values, known, this);
    const logEvidence = this.#drawInto(blanks.matrix, blanks.known, seed, Purpose.complete, firstRow);
    return exactCompletion(blanks.matrix, logEvidence);
  }

  marginals(values: BinaryMatrix, known: BinaryMatrix): Marginals {
    const blanks = blanksOf(values, known, this);
    const rates = new Float64Array(blanks.matrix.rows * this.dimensions);
    const logEvidence = Float64Array.from({ length: blanks.matrix.rows }, (_, row) =>
      this.distribution.marginalsInto(blanks.matrix, blanks.known, row, rates, row * this.dimensions),
    );
    return { rates, logEvidence };
  }

  #drawInto(matrix: BitMatrix, known: BitMatrix, seed: number, purpose: number, firstRow: number): Float64Array {
    return Float64Array.from({ length: matrix.rows }, (_, row) => {
      const stream = new RandomStream(seed, purpose, firstRow + row);
      return this.distribution.drawInto(matrix, known, row, () => stream.uniform());
    });
  }
}

/** Such a model that finds the most probable rows too. */
export abstract class ExactModel extends RowModel implements MostProbable {
  protected abstract override readonly distribution: SearchableDistribution;

  mostProbable(values: BinaryMatrix, known: BinaryMatrix): { matrix: BitMatrix; logLikelihood: Float64Array } {
    const { matrix, known: mask } = blanksOf(values, known, this);
    const logLikelihood = Float64Array.from({ length: matrix.rows }, (_, row) =>
      this.distribution.mostProbableInto(matrix, mask, row),
    );
    return { matrix, logLikelihood };
  }
}

/** Calls with the values of each row, a byte each, in one array. */
function visitValues(
  { rows, dimensions, stride, bytes }: BitMatrix,
  visit: (values: Uint8Array, row: number) => void,
): void {
  const values = new Uint8Array(dimensions);
  for (let row = 0; row < rows; row++) {
    const start = row * stride;
    for (let dim = 0; dim < dimensions; dim++) values[dim] = (bytes[start + (dim >> 3)]! >> (7 - (dim & 7))) & 1;
    visit(values, row);
  }
}
