import type { BitMatrix } from '@orchard/dataset';
import type { Completion, TabularModel } from '@orchard/model';
import type { RowsToComplete } from './completions-of.js';

/** Rows to complete, as they are posted to a thread. */
export interface PostedRows {
  readonly firstRow: number;
  readonly count: number;
  readonly matrix: Uint8Array;
  readonly known: Uint8Array;
  /** Element `row * V + variable`, for rules; null where there are none. */
  readonly numbers: Float64Array | null;
}

/** Completions as they are posted back: what is said of rows is the same of each. */
export interface PostedCompletions extends Omit<Completion, 'matrix'> {
  readonly matrices: readonly Uint8Array[];
}

/** @param withNumbers whether rules look at numbers */
export function postedRows(rows: RowsToComplete, { variables }: TabularModel, withNumbers: boolean): PostedRows {
  const { firstRow, matrix, known } = rows;
  const numbers = withNumbers
    ? Float64Array.from({ length: matrix.rows * variables }, (_, at) =>
        rows.numberAt(Math.floor(at / variables), at % variables),
      )
    : null;
  return { firstRow, count: matrix.rows, matrix: matrix.bytes.slice(), known: known.bytes.slice(), numbers };
}

export function receivedRows(
  { firstRow, count, matrix, known, numbers }: PostedRows,
  model: TabularModel,
): RowsToComplete {
  const { variables } = model;
  return {
    firstRow,
    matrix: rowsOf(matrix, count, model),
    known: rowsOf(known, count, model),
    numberAt: (row, variable) => numbers?.[row * variables + variable] ?? NaN,
  };
}

/** @param completions one at least */
export function postedCompletions(completions: readonly Completion[]): PostedCompletions {
  const { effectiveSampleSize, exact, logEvidence, logEvidenceError } = completions[0]!;
  const matrices = completions.map(({ matrix }) => matrix.bytes.slice());
  return { matrices, effectiveSampleSize, exact, logEvidence, logEvidenceError };
}

export function receivedCompletions({ matrices, ...said }: PostedCompletions, model: TabularModel): Completion[] {
  return matrices.map((bytes) => ({ matrix: rowsOf(bytes, said.exact.length, model), ...said }));
}

function rowsOf(bytes: Uint8Array, count: number, model: TabularModel): BitMatrix {
  const rows = model.emptyRows(count);
  rows.bytes.set(bytes);
  return rows;
}
