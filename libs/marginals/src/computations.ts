import type { JsonValue } from '@orchard/model';
import { computationsOfOneTask, likelihoodsOf, type Run, type Splits } from '@orchard/pipeline';
import { Marginals } from './marginals-model.js';

/** (ones + 1) / (N + 2) of each column: Laplace's rule, so that nothing is impossible. */
export function marginalsOf(run: Run, splits: Splits): Marginals {
  const { train } = splits;
  const rates = Float64Array.from(train.columnCounts(), (ones) => (ones + 1) / (train.rows + 2));
  const specification = { runId: run.id, ...run.specification } as JsonValue;
  const bare = new Marginals(train, rates, specification, { train: null, valid: null, test: null });
  return new Marginals(train, rates, specification, likelihoodsOf(bare, splits));
}

export const computations = computationsOfOneTask(marginalsOf);
