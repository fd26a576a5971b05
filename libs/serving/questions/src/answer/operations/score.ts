import { RowScorer, rulesAsked, scoredGiven, scoreRowsByRules } from '@orchard/analysis';
import { parseContract, seedSchema } from '@orchard/contracts';
import { asTabular } from '@orchard/model';
import { z } from 'zod';
import { rowsSchema } from '../rows.js';
import { unseenOf, wholeRows } from './encoded-rows.js';
import { threadsFor, threadsSchema, type Operation } from './operation.js';

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
  /** Threads that score. @default all cores */
  threads: threadsSchema,
});

/**
 * How likely rows are, and how surprising each of their values, in nats: `surprise` has a value for each row and
 * column, NaN in rows with unknown values, and is empty where the likelihoods are bounds. `anomaly` has the anomaly
 * score of each row, where it is wanted. Rules are those of the log-likelihood alone; a row that breaks one has
 * -Infinity.
 */
export const score: Operation = async (network, question, work) => {
  const asked = parseContract(questionSchema, question, 'score question');
  const { seed, given } = asked;
  const model = asTabular(network);
  const groups = given.length === 0 ? null : scoredGiven(model, given, 'given');
  const rules = rulesAsked(model, asked.rules);
  const rows = await wholeRows(model, asked.rows, groups !== null || rules !== null);
  const count = rows.matrix.rows;
  const stage = { stage: 'scoring', state: 'scoring rows', logLikelihood: null };
  const onProgress = (done: number): void =>
    work?.onProgress({ ...stage, tasks: { done, total: count, called: 'rows' } });
  const threads = threadsFor(work, asked.threads);
  const scorer = new RowScorer(model, threads && { ...threads, rows: count, onProgress });
  try {
    const how = { missing: 'value', withCells: asked.surprise, withAnomalies: asked.anomaly, given: groups } as const;
    const { scores, anomalies } = await scorer.rows(rows, { ...how, seed });
    const { nats, errors, cells } = scores;
    const underRules = rules === null ? null : scoreRowsByRules(model, rules, rows, { nats, seed });
    return {
      logLikelihood: underRules?.nats ?? nats,
      standardError: errors,
      surprise: cells.map((own) => -own),
      anomaly: anomalies ?? new Float64Array(0),
      /** Of rows that break each rule, how many. */
      broken: underRules?.broken ?? {},
      unseen: unseenOf(rows, model),
      said: rows.said,
    };
  } finally {
    await scorer.close();
  }
};
