import { findDrift, raiseAlarms, scoredGiven } from '@orchard/analysis';
import { evenlySpaced } from '@orchard/dataset';
import { askedAsTable, scoreFile, scoresOfCodes, type DensityModel } from '@orchard/model';
import { z } from 'zod';
import { QuestionError } from './errors.js';
import type { HeldOut } from './held-out.js';
import { parseRows } from './parse-questions.js';
import { readAsked } from './rows-as-table.js';
import { driftSchema, givenColumnsSchema, shapeOfRows } from './row-documents.js';
import { checkWork, knowsTypical, mostRows } from './work.js';

/** Scores of usual rows that one question may say. */
const MOST_USUAL = 100_000;

const rateSchema = z.number().gt(0).lt(1);

export const alarmsRequestSchema = z.strictObject({
  ...shapeOfRows,
  givenColumns: givenColumnsSchema,
  rate: rateSchema.meta({ description: 'share of usual rows that may be alarms, above 0 and below 1; 0.001' }),
  usualScores: z.array(z.number()).min(1).max(MOST_USUAL).optional().meta({
    description:
      '`scores` of usual rows that the model did not learn from, the latest last, at most 100000; without them, held-out rows of the run are scored',
  }),
  window: z.int().min(1).optional().meta({
    description: 'compares each row with so many scores before it, so that a slow drift does not raise the rate',
  }),
});

export const alarmsAnswerSchema = z.strictObject({
  rate: rateSchema,
  promised: rateSchema.meta({ description: 'of rows like the usual ones at most this share are alarms' }),
  usualRows: z.int().min(1).meta({ description: 'that a row is compared with' }),
  usual: z.enum(['request', 'test', 'validation']).meta({ description: 'where the usual rows are from' }),
  threshold: z.number().meta({ description: 'rows with a higher score are alarms; the last one of a window' }),
  rows: z.array(z.int().min(1)).meta({ description: 'the alarms: numbers of rows, counted from 1' }),
  scores: z.array(z.number()).meta({ description: 'the anomaly score of each row, nats' }),
  drift: driftSchema,
});

export type AlarmsAnswer = z.infer<typeof alarmsAnswerSchema>;

/**
 * Which of some rows are alarms at a rate that usual rows promise, as `orchard outliers --baseline --alarms` raises
 * them.
 *
 * @param heldOut rows that the model's run held out; null where there are none
 * @throws Refusal for what is not a question of this model, and where usual rows are too few
 */
export async function askAlarms(
  asked: DensityModel,
  question: unknown,
  heldOut: () => Promise<HeldOut | null>,
): Promise<AlarmsAnswer> {
  const request = parseRows(alarmsRequestSchema, question);
  const { rows, seed = 0, rate, window, usualScores, givenColumns } = request;
  const model = askedAsTable(asked, 'alarms');
  checkWork(model, { rows: rows.length, values: model.dimensions });
  if (!knowsTypical(model))
    throw new QuestionError('over-limit', {
      got: 'a model that is too large to sample what is typical of it',
      expected: 'a smaller one',
      remedy: 'Use `orchard outliers --baseline` with the model’s file.',
    });
  const given = givenColumns === undefined ? null : scoredGiven(model, givenColumns, 'givenColumns');
  const { table } = await readAsked(model, request);
  const { anomalies } = await scoreFile(model, table, { missing: 'value', seed, withAnomalies: true, given });
  const usual = usualScores === undefined ? await scoresOfHeldOut() : { scores: usualScores, from: 'request' as const };
  const raised = raiseAlarms(Float64Array.from(usual.scores), anomalies!, { rate, window });
  const drift = await findDrift(table, model, seed);
  return {
    ...raised,
    rows: [...raised.rows],
    usual: usual.from,
    scores: [...anomalies!],
    drift: [...drift],
  };

  async function scoresOfHeldOut(): Promise<{ scores: Float64Array; from: HeldOut['split'] }> {
    const held = await heldOut();
    if (held === null)
      throw new QuestionError('invalid-request', {
        got: 'no usual scores, of a model whose run has no rows that trained nothing',
        expected: 'scores of usual rows',
        where: 'usualScores',
        remedy: 'Ask for the scores of usual rows first, and give them; members and a refit learn from all rows.',
      });
    const some = evenlySpaced(held.rows, mostRows(model));
    return { scores: scoresOfCodes(model, some, given, seed), from: held.split };
  }
}
