import type { EncodedRows } from '@orchard/dataset';
import { isBound, moments, scoreTable, type RowWeights, type TabularModel } from '@orchard/model';
import { compareScores, type ComparedColumn, type Comparison, type ScoresOfRows } from './compare-scores.js';
import { matchColumns } from './same-columns.js';

/** How likely a model finds rows. */
export interface LikelihoodOfRows {
  /** Mean nats per row. */
  readonly logLikelihood: number;
  /** Whether that is a lower bound: the model may be likelier. */
  readonly isLowerBound: boolean;
}

/** Two models, A and B, compared by the same rows. */
export interface ComparedModels extends Omit<Comparison, 'columns'> {
  readonly a: LikelihoodOfRows;
  readonly b: LikelihoodOfRows;
  readonly columns: readonly (ComparedColumn & { readonly name: string })[];
  /** Columns whose values only one of the models tells apart, which makes the other likelier for that alone. */
  readonly otherLabels: readonly string[];
}

/** Rows, and how much each of them counts: once, where that is not said. */
export interface ComparedRows extends EncodedRows {
  readonly weights?: RowWeights | null;
}

/**
 * Which of two models finds rows likelier, row by row, in all and by column.
 *
 * @param rowsFor the same rows as each of the two encodes them
 * @throws ModelError `invalid-argument` for models that cannot be compared, before rows are asked for
 */
export async function compareModels(
  a: TabularModel,
  b: TabularModel,
  rowsFor: (model: TabularModel) => Promise<ComparedRows>,
): Promise<ComparedModels> {
  const { names, places, otherLabels } = matchColumns(a, b);
  const rows = await rowsFor(a);
  const { weights = null } = rows;
  const one = scoresOf(a, rows);
  const other = scoresOf(b, await rowsFor(b));
  const { columns, ...whole } = compareScores(one, other, places, weights);
  return {
    a: likelihoodOf(one, weights),
    b: likelihoodOf(other, weights),
    ...whole,
    columns: columns.map((column, index) => ({ name: names[index]!, ...column })),
    otherLabels,
  };
}

function scoresOf(model: TabularModel, rows: EncodedRows): ScoresOfRows {
  const { nats, cells } = scoreTable(model, rows, { seed: 0 });
  return { nats, cells, isBound: isBound(model) };
}

function likelihoodOf({ nats, isBound: isLowerBound }: ScoresOfRows, weights: RowWeights | null): LikelihoodOfRows {
  return { logLikelihood: moments(nats, weights).mean, isLowerBound };
}
