import { correctColumn, DatasetError } from '@orchard/dataset';
import { asTabular, isBound, type DensityModel, type TabularModel } from '@orchard/model';
import { Refusal } from '@orchard/refusal';

/**
 * A model that is to predict one of its columns, and the column's place.
 *
 * @param where the question
 * @throws Refusal for a model whose likelihoods are bounds; DatasetError `column` for a column that it has not
 */
export function targetOf(
  model: DensityModel,
  target: string,
  where: string,
): { readonly model: TabularModel; readonly index: number } {
  if (isBound(model))
    throw new Refusal('invalid-argument', {
      got: `a model of the family ${model.family} whose likelihoods are lower bounds`,
      expected: 'one whose likelihoods are exact',
      where,
      remedy: 'Train another kind of model.',
    });
  const tabular = asTabular(model);
  const names = tabular.table.variables.map(({ name }) => name);
  const index = names.indexOf(target);
  if (index >= 0) return { model: tabular, index };
  throw new DatasetError('column', {
    got: JSON.stringify(target.slice(0, 80)),
    expected: 'a column of the model',
    where: 'target',
    remedy: correctColumn(target, names),
  });
}
