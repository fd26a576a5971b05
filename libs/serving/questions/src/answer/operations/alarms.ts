import { findDrift, raiseAlarms } from '@orchard/analysis';
import { parseContract, seedSchema } from '@orchard/contracts';
import { asTabular } from '@orchard/model';
import { z } from 'zod';
import { rowsAsTrained, rowsSchema } from '../rows.js';
import type { Operation } from './operation.js';

const questionSchema = z.strictObject({
  rows: rowsSchema,
  seed: seedSchema.default(0),
  /** Anomaly scores of usual rows, the latest last. */
  usual: z.instanceof(Float64Array),
  /** Of the rows. */
  scores: z.instanceof(Float64Array),
  rate: z.number().gt(0).lt(1),
  window: z.int().min(1).optional(),
});

/** Which rows are alarms at a rate that usual rows promise, and which columns drifted from what the model learned. */
export const alarms: Operation = async (network, question) => {
  const { rows, seed, usual, scores, rate, window } = parseContract(questionSchema, question, 'alarms question');
  const model = asTabular(network);
  const raised = raiseAlarms(usual, scores, { rate, window });
  const { table, remarks } = await rowsAsTrained(rows, model);
  const { promised, usualRows, threshold } = raised;
  const drift = await findDrift(table, model, seed);
  return { rows: Int32Array.from(raised.rows, (row) => row - 1), promised, usualRows, threshold, drift, said: remarks };
};
