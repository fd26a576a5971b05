import type { BitMatrix } from '@orchard/dataset';
import type { DensityModel } from '../port/density-model.js';
import { asTabular } from '../tables/binary-columns.js';
import { anomalyScores } from './anomaly-score.js';
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
  const own = asTabular(model);
  const logDensity = drawnDensities(own, matrix, seed);
  const rows = { matrix, known: null, logDensity, misfits: new Set<number>() };
  return given === null ? anomalyScores(own, rowSurprises(own, rows, 'value')) : scoresGiven(own, rows, given);
}
