import { BitMatrix } from '@orchard/dataset';
import { toValues, type DensityModel } from '@orchard/model';
import { QuestionError } from './errors.js';
import type { SampleAnswer, SampleRequest, ScoreAnswer, ScoreRequest } from './row-documents.js';

/** Values that one question may ask to be computed: whoever answers does nothing else meanwhile. */
const MOST_VALUES = 1_000_000;

/** Likelihood of each row, and what makes it odd. The rows have been checked: {@link parseScoreRequest}. */
export function scoreRows(network: DensityModel, { rows, top = 5 }: ScoreRequest): ScoreAnswer {
  const { dimensions, names } = network;
  const matrix = BitMatrix.fromRows(rows);
  const score = network.score(matrix, { top });
  const answers = rows.map((row, index) => ({
    logLikelihood: score.logLikelihood[index]!,
    surprising: [...score.columns.subarray(index * score.top, (index + 1) * score.top)].map((dimension) => ({
      dimension,
      name: names?.[dimension] ?? null,
      value: row[dimension]!,
      surprise: score.surprise[index * dimensions + dimension]!,
    })),
  }));
  const total = answers.reduce((sum, { logLikelihood }) => sum + logLikelihood, 0);
  const { likelihoodIs } = network;
  return {
    logLikelihood: total / rows.length,
    ...(likelihoodIs === undefined ? {} : { likelihoodIs }),
    rows: answers,
  };
}

/** Draws rows: the same seed gives the same rows everywhere. */
export function sampleRows(network: DensityModel, { count, seed = 0 }: SampleRequest): SampleAnswer {
  const { dimensions, names } = network;
  checkWork(count, dimensions);
  const values = toValues(network.sample(count, seed));
  const rows = Array.from(
    { length: count },
    (_, row) => [...values.subarray(row * dimensions, (row + 1) * dimensions)] as (0 | 1)[],
  );
  return { names: names === null ? null : [...names], rows };
}

/** @throws QuestionError `over-limit` */
export function checkWork(rows: number, dimensions: number): void {
  if (rows * dimensions <= MOST_VALUES) return;
  throw new QuestionError('over-limit', {
    got: `${rows} rows of ${dimensions} dimensions`,
    expected: `at most ${MOST_VALUES} values in one request`,
    remedy: "Ask for fewer rows at a time, or use `orchard evaluate` or `orchard sample` with the model's file.",
  });
}
