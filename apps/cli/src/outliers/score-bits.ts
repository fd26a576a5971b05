import type { BitMatrix } from '@orchard/dataset';
import { anomalyScores, typicalSurprises } from '@orchard/model';
import { exp, log } from '@orchard/numerics';
import { nameOfDimension } from '../rows/name-of-dimension.js';
import type { ExplainRows, RowScores, UnusualCell } from './outlier.js';
import type { FoldModels } from './train-folds.js';

/** Scores each row of 0/1 data by the model that did not learn from it. */
export function scoreBitRows(rows: BitMatrix, { models, foldOf }: FoldModels): RowScores {
  const { dimensions } = rows;
  const surprises = new Float64Array(rows.rows * dimensions);
  const logLikelihoods = new Float64Array(rows.rows);
  for (const [fold, model] of models.entries()) {
    const numbers = Array.from(foldOf.keys()).filter((row) => foldOf[row] === fold);
    const { surprise, logLikelihood } = model.score(rows.selectRows(numbers), { top: 0 });
    numbers.forEach((row, at) => {
      surprises.set(surprise.subarray(at * dimensions, (at + 1) * dimensions), row * dimensions);
      logLikelihoods[row] = logLikelihood[at]!;
    });
  }
  return { scores: anomalyScores(surprises, typicalSurprises(surprises, dimensions)), logLikelihoods };
}

/** Explains rows of 0/1 data by the model that did not learn from them: each bit is compared with the row that has the other value. */
export function explainBitRows(rows: BitMatrix, { models, foldOf }: FoldModels): ExplainRows {
  const { dimensions, names } = rows;
  return async (wanted, top) =>
    Promise.all(
      wanted.map((row) => {
        const flipped = rows.selectRows(Array.from({ length: dimensions + 1 }, () => row));
        for (let dim = 0; dim < dimensions; dim++) flipped.set(dim + 1, dim, rows.get(row, dim) === 0);
        const nats = models[foldOf[row]!]!.logLikelihood(flipped);
        const cells = Array.from({ length: dimensions }, (_, dim): UnusualCell => {
          const value = rows.get(row, dim);
          const probability = 1 / (1 + exp(nats[dim + 1]! - nats[0]!));
          const expected = probability < 0.5 ? 1 - value : value;
          const share = Math.max(probability, 1 - probability);
          return {
            column: nameOfDimension(dim, names),
            value: String(value),
            probability,
            expected: `${String(expected)} (${(100 * share).toFixed(0)} %)`,
            surprise: -log(Math.max(probability, Number.MIN_VALUE)) - entropy(probability),
          };
        });
        return cells
          .filter(({ surprise }) => surprise > 0)
          .sort((a, b) => b.surprise - a.surprise)
          .slice(0, top);
      }),
    );
}

/** Of a bit that is 1 with this probability, nats. */
function entropy(probability: number): number {
  return [probability, 1 - probability].reduce((sum, share) => (share > 0 ? sum - share * log(share) : sum), 0);
}
