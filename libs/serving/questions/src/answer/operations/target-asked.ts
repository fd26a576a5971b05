import { parseContract, seedSchema } from '@orchard/contracts';
import { placeOfColumn } from '@orchard/dataset';
import { askedAsTable, type DensityModel, type TabularModel } from '@orchard/model';
import { z } from 'zod';
import { rowsSchema } from '../rows.js';

const questionSchema = z.strictObject({
  rows: rowsSchema,
  target: z.string(),
  seed: seedSchema.default(0),
});

/**
 * What a question about one column given all others asks: a model that is to predict it, the column's place, and rows.
 *
 * @param name of the question
 * @throws Refusal for a model whose likelihoods are bounds; DatasetError `column` for a column that it has not
 */
export function targetAsked(
  model: DensityModel,
  question: unknown,
  name: string,
): z.infer<typeof questionSchema> & { readonly model: TabularModel; readonly index: number } {
  const asked = parseContract(questionSchema, question, `${name} question`);
  const tabular = askedAsTable(model, name);
  const names = tabular.table.variables.map(({ name }) => name);
  return { ...asked, model: tabular, index: placeOfColumn(asked.target, names, { where: 'target' }) };
}
