import { parentsFirst } from '@orchard/forests';

/** More would make tables of more values than most sets have rows. */
export const MOST_PARENTS = 8;

/** A Bayesian network of binary columns: of each column its parents, and how it is distributed given them. */
export interface DecisionTables {
  /** Of each column, ascending. */
  readonly parents: readonly Uint32Array[];
  /** P(1) of each column by the values of its parents, the first of which counts 1, the next 2, the next 4, … */
  readonly rates: readonly Float64Array[];
}

/** Of each column which line of its table a row is in. @param valueOf of each column of the row */
export function lineOf(parents: Uint32Array, values: ArrayLike<number>, offset = 0): number {
  let line = 0;
  for (let at = 0; at < parents.length; at++) line |= values[offset + parents[at]!]! << at;
  return line;
}

export function edgesOf({ parents }: Pick<DecisionTables, 'parents'>): number {
  return parents.reduce((sum, own) => sum + own.length, 0);
}

/** Parents before their children, else ascending. @throws RangeError where the tables are those of no network */
export function orderOf({ parents, rates }: DecisionTables): Uint32Array {
  const columns = parents.length;
  if (rates.length !== columns) throw new RangeError(`${String(rates.length)} tables of ${String(columns)} columns`);
  parents.forEach((own, column) => {
    const isAscending = own.every((parent, at) => parent < columns && (at === 0 || parent > own[at - 1]!));
    if (!isAscending || own.length > MOST_PARENTS) throw new RangeError(`the parents of column ${String(column)}`);
    if (rates[column]!.length !== 2 ** own.length || !rates[column]!.every((rate) => rate > 0 && rate < 1))
      throw new RangeError(`the table of column ${String(column)}`);
  });
  return parentsFirst(parents);
}
