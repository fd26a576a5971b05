import { decisionOf, trainingCounts, type TrainingData } from '@orchard/kernel';
import { exclusiveColumns, type ToldColumn } from './exclusive-columns.js';
import type { Tree } from './trees.js';

/** What a start by exclusive columns is of one column. */
export interface ExclusiveStart {
  /** Of a row of which the columns before it say nothing. */
  readonly odds: number;
  /** Chance that a value is another than its group says. */
  readonly chance: number;
  /**
   * One for each column that predicts this one. Their gains are 0: they were not searched for, and importances count
   * what was.
   */
  readonly trees: readonly Tree[];
}

/**
 * The start of a column that others of its group predict; null for any other column. A row with a 1 in one of them
 * begins at the odds of `chance`, all others at `openOdds` of their own training rows. Rows so sure weigh next to
 * nothing: what boosting finds is found in the others, as if these did not reach the conditional, and they stay about
 * as sure as they begin.
 *
 * @param ordering the stored column at each position
 * @param openOdds of rows of which nothing is said: odds by their number and how many of them have a 1
 */
export function exclusiveStart(
  data: TrainingData,
  position: number,
  ordering: Uint32Array,
  openOdds: (counts: { readonly rows: number; readonly ones: number }) => number,
): ExclusiveStart | null {
  const { told, chance } = exclusiveColumns(data, ordering);
  const own = told[position] ?? null;
  if (own === null) return null;
  const never = chance / (1 - chance);
  const odds = own.isLast ? 1 / never : openOdds(countOpen(data, position, own));
  const leafFactor = Float64Array.of(1, never / odds);
  const trees = Array.from(own.by, (predictor) => ({
    splitLeaf: new Uint32Array(1),
    splitPredictor: Uint32Array.of(predictor),
    splitGain: new Float64Array(1),
    leafFactor,
  }));
  return { odds, chance, trees };
}

function countOpen(
  data: TrainingData,
  position: number,
  { by }: ToldColumn,
): { readonly rows: number; readonly ones: number } {
  // 2: the row does not reach what is counted
  const labels = Uint8Array.from({ length: data.rowCount }, (_, row) =>
    by.some((predictor) => data.bit(row, predictor) === 1) ? 2 : data.bit(row, position),
  );
  return trainingCounts(data, decisionOf(position, labels));
}
