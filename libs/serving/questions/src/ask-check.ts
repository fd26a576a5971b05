import { checkTable } from '@orchard/analysis';
import { codeCount, readAsTrained, type RawCell, type RawTable } from '@orchard/dataset';
import { asTabular, isBound, type DensityModel, type TabularModel } from '@orchard/model';
import { z } from 'zod';
import { QuestionError } from './errors.js';
import { parseTableRows } from './parse-questions.js';
import { endSchema, shapeOfRows, type TableRow } from './table-documents.js';
import { cellsOf, wordFor } from './table-rows.js';
import { checkWork } from './work.js';

/** Rows that are sampled of the model, so that it is known how unusual a right cell may be. */
const SAMPLED = 2000;

export const checkRequestSchema = z.strictObject({
  ...shapeOfRows,
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
  drift: z
    .array(
      z.strictObject({
        column: z.string(),
        distance: shareSchema.meta({ description: 'between the shares of values here and in training; 1: disjoint' }),
        byChance: shareSchema.meta({ description: 'the greatest that chance made of as many rows' }),
      }),
    )
    .meta({ description: 'columns whose values are others than in training, the furthest first' }),
});

export type CheckAnswer = z.infer<typeof checkAnswerSchema>;

/**
 * Cells of rows that are probably wrong, as `orchard check --baseline` finds them: by a model of other rows.
 *
 * @throws Refusal for what is not a question of this model
 */
export async function askCheck(asked: DensityModel, question: unknown): Promise<CheckAnswer> {
  const { rows, names, types, falseAlarms = 0.005, seed = 0 } = parseTableRows(checkRequestSchema, question);
  if (isBound(asked))
    throw new QuestionError('invalid-request', {
      got: 'a model whose likelihoods are lower bounds',
      expected: 'a model that says how likely a cell is, given all others',
      where: 'check',
      remedy: 'Ask a model of another kind.',
    });
  const model = asTabular(asked);
  // each code of each column is tried beside all other cells
  const codes = model.table.variables.reduce((sum, variable) => sum + codeCount(variable), 0);
  checkWork(model, { rows: rows.length + SAMPLED, particles: codes, values: 1 });
  const { table, remarks } = await readAsTrained(tableOf(model, rows, names), model.table, { types });
  const scored = { models: [model], modelOf: () => 0 };
  const { cells, drift } = await checkTable(table, scored, { falseAlarms, seed, baseline: model });
  return { rows: rows.length, falseAlarms, remarks: [...remarks], cells: [...cells], drift: [...drift!] };
}

/** Rows of a request as a table of the model's columns. */
function tableOf(model: TabularModel, rows: readonly TableRow[], names: readonly string[] | undefined): RawTable {
  const columns = model.table.variables.map(({ name }) => name);
  const cells: RawCell[][] = columns.map(() => []);
  for (const [at, row] of rows.entries()) {
    const cellIn = cellsOf(model, row, names, at);
    for (const [index, name] of columns.entries()) cells[index]!.push(cellIn(name, index) ?? null);
  }
  const batch = { rows: rows.length, columns: cells };
  return {
    name: 'rows',
    format: 'jsonl',
    columns,
    hasHeader: true,
    notes: [],
    wordFor,
    batches: async function* () {
      yield await Promise.resolve(batch);
    },
    close: () => Promise.resolve(),
  };
}
