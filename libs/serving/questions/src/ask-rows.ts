import { BitMatrix, encodedBits, nameOfDimension } from '@orchard/dataset';
import { anomalyScores, asTabular, isBound, isExact, rowSurprises, toValues, type DensityModel } from '@orchard/model';
import { samplerOfShares } from './ask-table.js';
import { QuestionError } from './errors.js';
import { askedAsTable } from './rows-as-table.js';
import { checkWork, knowsTypical } from './work.js';
import {
  PARTICLES,
  type CompleteRowsAnswer,
  type CompleteRowsRequest,
  type SampleAnswer,
  type SampleRequest,
  type ScoreAnswer,
  type ScoreRequest,
} from './row-documents.js';

/** Completions by which a model that cannot say it exactly says how likely a value is. */
const DRAWS_FOR_PROBABILITIES = 200;

type Probabilities = NonNullable<CompleteRowsAnswer['rows'][number]['probabilities']>;

/** Likelihood of each row, and what makes it odd. The rows have been checked: {@link parseScoreRequest}. */
export function scoreRows(network: DensityModel, { rows, top = 5 }: ScoreRequest): ScoreAnswer {
  const { dimensions, names } = network;
  checkWork(network, { rows: rows.length, values: dimensions });
  const matrix = BitMatrix.fromRows(rows);
  const score = network.score(matrix, { top });
  const anomalies = knowsTypical(network) ? scoresOf(network, matrix) : null;
  const answers = rows.map((row, index) => ({
    logLikelihood: score.logLikelihood[index]!,
    anomalyScore: anomalies?.[index] ?? null,
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

function scoresOf(network: DensityModel, matrix: BitMatrix): Float64Array {
  const model = asTabular(network);
  return anomalyScores(model, rowSurprises(model, encodedBits(matrix, 0, matrix.rows), 'value'));
}

/** Draws rows: the same seed gives the same rows everywhere. */
export function sampleRows(network: DensityModel, request: SampleRequest): SampleAnswer {
  const { count, seed = 0, shares = {} } = request;
  const { dimensions, names } = network;
  checkWork(network, { rows: count, values: dimensions });
  const byShares = Object.keys(shares).length === 0 ? null : samplerOfShares(askedAsTable(network, 'shares'), request);
  const values = toValues(byShares?.next(count) ?? network.sample(count, seed));
  const rows = Array.from(
    { length: count },
    (_, row) => [...values.subarray(row * dimensions, (row + 1) * dimensions)] as (0 | 1)[],
  );
  return {
    names: names === null ? null : [...names],
    rows,
    ...(byShares !== null && { shares: { pool: byShares.pool, effectiveRows: byShares.effectiveRows } }),
  };
}

/**
 * Draws what is null, and says of each row how much is known of it. The rows have been checked:
 * {@link parseCompleteRequest}.
 *
 * @throws QuestionError `over-limit` for too much work, and for a model whose likelihoods are bounds
 */
export function completeRows(network: DensityModel, request: CompleteRowsRequest): CompleteRowsAnswer {
  const { rows, seed = 0, samples = PARTICLES } = request;
  const { dimensions, names } = network;
  if (isBound(network))
    throw new QuestionError('over-limit', {
      got: `a model of the family ${network.family} whose likelihoods are lower bounds`,
      expected: 'one that can sum out what is unknown',
      remedy: 'Ask another model: `orchard compare-models` says what each can answer.',
    });
  const exactly = isExact(network) ? network : null;
  const asksForRates = request.probabilities === true;
  const draws = !asksForRates ? (request.draws ?? 1) : exactly === null ? DRAWS_FOR_PROBABILITIES : 1;
  const particles = exactly === null ? samples : 1;
  checkWork(network, { rows: rows.length, values: dimensions * (asksForRates ? 1 : draws) });
  // draws come one after the other: they take the time of all, and the memory of one
  checkWork(network, { rows: rows.length, particles: particles * draws, values: Math.ceil(dimensions / draws) });
  const values = BitMatrix.fromRows(rows.map((row) => row.map((value) => value ?? 0)));
  const known = BitMatrix.fromRows(rows.map((row) => row.map((value) => (value === null ? 0 : 1))));
  const first = network.complete(values, known, { seed, samples });
  const drawn = [toValues(first.matrix)];
  for (let draw = 1; draw < draws; draw++)
    drawn.push(toValues(network.complete(values, known, { seed: seed + draw, samples }).matrix));
  const rates = exactly === null ? null : exactly.marginals(values, known).rates;
  const slice = <Values extends Uint8Array | Float64Array>(of: Values, row: number): number[] => [
    ...of.subarray(row * dimensions, (row + 1) * dimensions),
  ];
  const rateAt = (at: number): number =>
    rates === null ? drawn.reduce((ones, bits) => ones + bits[at]!, 0) / draws : rates[at]!;
  const probabilitiesOf = (row: number): Probabilities =>
    Object.fromEntries(
      rows[row]!.flatMap((value, index) =>
        value === null ? [[nameOfDimension(index, names), bothValues(rateAt(row * dimensions + index))]] : [],
      ),
    );
  const { exact, effectiveSampleSize, logEvidence, logEvidenceError } = first;
  return {
    names: names === null ? null : [...names],
    rows: rows.map((_, row) => {
      const completions = asksForRates ? [] : drawn.map((bits) => slice(bits, row) as (0 | 1)[]);
      return {
        completions,
        ...(asksForRates ? { probabilities: probabilitiesOf(row) } : { completion: completions[0]! }),
        ...(rates === null ? {} : { rates: slice(rates, row) }),
        logEvidence: logEvidence[row]!,
        logEvidenceError: Number.isFinite(logEvidenceError[row]!) ? logEvidenceError[row]! : null,
        exact: exact[row] === 1,
        effectiveSampleSize: effectiveSampleSize[row]!,
      };
    }),
  };
}

/** Both values of a bit, the more probable first. @param rate P(1) */
function bothValues(rate: number): { value: string; probability: number }[] {
  const both = [
    { value: '0', probability: 1 - rate },
    { value: '1', probability: rate },
  ];
  return rate > 0.5 ? both.reverse() : both;
}
