import type { DensityModel } from '../port/density-model.js';
import { typicalSurprises } from './typical-surprises.js';

/**
 * The anomaly score of rows: how far their cells are more surprising than is typical of their columns, summed; 0 or
 * more, nats. A very usual value in one column does not make up for a very unusual one in another, as it does in a sum
 * of log-likelihoods.
 *
 * @param surprises of the rows, nats: element `row * columns + column`; NaN counts nothing
 */
export function anomalyScores(model: DensityModel, surprises: Float64Array): Float64Array {
  const columns = typicalSurprises(model).length;
  const scores = new Float64Array(surprises.length / columns);
  anomaliesOfCells(model, surprises).forEach((nats, at) => (scores[Math.floor(at / columns)]! += nats));
  return scores;
}

/** What each cell adds to {@link anomalyScores}: element `row * columns + column`. */
export function anomaliesOfCells(model: DensityModel, surprises: Float64Array): Float64Array {
  const typical = typicalSurprises(model);
  return surprises.map((nats, at) => {
    const excess = nats - typical[at % typical.length]!;
    return excess > 0 ? excess : 0;
  });
}
