import { correctColumn } from '@orchard/dataset';
import { arePredictedGiven, ModelError, type GivenColumns, type TabularModel } from '@orchard/model';

const where = 'givenColumns';

/**
 * The places of columns that say which group a row is of.
 *
 * @throws ModelError `invalid-argument` for a column that the model has not, and where no other is left
 */
export function placesOf(model: TabularModel, names: readonly string[]): GivenColumns {
  const all = model.table.variables.map(({ name }) => name);
  const lost = names.find((name) => !all.includes(name));
  if (lost !== undefined)
    throw new ModelError('invalid-argument', {
      got: `no column ${JSON.stringify(lost)}`,
      expected: 'columns of the model',
      where,
      remedy: correctColumn(lost, all),
    });
  const given = new Set(names.map((name) => all.indexOf(name)));
  if (given.size < all.length) return given;
  throw new ModelError('invalid-argument', {
    got: 'every column of the model',
    expected: 'a column at least that is looked at, given the others',
    where,
    remedy: 'Name fewer columns.',
  });
}

/**
 * The same, for scores that predict by these columns.
 *
 * @throws ModelError `invalid-argument` also for a model in which they are not first
 */
export function placesOfGiven(model: TabularModel, names: readonly string[]): GivenColumns {
  const given = placesOf(model, names);
  if (arePredictedGiven(model, given)) return given;
  throw new ModelError('invalid-argument', {
    got: `${names.join(', ')}, which the model does not predict all other columns by first`,
    expected: 'the first columns of its ordering, and others to score',
    where,
    remedy: `Train one with --model tables --ordering first:${names.join(',')}.`,
  });
}
