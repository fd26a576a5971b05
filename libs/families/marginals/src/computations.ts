import { codeColumns, codeProduct } from '@orchard/forests';
import type { JsonValue } from '@orchard/model';
import { computationOfEnding, judgedModel, type End, type Run, type Splits } from '@orchard/pipeline';
import { Marginals, MarginalsTable } from './marginals-model.js';

/** Pseudo-rows, shared out evenly among a column's values, so that nothing is impossible. */
const ADDED = 2;

/**
 * (ones + 1) / (N + 2) of each column of bits: Laplace's rule; (n + 2 / k) / (N + 2) of each of the k codes of a
 * table's variable.
 */
function marginalsOf(run: Run, splits: Splits): Marginals | MarginalsTable {
  const { train } = splits;
  const specification = { runId: run.id, ...run.specification } as JsonValue;
  const { table } = train.columns;
  if (table === undefined) {
    const rates = Float64Array.from(train.columnCounts(), (ones) => (ones + ADDED / 2) / (train.rows + ADDED));
    return judgedModel((likelihoods) => new Marginals(train, rates, specification, likelihoods), splits);
  }
  const { forest } = codeProduct(table, codeColumns(train, table), ADDED);
  const shares = forest.variables.map(({ within }) => within);
  return judgedModel((likelihoods) => new MarginalsTable({ table, specification, likelihoods }, shares), splits);
}

export const kind = 'count';

export const end: End = (run, splits) => ({ model: marginalsOf(run, splits) });

export const computations = { [kind]: computationOfEnding(end) };
