import type { Expectation } from '@orchard/dataset';
import type { GivenColumns } from '../anomalies/scores-given.js';
import type { TabularModel } from '../tables/tabular-model.js';

/** A cell that makes a row unusual, and what is expected given all other cells, in the words of its column. */
export interface UnusualCell extends Expectation {
  readonly column: string;
  /** As the file has it; null where it is missing. */
  readonly value: string | null;
  /**
   * P(value | all other cells of the row); of a value far out, of one as far out or farther. By the model that scored
   * the row; where several did, in the mean.
   */
  readonly probability: number;
  /** Nats beyond what is usual of the column given all other cells. */
  readonly surprise: number;
}

/** A row, the most unusual first, and the cells that make it so. */
export interface Outlier {
  /** Counted from 1. */
  readonly row: number;
  /** Anomaly score: nats beyond what is typical, summed over the columns; 0 or more. */
  readonly score: number;
  /** log P(row), nats; with densities it depends on their units. */
  readonly logLikelihood: number;
  readonly cells: readonly UnusualCell[];
}

/** Models, and which of them scores a row. */
export interface Scorers {
  readonly models: readonly TabularModel[];
  /** The model of a row, by its number from 0. */
  readonly modelOf: (row: number) => number;
  /** Scores and reasons are of the other columns, given these. @default every column is scored */
  readonly given?: GivenColumns | null;
}

/** What is known of every row of a file. */
export interface RowScores {
  readonly scores: Float64Array;
  readonly logLikelihoods: Float64Array;
}

/** Explains rows of the file by their cells, in the order that they are asked for. Rows count from 0. */
export type ExplainRows = (rows: readonly number[], top: number) => Promise<UnusualCell[][]>;
