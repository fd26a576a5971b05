import { codeCount, expectedWords, type BitMatrix } from '@orchard/dataset';
import { givenTheRest, type TabularModel } from '@orchard/model';
import { log } from '@orchard/numerics';

/** What a model says of each cell of some rows, given all others. */
export interface CellScores {
  /** `-log P(cell | all other cells)`, nats: element `row * V + variable`. */
  readonly surprise: Float64Array;
  /** What is expected of a cell given all others, in words. */
  expected(row: number, variable: number): string;
  /** The code of a cell. */
  code(row: number, variable: number): number;
  /** The likeliest code of a cell given all others. */
  likeliest(row: number, variable: number): number;
}

export function scoreCells(model: TabularModel, matrix: BitMatrix): CellScores {
  const { variables } = model;
  const surprise = new Float64Array(matrix.rows * variables);
  const shares = model.table.variables.map((variable, index) => {
    const codes = codeCount(variable);
    const ofColumn = givenTheRest(model, index, matrix);
    for (let row = 0; row < matrix.rows; row++) {
      const share = ofColumn[row * codes + model.codeOf(matrix, row, index)]!;
      surprise[row * variables + index] = -log(Math.max(share, Number.MIN_VALUE));
    }
    return ofColumn;
  });
  const sharesOf = (row: number, index: number): Float64Array => {
    const codes = codeCount(model.table.variables[index]!);
    return shares[index]!.subarray(row * codes, (row + 1) * codes);
  };
  return {
    surprise,
    code: (row, index) => model.codeOf(matrix, row, index),
    expected: (row, index) => expectedWords(model.table.variables[index]!, sharesOf(row, index)),
    likeliest: (row, index) => {
      const own = sharesOf(row, index);
      return own.reduce((best, share, code) => (share > own[best]! ? code : best), 0);
    },
  };
}

/** The mean surprise of each column, nats. @param surprises element `row * columns + column` */
export function meanByColumn(surprises: Float64Array, columns: number): Float64Array {
  const sums = new Float64Array(columns);
  surprises.forEach((nats, at) => (sums[at % columns]! += nats));
  return sums.map((sum) => (sum * columns) / surprises.length);
}

/**
 * How unusual a cell is: its surprise over one nat more than the mean surprise of its column. A column that nothing predicts surprises in
 * every row, so that a wrong cell of it shows less than one of a column that the others determine.
 */
export function unusualness(surprise: number, mean: number): number {
  return surprise / (1 + mean);
}
