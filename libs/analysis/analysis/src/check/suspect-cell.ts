import type { Expectation } from '@orchard/dataset';

/** A cell that is probably wrong. */
export interface SuspectCell extends Expectation {
  /** Counted from 1. */
  readonly row: number;
  readonly column: string;
  /** As the file has it; null where it is missing. */
  readonly value: string | null;
  /**
   * P(value | all other cells of the row); of a value far out, of one as far out or farther; of a form, the share of
   * the column's cells that are written so.
   */
  readonly probability: number;
  /** As of any cell, given all other cells; of a form, the usual one. */
  readonly expected: string;
  /** The label that the value is probably a misspelling of; null where it is none. */
  readonly typoOf: string | null;
  /**
   * Where it is not written as its column's other cells: its form, as `9a9` for 1x2; null where the value itself is
   * unlikely.
   */
  readonly form: string | null;
  /** How unusual it is (`unusualness`). */
  readonly score: number;
}

/** The most unusual first; of equal ones the earlier. */
export function mostUnusualFirst(cells: readonly SuspectCell[]): SuspectCell[] {
  return [...cells].sort((a, b) => b.score - a.score || a.row - b.row);
}

/**
 * How unusual a cell is: its surprise over one nat more than what is usual, of its column or of what could stand in
 * this cell, whichever is more. A column that nothing predicts surprises in every row, so that a wrong cell of it shows
 * less than one of a column that the others determine. And where a column is nearly always 0, any other number
 * surprises, even in the rows that have one.
 *
 * @param surprise nats
 * @param ofColumn mean surprise of the column
 * @param ofCell mean surprise of what could stand in the cell, given all others of its row
 */
export function unusualness(surprise: number, ofColumn: number, ofCell = 0): number {
  return surprise / (1 + Math.max(ofColumn, ofCell));
}
