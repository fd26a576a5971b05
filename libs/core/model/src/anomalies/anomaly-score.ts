import type { TabularModel } from '../tables/tabular-model.js';
import { typicalSurprises } from './typical-surprises.js';

/**
 * The anomaly score of rows: how far their cells are more surprising than is typical of their columns, summed; 0 or
 * more, nats. A very usual value in one column does not make up for a very unusual one in another, as it does in a sum
 * of log-likelihoods.
 *
 * @param surprises of the rows, nats: element `row * columns + column`; NaN counts nothing
 */
export function anomalyScores(model: TabularModel, surprises: Float64Array): Float64Array {
  const typical = typicalSurprises(model);
  const columns = typical.length;
  const scores = new Float64Array(surprises.length / columns);
  surprises.forEach((nats, at) => {
    const excess = nats - typical[at % columns]!;
    if (excess > 0) scores[Math.floor(at / columns)]! += excess;
  });
  return scores;
}
