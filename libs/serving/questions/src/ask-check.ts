import { checkTable, givenOf } from '@orchard/analysis';
import { askedAsTable, type DensityModel } from '@orchard/model';
import { z } from 'zod';
import { parseRows } from './parse-questions.js';
import { readAsked } from './rows-as-table.js';
import { driftSchema, endSchema, shapeOfRows } from './row-documents.js';
import { checkWork, codesOf } from './work.js';

/** Rows that are sampled of the model, so that it is known how unusual a right cell may be. */
const SAMPLED = 2000;

export const checkRequestSchema = z.strictObject({
  ...shapeOfRows,
  givenColumns: z
    .array(z.string())
    .min(1)
    .optional()
    .meta({ description: 'columns that say which group a row is of: they are right, and are not looked at' }),
  falseAlarms: z
    .number()
    .gt(0)
    .lt(1)
    .optional()
    .meta({ description: 'share of right cells that may be reported, above 0 and below 1; 0.005' }),
});

const shareSchema = z.number().min(0).max(1);

export const checkAnswerSchema = z.strictObject({
  rows: z.int().min(1),
  falseAlarms: shareSchema,
  remarks: z.array(z.string()).meta({ description: 'how cells were read that are written otherwise than in training' }),
  cells: z
    .array(
      z.strictObject({
        row: z.int().min(1).meta({ description: 'counted from 1' }),
        column: z.string(),
        value: z.string().nullable().meta({ description: 'null where it is missing' }),
        probability: shareSchema.meta({ description: 'of the value, given all other cells of the row' }),
        expected: z.string(),
        expectedLow: endSchema,
        expectedHigh: endSchema,
        expectedLabel: z.string().nullable(),
        typoOf: z.string().nullable().meta({ description: 'the label that it is probably a misspelling of' }),
        form: z.string().nullable().meta({ description: 'its form, where it is not written as other cells' }),
        score: z.number().meta({ description: 'how unusual it is' }),
      }),
    )
    .meta({ description: 'cells that are probably wrong, the most unusual first' }),
  drift: driftSchema,
});

export type CheckAnswer = z.infer<typeof checkAnswerSchema>;

/**
 * Cells of rows that are probably wrong, as `orchard check --baseline` finds them: by a model of other rows.
 *
 * @throws Refusal for what is not a question of this model
 */
export async function askCheck(asked: DensityModel, question: unknown): Promise<CheckAnswer> {
  const request = parseRows(checkRequestSchema, question);
  const { rows, givenColumns, falseAlarms = 0.005, seed = 0 } = request;
  const model = askedAsTable(asked, 'check');
  // each code of each column is tried beside all other cells
  checkWork(model, { rows: rows.length + SAMPLED, particles: codesOf(model), values: 1 });
  const { table, remarks } = await readAsked(model, request);
  const given = givenColumns === undefined ? null : givenOf(model, givenColumns, 'givenColumns');
  const scored = { models: [model], modelOf: () => 0, given };
  const { cells, drift } = await checkTable(table, scored, { falseAlarms, seed, baseline: model });
  return { rows: rows.length, falseAlarms, remarks: [...remarks], cells: [...cells], drift: [...drift!] };
}
