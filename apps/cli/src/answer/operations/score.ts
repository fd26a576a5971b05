import { scoreRowsByRules } from '@orchard/analysis';
import { parseContract, seedSchema } from '@orchard/contracts';
import { anomalyScores, bitSurprises, isTabular, rowSurprises, scoresGiven, scoreTable } from '@orchard/model';
import { z } from 'zod';
import { givenOfBits, placesOfGiven } from '../../outliers/given-columns.js';
import { rulesAsked, rulesOfBits } from '../../tables/rules.js';
import { asBitRows, rowsSchema, wholeBitsOf } from '../rows.js';
import { encodedRows, unseenOf } from './encoded-rows.js';
import type { Operation } from './operation.js';

const questionSchema = z.strictObject({
  rows: rowsSchema,
  seed: seedSchema.default(0),
  /** Whether the surprise of each value is wanted. */
  surprise: z.boolean().default(true),
  /** Whether the anomaly score of each row is wanted. */
  anomaly: z.boolean().default(false),
  /** Columns that say which group a row is of: the anomaly score is of the others given these. */
  given: z.array(z.string()).default([]),
  /** What holds of every row beside the rules that the model keeps; false leaves these too, and is usual. */
  rules: z.union([z.array(z.string()), z.literal(false)]).default(false),
});

/**
 * How likely rows are, and how surprising each of their values, in nats: `surprise` has a value for each row and
 * column, NaN in rows with unknown values, and is empty where the likelihoods are bounds. `anomaly` has the anomaly
 * score of each row, where it is wanted. Rules are those of the log-likelihood alone; a row that breaks one has
 * -Infinity.
 */
export const score: Operation = async (model, question) => {
  const {
    rows,
    seed,
    surprise: isWanted,
    anomaly: isScored,
    given,
    rules: asked,
  } = parseContract(questionSchema, question, 'score question');
  if (isTabular(model)) {
    const groups = given.length === 0 ? null : placesOfGiven(given, model);
    const rules = rulesAsked(model, asked);
    const encoded = await encodedRows(model, rows, 'value', groups !== null || rules !== null);
    const { nats, errors, cells } = scoreTable(model, encoded, seed);
    const underRules = rules === null ? null : scoreRowsByRules(model, rules, encoded, { nats, seed });
    const surprise = cells.map((own) => -own);
    const anomalies = (): Float64Array =>
      groups === null
        ? anomalyScores(model, rowSurprises(model, encoded, 'value'))
        : scoresGiven(model, encoded, groups);
    return {
      logLikelihood: underRules?.nats ?? nats,
      standardError: errors,
      surprise,
      anomaly: isScored ? anomalies() : new Float64Array(0),
      /** Of rows that break each rule, how many. */
      broken: underRules?.broken ?? {},
      unseen: unseenOf(encoded, model),
      said: encoded.said,
    };
  }
  if (given.length > 0) throw givenOfBits();
  if (asked !== false && asked.length > 0) throw rulesOfBits();
  const matrix = wholeBitsOf(asBitRows(rows), model);
  const logLikelihood = model.logLikelihood(matrix);
  const surprise = isWanted ? model.score(matrix, { top: 0 }).surprise : new Float64Array(0);
  const anomaly = isScored ? anomalyScores(model, bitSurprises(model, matrix)) : new Float64Array(0);
  return { logLikelihood, standardError: new Float64Array(logLikelihood.length), surprise, anomaly, unseen: {} };
};
