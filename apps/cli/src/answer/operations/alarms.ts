import { findDrift, raiseAlarms } from '@orchard/analysis';
import { parseContract, seedSchema } from '@orchard/contracts';
import { readAsTrained } from '@orchard/dataset';
import { isTabular } from '@orchard/model';
import { z } from 'zod';
import { UsageError } from '../../errors.js';
import { asTableRows, rawTableOf, rowsSchema } from '../rows.js';
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
export const alarms: Operation = async (model, question) => {
  const { rows, seed, usual, scores, rate, window } = parseContract(questionSchema, question, 'alarms question');
  if (!isTabular(model))
    throw new UsageError({
      got: 'alarms of rows of 0 and 1',
      expected: 'the model of a table',
      where: 'alarms',
      remedy: 'Train with --model tables, or compare the scores themselves.',
    });
  const raised = raiseAlarms(usual, scores, { rate, window });
  const { table, remarks } = await readAsTrained(rawTableOf(asTableRows(rows)), model.table);
  const { promised, usualRows, threshold } = raised;
  const drift = await findDrift(table, model, seed);
  return { rows: Int32Array.from(raised.rows, (row) => row - 1), promised, usualRows, threshold, drift, said: remarks };
};
