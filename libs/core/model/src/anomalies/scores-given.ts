import type { TabularModel } from '../tables/tabular-model.js';
import type { ScoredRows } from './row-surprises.js';
import { surprisingCells } from './surprising-cells.js';

/** What scores are given: the columns, by their places among the model's; scores are of the others. */
export type GivenColumns = ReadonlySet<number>;

/**
 * The anomaly score of rows within their group, which the given columns name: how far the cells of the other columns
 * are more surprising than what the columns before them leave to be expected, summed; 0 or more, nats. Each cell is
 * compared with the entropy of its own distribution, so neither a rare group nor one that varies more than others is
 * unusual by that. Probabilities of numbers are smoothed over neighbouring ones, since a group has few rows.
 *
 * @param given columns that are the first of the model's ordering, so that all others are predicted given them
 */
export function scoresGiven(model: TabularModel, rows: ScoredRows, given: GivenColumns): Float64Array {
  const cells = surprisingCells(model, rows, model.variables, { isSmoothed: true });
  return Float64Array.from(cells, (ofRow) =>
    ofRow.reduce((sum, { index, surprise }) => (given.has(index) ? sum : sum + surprise), 0),
  );
}

/** log P(the other columns | the given ones) of each row, nats, masses and densities together. */
export function logLikelihoodGiven(
  { variables }: TabularModel,
  { cells, logDensity }: { readonly cells: Float64Array; readonly logDensity: Float64Array },
  given: GivenColumns,
): Float64Array {
  const sums = new Float64Array(cells.length / variables);
  cells.forEach((nats, at) => {
    if (!given.has(at % variables)) sums[Math.floor(at / variables)]! += nats + logDensity[at]!;
  });
  return sums;
}

/** Whether a model predicts all other columns given these, as those that are the first of its ordering are. */
export function arePredictedGiven({ ordering }: TabularModel, given: GivenColumns): boolean {
  return ordering !== null && ordering.subarray(0, given.size).every((index) => given.has(index));
}
