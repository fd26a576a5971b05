import type { TableMembers } from './members/table-members.js';
import type { TablesRun } from './tables-run.js';

/** Names of the ordering that are written out. */
const VARIABLES_NAMED = 8;
/** Longer names are cut. */
const NAME_CHARACTERS = 32;

function describeMembers({ count, orderings, folds }: TableMembers): readonly (readonly [string, string])[] {
  const taken = Array.from({ length: count }, (_, member) => orderings[member % orderings.length]!);
  return [
    ['members', `${String(count)}, mixed with equal weights`],
    [
      'orderings',
      [...new Set(taken)].map((kind) => `${kind} (${String(taken.filter((own) => own === kind).length)})`).join(', '),
    ],
    ['folds', `${String(folds)} of training and validation rows together; each member is validated by one`],
  ];
}

/** What a table was trained with, as the page lists it. */
export function describeSettings({ specification, table }: TablesRun): readonly (readonly [string, string])[] {
  const { leaves, rounds, shrinkage, start, minLeafWeight, maxLeafValue, l2, featureFraction, patience } =
    specification;
  const { ordering, seed, members, numericsVersion } = specification;
  const unless = (off: number | null, value: number | null): string => (value === off ? 'off' : String(value));
  const named = (indexes: readonly number[]): string =>
    indexes
      .slice(0, VARIABLES_NAMED)
      .map((index) => [...table.variables[index]!.name].slice(0, NAME_CHARACTERS).join(''))
      .join(', ') + (indexes.length > VARIABLES_NAMED ? ', …' : '');
  return [
    ['leaves of a tree', String(leaves)],
    ['rounds at most', String(rounds)],
    ['shrinkage', String(shrinkage)],
    ['start', start === 'half' ? 'odds of 1' : 'base rate'],
    ['minimum leaf weight', unless(0, minLeafWeight)],
    ['maximum leaf value', unless(null, maxLeafValue)],
    ['l2', unless(0, l2)],
    ['feature fraction', unless(1, featureFraction)],
    ['patience', unless(0, patience)],
    ...(members === undefined
      ? [['ordering', ordering === 'natural' ? 'as in the table' : named(ordering)] as const]
      : describeMembers(members)),
    ['seed', String(seed)],
    ['numerics version', String(numericsVersion)],
  ];
}
