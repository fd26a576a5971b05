import type { BitMatrix } from '@orchard/dataset';
import type { DensityModel } from '../port/density-model.js';
import { isTabular } from '../tables/tabular-model.js';
import { anomalyScores } from './anomaly-score.js';
import { bitSurprises } from './cell-surprises.js';
import { drawnDensities } from './drawn-densities.js';
import { rowSurprises } from './row-surprises.js';
import { scoresGiven, type GivenColumns } from './scores-given.js';

/**
 * Anomaly scores of rows of which the codes alone are kept, as of the rows of a run: where numbers lie within their
 * bins, and how far out, is drawn as the model samples it.
 *
 * @param given columns that scores are given; null where all are scored
 */
export function scoresOfCodes(
  model: DensityModel,
  matrix: BitMatrix,
  given: GivenColumns | null,
  seed: number,
): Float64Array {
  if (!isTabular(model)) return anomalyScores(model, bitSurprises(model, matrix));
  const rows = { matrix, known: null, logDensity: drawnDensities(model, matrix, seed), misfits: new Set<number>() };
  return given === null ? anomalyScores(model, rowSurprises(model, rows, 'value')) : scoresGiven(model, rows, given);
}
