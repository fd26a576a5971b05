import type { BitMatrix } from '@orchard/dataset';
import type { TabularModel } from '../tables/tabular-model.js';

/** What a model says of whole rows, nats. */
export interface NatsOfRows {
  /** log P of each row, of its codes. */
  readonly nats: Float64Array;
  /** Element `row * V + variable`; empty of a model whose likelihood has no share for each column. */
  readonly cells: Float64Array;
}

/** log P of rows of codes and of their cells, the same bits as `logLikelihood` and `cellLogLikelihoods` have. */
export function natsOfRows(model: TabularModel, matrix: BitMatrix): NatsOfRows {
  const { logLikelihood, surprise } = model.score(matrix, { top: 0 });
  // where there is no one ordering, cells are shares of the row's, and sum to it but for rounding
  const nats = model.ordering === null ? model.logLikelihood(matrix) : logLikelihood;
  return { nats, cells: surprise.map((own) => -own) };
}
