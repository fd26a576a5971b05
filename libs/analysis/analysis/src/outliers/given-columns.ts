import { placeOfColumn } from '@orchard/dataset';
import { arePredictedGiven, type GivenColumns, type TabularModel } from '@orchard/model';
import { Refusal, shellWord } from '@orchard/refusal';

/**
 * The places of the columns that say which group a row is of, so that others are looked at given these.
 *
 * @param names of all columns
 * @param where they were said
 * @throws Refusal for a name that no column has, and where no column is left to look at
 */
export function givenColumns(said: readonly string[], names: readonly string[], where: string): GivenColumns {
  const expected = 'columns that say which group a row is of';
  const given = new Set(said.map((name) => placeOfColumn(name, names, { where, expected })));
  if (given.size < names.length) return given;
  throw new Refusal('invalid-argument', {
    got: 'every column',
    expected: 'a column at least that is looked at, given the others',
    where,
    remedy: 'Name fewer columns.',
  });
}

/** The same of a model, whose columns are looked at as they are. @throws Refusal as {@link givenColumns} */
export function givenOf(model: TabularModel, said: readonly string[], where: string): GivenColumns {
  const names = model.table.variables.map(({ name }) => name);
  return givenColumns(said, names, where);
}

/**
 * The same, for scores that predict by these columns.
 *
 * @throws Refusal as {@link givenColumns}, and for a model that does not predict all other columns given these
 */
export function scoredGiven(model: TabularModel, said: readonly string[], where: string): GivenColumns {
  const given = givenOf(model, said, where);
  if (arePredictedGiven(model, given)) return given;
  const { variables } = model.table;
  const first = [...given].sort((a, b) => a - b).map((place) => variables[place]!.name);
  throw new Refusal('invalid-argument', {
    got: `a model in which ${first.join(', ')} ${given.size === 1 ? 'is not the first column' : 'are not the first columns'}`,
    expected: 'a model that predicts all other columns given these',
    where,
    remedy: `Train one with --model tables --ordering ${shellWord(`first:${first.map(inList).join(',')}`)}.`,
  });
}

/** A column in a list of columns: in double quotes where a comma would end its name. */
function inList(name: string): string {
  return name.includes(',') || name.startsWith('"') ? `"${name.replaceAll('"', '""')}"` : name;
}

/** An ordering of the columns in which the given ones are the first, so that all others are predicted given them. */
export function givenFirst(given: GivenColumns, columns: number): number[] {
  const others = Array.from({ length: columns }, (_, place) => place).filter((place) => !given.has(place));
  return [...[...given].sort((a, b) => a - b), ...others];
}
