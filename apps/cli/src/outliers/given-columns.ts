import { didYouMean } from '@orchard/dataset';
import { arePredictedGiven, type GivenColumns, type TabularModel } from '@orchard/model';
import { shellWord } from '../command-line/quoted.js';
import { UsageError } from '../errors.js';

const FLAG = '--given-columns';

/**
 * The places of the columns that scores are given.
 *
 * @param names of all columns of the table
 * @throws UsageError for a name that no column has, and where no column is left to score
 */
export function givenColumns(said: readonly string[], names: readonly string[]): GivenColumns {
  const given = new Set(
    said.map((name) => {
      const place = names.indexOf(name);
      if (place >= 0) return place;
      throw new UsageError({
        got: `no column ${JSON.stringify(name)}`,
        expected: 'columns of the table that say which group a row is of',
        where: FLAG,
        remedy: didYouMean(name, names) ?? 'orchard describe lists the columns of a file.',
      });
    }),
  );
  if (given.size < names.length) return given;
  throw new UsageError({
    got: 'every column of the table',
    expected: 'a column at least that is scored, given the others',
    where: FLAG,
    remedy: 'Name fewer columns.',
  });
}

/** An ordering of the columns in which the given ones are the first, so that all others are predicted given them. */
export function givenFirst(given: GivenColumns, columns: number): number[] {
  const others = Array.from({ length: columns }, (_, place) => place).filter((place) => !given.has(place));
  return [...[...given].sort((a, b) => a - b), ...others];
}

/**
 * The places of the columns that scores of a model are given.
 *
 * @throws UsageError as {@link givenColumns}, and for a model that does not predict all other columns given these
 */
export function placesOfGiven(said: readonly string[], model: TabularModel): GivenColumns {
  const given = givenColumns(
    said,
    model.table.variables.map(({ name }) => name),
  );
  requirePredictedGiven(model, given);
  return given;
}

/** @throws UsageError for a model that does not predict all other columns given these */
function requirePredictedGiven(model: TabularModel, given: GivenColumns): void {
  if (arePredictedGiven(model, given)) return;
  const { variables } = model.table;
  const first = [...given].sort((a, b) => a - b).map((place) => variables[place]!.name);
  throw new UsageError({
    got: `a model in which ${first.join(', ')} ${given.size === 1 ? 'is not the first column' : 'are not the first columns'}`,
    expected: 'a model that predicts all other columns given these',
    where: FLAG,
    remedy: `Train one with --model tables --ordering ${shellWord(`first:${first.join(',')}`)}.`,
  });
}
