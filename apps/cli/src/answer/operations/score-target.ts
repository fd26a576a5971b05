import { parseContract, seedSchema } from '@orchard/contracts';
import { readAsTrained } from '@orchard/dataset';
import { asTabular, isBound, scoreTarget as scoresOf, type TabularModel } from '@orchard/model';
import { Refusal } from '@orchard/refusal';
import { z } from 'zod';
import { asBitRows, asTableRows, bitsOf, rawTableOf, rowsSchema, type TableRowsDocument } from '../rows.js';
import type { Operation } from './operation.js';
import { placeOf } from './place-of.js';

const questionSchema = z.strictObject({
  rows: rowsSchema,
  target: z.string(),
  seed: seedSchema.default(0),
});

/** How well one column is predicted given all others, as `orchard evaluate --target` measures it. */
export const scoreTarget: Operation = async (model, question) => {
  const { rows, target, seed } = parseContract(questionSchema, question, 'scoreTarget question');
  if (isBound(model))
    throw new Refusal('invalid-argument', {
      got: `a model of the family ${model.family} whose likelihoods are lower bounds`,
      expected: 'one whose likelihoods are exact',
      where: 'scoreTarget',
      remedy: 'Train another kind of model.',
    });
  const tabular = asTabular(model);
  const index = placeOf(
    target,
    tabular.table.variables.map(({ name }) => name),
  );
  const given = model.table === undefined ? columnsOfBits(asBitRows(rows), tabular) : asTableRows(rows);
  const { table, remarks } = await readAsTrained(rawTableOf(given), tabular.table, { types: given.types });
  const scores = await scoresOf(tabular, table, index, { missing: 'value', seed });
  return { ...scores, column: target, said: remarks };
};

/** Rows of 0 and 1 as a table of labels. */
function columnsOfBits(rows: Parameters<typeof bitsOf>[0], model: TabularModel): TableRowsDocument {
  const { values, known } = bitsOf(rows, model);
  const columns = model.table.variables.map(({ name }, at) => ({
    name,
    labels: ['0', '1'],
    places: Int32Array.from({ length: rows.count }, (_, row) => (known.get(row, at) === 1 ? values.get(row, at) : -1)),
  }));
  return { count: rows.count, columns };
}
