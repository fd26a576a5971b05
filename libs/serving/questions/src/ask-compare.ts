import { compareModels } from '@orchard/analysis';
import { encodeTable } from '@orchard/dataset';
import { asTabular, type DensityModel } from '@orchard/model';
import { z } from 'zod';
import { parseRows } from './parse-questions.js';
import { shapeOfRows } from './row-documents.js';
import { readAsked } from './rows-as-table.js';
import { checkWork } from './work.js';

export const compareRequestSchema = z.strictObject(shapeOfRows);

const differenceSchema = z.number().nullable();
const likelihoodSchema = z.strictObject({
  logLikelihood: z.number().meta({ description: 'mean nats per row' }),
  isLowerBound: z.boolean().meta({ description: 'whether the model may be likelier than that' }),
});

export const compareAnswerSchema = z.strictObject({
  a: likelihoodSchema.meta({ description: 'of the model that is asked' }),
  b: likelihoodSchema.meta({ description: 'of the other one' }),
  rows: z.int().min(1),
  difference: z.number().meta({ description: 'A less B, mean nats per row' }),
  standardError: differenceSchema.meta({ description: 'of the difference, paired by row; null for one row' }),
  better: z.enum(['a', 'b', 'neither', 'unknown']).meta({
    description: 'by more than two standard errors; `unknown` where the other has a lower bound',
  }),
  columns: z
    .array(
      z.strictObject({
        name: z.string(),
        difference: differenceSchema.meta({ description: 'null where no row tells' }),
        standardError: differenceSchema,
      }),
    )
    .meta({ description: 'in the order of A' }),
  otherLabels: z
    .array(z.string())
    .meta({ description: 'columns whose values only one model tells apart: the other is likelier for that alone' }),
});

export type CompareAnswer = z.infer<typeof compareAnswerSchema>;

/**
 * Which of two models finds rows likelier, as `orchard compare` does.
 *
 * @param b the model that the first one is compared with
 * @throws Refusal for what is not a question of these models
 */
export async function askCompare(a: DensityModel, b: DensityModel, question: unknown): Promise<CompareAnswer> {
  const request = parseRows(compareRequestSchema, question);
  const { length: count } = request.rows;
  for (const model of [a, b]) checkWork(model, { rows: count, values: model.dimensions });
  const { columns, otherLabels, ...whole } = await compareModels(asTabular(a), asTabular(b), async (model) => {
    const { table } = await readAsked(model, request);
    const how = { missing: 'value', withDensities: true, mayBeUnknown: true } as const;
    const [encoded] = await encodeTable(table, model.table, [count], how);
    return encoded!;
  });
  return { ...whole, columns: [...columns], otherLabels: [...otherLabels] };
}
