import { nameOfDimension, type BitMatrix } from '@orchard/dataset';
import { anomalyScores } from '../anomalies/anomaly-score.js';
import { bitSurprises } from '../anomalies/cell-surprises.js';
import { unusualBits } from '../anomalies/unusual-cells.js';
import type { DensityModel } from '../port/density-model.js';
import type { ExplainRows, RowScores, Scorers, UnusualCell } from './outlier.js';

/** Cells scored at a time: their surprises are held. */
const CELLS_AT_A_TIME = 2 ** 22;

/** Scores each row of 0/1 data by its model, beside what is usual of the rows that the model samples. */
export function scoreBitRows(rows: BitMatrix, { models, modelOf }: Scorers<DensityModel>): RowScores {
  const scores = new Float64Array(rows.rows);
  const logLikelihoods = new Float64Array(rows.rows);
  const slice = Math.max(1, Math.floor(CELLS_AT_A_TIME / rows.dimensions));
  for (const [at, model] of models.entries()) {
    const own = Array.from({ length: rows.rows }, (_, row) => row).filter((row) => modelOf(row) === at);
    for (let from = 0; from < own.length; from += slice) {
      const numbers = own.slice(from, from + slice);
      const part = rows.selectRows(numbers);
      const found = anomalyScores(model, bitSurprises(model, part));
      const nats = model.logLikelihood(part);
      numbers.forEach((row, place) => {
        scores[row] = found[place]!;
        logLikelihoods[row] = nats[place]!;
      });
    }
  }
  return { scores, logLikelihoods };
}

/** Explains rows of 0/1 data by their models. */
export function explainBitRows(rows: BitMatrix, { models, modelOf }: Scorers<DensityModel>): ExplainRows {
  return async (wanted, top) =>
    Promise.all(
      wanted.map((row) =>
        unusualBits(models[modelOf(row)]!, rows, row, top).map(({ index, ...cell }): UnusualCell => {
          const value = String(rows.get(row, index));
          return { column: nameOfDimension(index, rows.names), value, ...cell };
        }),
      ),
    );
}
