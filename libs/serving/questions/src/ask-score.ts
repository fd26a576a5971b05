import { scoredGiven } from '@orchard/analysis';
import type { BitMatrix } from '@orchard/dataset';
import {
  anomalyScores,
  asTabular,
  rowSurprises,
  scoresGiven,
  surprisingCells,
  usualParticles,
  type DensityModel,
  type TabularModel,
} from '@orchard/model';
import { encodeRows } from './encode-rows.js';
import { densitiesOf } from './known-rows.js';
import { parseRows } from './parse-questions.js';
import { scoreRequestSchema, type ScoreAnswer } from './row-documents.js';
import { checkWork, codesOf, knowsTypical } from './work.js';

/**
 * How likely each row is, and the columns that speak against it.
 *
 * @throws Refusal for what is not a question of this model
 */
export async function askScore(asked: DensityModel, question: unknown): Promise<ScoreAnswer> {
  const request = parseRows(scoreRequestSchema, question);
  const model = asTabular(asked);
  const { rows, top = 5, seed = 0, givenColumns } = request;
  const given = givenColumns === undefined ? null : scoredGiven(model, givenColumns, 'givenColumns');
  const { variables } = model.table;
  checkWork(model, { rows: rows.length, values: codesOf(model) });
  const encoded = await encodeRows(model, request, 'value');
  const { matrix, cells, misfits, incomplete } = encoded;
  const densities = densitiesOf(encoded, model);
  checkWork(model, { rows: incomplete.length, particles: usualParticles(model), values: model.dimensions });
  const mass = model.logLikelihood(matrix);
  const errors = new Float64Array(rows.length);
  if (incomplete.length > 0) integrateOut(model, encoded, seed, mass, errors);
  const scores = (): Float64Array =>
    given === null ? anomalyScores(model, rowSurprises(model, encoded, 'unknown')) : scoresGiven(model, encoded, given);
  const anomalies = knowsTypical(model) || given !== null ? scores() : null;
  const reasons = surprisingCells(model, encoded, top + (given?.size ?? 0)).map((own) =>
    own.filter(({ index }) => given?.has(index) !== true).slice(0, top),
  );
  const { ofBits } = model;
  const answers = rows.map((_, row) => {
    const density = densities[row]!;
    return {
      logLikelihood: mass[row]! + density,
      mass: mass[row]!,
      density,
      standardError: errors[row]!,
      anomalyScore: anomalies?.[row] ?? null,
      surprising: reasons[row]!.map(({ index, ...cell }) => ({
        column: variables[index]!.name,
        value: cells[row]![index]!,
        ...cell,
        ...(ofBits !== undefined && { dimension: index, name: ofBits.names?.[index] ?? null }),
      })),
    };
  });
  const total = answers.reduce((sum, { logLikelihood }) => sum + logLikelihood, 0);
  const { likelihoodIs } = model;
  return {
    logLikelihood: total / rows.length,
    ...(likelihoodIs !== undefined && { likelihoodIs }),
    unseen: encoded.unseen.reduce((sum, times) => sum + times, 0) - misfits.size,
    misfits: misfits.size,
    remarks: [...encoded.said],
    rows: answers,
  };
}

/** Writes how likely what is known of incomplete rows is, and its standard errors. */
function integrateOut(
  model: TabularModel,
  rows: { readonly matrix: BitMatrix; readonly known: BitMatrix; readonly incomplete: readonly number[] },
  seed: number,
  mass: Float64Array,
  errors: Float64Array,
): void {
  const options = { seed, samples: usualParticles(model), draws: 1 };
  const [blanks, marks] = [rows.matrix, rows.known].map((matrix) => matrix.selectRows(rows.incomplete));
  const { logEvidence, logEvidenceError } = model.completions(blanks!, marks!, options)[0]!;
  rows.incomplete.forEach((row, at) => {
    mass[row] = logEvidence[at]!;
    errors[row] = logEvidenceError[at]!;
  });
}
