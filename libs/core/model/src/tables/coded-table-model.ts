import { codeCount, writeCode, type BitMatrix } from '@orchard/dataset';
import { asBitMatrix, type BinaryMatrix } from '../port/binary-matrix.js';
import type { CompleteOptions, Completion } from '../port/completion.js';
import type { ModelSummary } from '../port/density-model.js';
import { scoreCells, type Score } from '../port/score.js';
import { HeadedTable } from './headed-table.js';
import { knownCodes } from './known-codes.js';
import type { TableCompletionOptions, TabularModel } from './tabular-model.js';

/** What is predicted of each variable by codes before it. */
export interface CodeConditionals {
  /** Variables in an order in which each is predicted by those before it. */
  readonly ordering: Uint32Array;
  /**
   * log P(code | the codes that predict it) of all variables in many rows, nats: added to
   * `cells[row * variables + index]`, or to `cells[row]` where rows are summed, in the order of the variables.
   *
   * @param columns the codes of each variable, by row
   */
  addCells(columns: readonly Uint16Array[], cells: Float64Array, are: 'cells' | 'sums'): void;
  /** P(code | the codes that predict it) of one variable: to `probabilities[offset + code]`. */
  distributionInto(index: number, codes: ArrayLike<number>, probabilities: Float64Array, offset: number): void;
}

/** A model of a table by what it predicts of each variable, one row of codes after the other. */
export abstract class CodedTableModel extends HeadedTable implements TabularModel {
  protected abstract readonly distribution: CodeConditionals;

  abstract importanceOf(index: number): Float64Array;
  abstract irrelevantVariables(): Uint32Array;
  abstract summary(): ModelSummary;

  get ordering(): Uint32Array {
    return this.distribution.ordering;
  }

  logLikelihood(matrix: BinaryMatrix): Float64Array {
    const rows = asBitMatrix(matrix, this.dimensions);
    return this.#addCells(rows, new Float64Array(rows.rows), 'sums');
  }

  cellLogLikelihoods(matrix: BinaryMatrix): Float64Array {
    const rows = asBitMatrix(matrix, this.dimensions);
    return this.#addCells(rows, new Float64Array(rows.rows * this.variables), 'cells');
  }

  /** Columns are variables: `surprise` has V a row. */
  score(matrix: BinaryMatrix, { top = 5 }: { readonly top?: number } = {}): Score {
    return scoreCells(this.cellLogLikelihoods(matrix), this.variables, top);
  }

  distributionOf(index: number, matrix: BinaryMatrix): Float64Array {
    const rows = asBitMatrix(matrix, this.dimensions);
    const size = codeCount(this.table.variables[index]!);
    const probabilities = new Float64Array(rows.rows * size);
    this.visit(rows, (codes, row) => {
      this.distribution.distributionInto(index, codes, probabilities, row * size);
    });
    return probabilities;
  }

  /**
   * Row r has random stream (seed, sample, firstRow + r). "(other)" is sampled only where training had more labels than
   * are distinguished.
   */
  protected abstract override draw(count: number, seed: number, firstRow: number): BitMatrix;
  abstract complete(values: BinaryMatrix, known: BinaryMatrix, options: CompleteOptions): Completion;
  abstract completions(
    values: BinaryMatrix,
    known: BinaryMatrix,
    options: TableCompletionOptions,
  ): readonly Completion[];

  #addCells(rows: BitMatrix, cells: Float64Array, are: 'cells' | 'sums'): Float64Array {
    this.distribution.addCells(this.codesByVariable(rows), cells, are);
    return cells;
  }

  protected codesByVariable(rows: BitMatrix): readonly Uint16Array[] {
    const { table, offsets } = this;
    return table.variables.map((variable, index) => knownCodes(rows, variable, offsets[index]!, offsets[index + 1]!));
  }

  /** Calls with the codes of each row, in one array. */
  protected visit(rows: BitMatrix, visit: (codes: Uint16Array, row: number) => void): void {
    const columns = this.codesByVariable(rows);
    const codes = new Uint16Array(columns.length);
    for (let row = 0; row < rows.rows; row++) {
      for (let index = 0; index < columns.length; index++) codes[index] = columns[index]![row]!;
      visit(codes, row);
    }
  }

  protected write(codes: Uint16Array, matrix: BitMatrix, row: number): void {
    const { offsets } = this;
    codes.forEach((code, index) => {
      writeCode(matrix, row, offsets[index]!, offsets[index + 1]!, code);
    });
  }
}
