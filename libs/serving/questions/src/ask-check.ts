import {
  checkTable,
  givenOf,
  SAMPLED_FOR_THRESHOLD,
  usualCells,
  type UsualAsked,
  type UsualCells,
} from '@orchard/analysis';
import { askedAsTable, type DensityModel, type TabularModel } from '@orchard/model';
import { oncePer } from '@orchard/numerics';
import { z } from 'zod';
import { QuestionError } from './errors.js';
import { parseRows } from './parse-questions.js';
import { readAsked } from './rows-as-table.js';
import { driftSchema, endSchema, shapeOfRows } from './row-documents.js';
import { codesOf, mostRowsByCells, treesOf } from './work.js';

/**
 * Cells and rows that are sampled of a model at least, so that it is known how unusual a right one may be: of 1,000
 * cells five are beyond the usual share of false alarms.
 */
const FEWEST_CELLS = 1000;
const FEWEST_ROWS = 20;

/** What is usual is kept of a model so many times, each for other words of a question. */
const MOST_KEPT = 16;

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
  remarks: z.array(z.string()).meta({
    description:
      'how cells were read that are written otherwise than in training, and of a large model how it was asked',
  }),
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
  const most = mostRowsByCells(model);
  checkRows(model, rows.length, most);
  const { table, remarks } = await readAsked(model, request);
  const given = givenColumns === undefined ? null : givenOf(model, givenColumns, 'givenColumns');
  const sampled = Math.min(SAMPLED_FOR_THRESHOLD, most);
  const usual = await keptUsual(model, { share: falseAlarms, seed, given, sampled });
  const scored = { models: [model], modelOf: () => 0, given };
  const { cells, drift } = await checkTable(table, scored, { falseAlarms, seed, baseline: model, usual });
  const fewer = sampled < SAMPLED_FOR_THRESHOLD ? [fewerSampled(sampled, model)] : [];
  return { rows: rows.length, falseAlarms, remarks: [...remarks, ...fewer], cells: [...cells], drift: [...drift!] };
}

const keptOf = oncePer<TabularModel, Map<string, UsualCells>>(() => new Map());

/** Found once of a model that is asked again and again: finding it takes as long as a question may. */
async function keptUsual(model: TabularModel, asked: UsualAsked): Promise<UsualCells> {
  const ofModel = keptOf(model);
  const words = JSON.stringify([asked.share, asked.seed, asked.sampled, ...(asked.given ?? [])]);
  const known = ofModel.get(words);
  if (known !== undefined) return known;
  const found = await usualCells(model, asked);
  if (ofModel.size === MOST_KEPT) ofModel.clear();
  ofModel.set(words, found);
  return found;
}

function fewerSampled(sampled: number, model: TabularModel): string {
  return `Of this model of ${treesOf(model)} trees ${sampled} rows were sampled to learn how unusual a right cell may be; \`orchard check --baseline\` samples ${SAMPLED_FOR_THRESHOLD}.`;
}

/** @throws QuestionError `over-limit` where looking at each cell of the rows takes too long */
function checkRows(model: TabularModel, rows: number, most: number): void {
  const isEnough = most >= Math.max(FEWEST_ROWS, Math.ceil(FEWEST_CELLS / model.variables));
  if (isEnough && rows <= most) return;
  throw new QuestionError('over-limit', {
    got: `${isEnough ? `${rows} rows for ` : ''}a model of ${treesOf(model)} trees, whose ${codesOf(model)} codes are each tried`,
    expected: isEnough ? `at most ${most} rows of this model in one request` : 'a smaller model',
    remedy: `${isEnough ? 'Send fewer rows at a time, or use' : 'Use'} \`orchard check --baseline\` with the model's file.`,
  });
}
