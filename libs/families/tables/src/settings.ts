import { AUTO } from '@orchard/contracts';
import { describeLine, type VariableFigures } from '@orchard/model';
import { firstAndMore } from '@orchard/refusal';
import { ROWS_TO_CHOOSE } from './choose-rounds.js';
import type { TableMembers } from './members/table-members.js';
import type { TablesRun } from './tables-run.js';

const startNames = {
  half: 'odds of 1',
  'base-rate': 'base rate',
  linear: 'a line on earlier columns, for columns of numbers',
  auto: 'a line on earlier columns, for columns of numbers that it tells something; the base rate for others',
} as const;

/** Names of the ordering that are written out. */
const VARIABLES_NAMED = 8;
/** Lines that are written out. */
const LINES_NAMED = 40;
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

/** What each variable found, as `4 (2 variables)`. */
function describeLeaves(variables: readonly VariableFigures[], tried: readonly number[]): string {
  const found = variables.flatMap(({ leaves = [] }) => leaves);
  const counts = tried
    .map((leaves) => [leaves, found.filter((own) => own === leaves).length] as const)
    .filter(([, count]) => count > 0)
    .map(([leaves, count]) => `${String(leaves)} (${String(count)})`);
  const isMixed = found.length > variables.length;
  return `found by each variable${isMixed ? ' of each member' : ''} on its validation rows, of ${tried.join(', ')}: ${counts.join(', ')}`;
}

/** Which variables start from a line, and on what. */
function describeLines(variables: readonly VariableFigures[]): readonly (readonly [string, string])[] {
  const lines = variables.flatMap(({ name, line }) => (line === undefined ? [] : [describeLine(shown(name), line)]));
  return lines.length === 0 ? [] : [['start from a line', firstAndMore(lines, LINES_NAMED, String, '; ')]];
}

function shown(name: string): string {
  return [...name].slice(0, NAME_CHARACTERS).join('');
}

/** How an ordering was found, where it was. */
function nameOfKind(ordering: TablesRun['specification']['ordering']): string {
  return typeof ordering === 'string' ? `${ordering}: ` : '';
}

/** What a table was trained with, as the page lists it. */
export function describeSettings(
  { specification, table, datasets, ordering: order, found }: TablesRun,
  variables: readonly VariableFigures[],
): readonly (readonly [string, string])[] {
  const { leaves, rounds, shrinkage, start, minLeafWeight, maxLeafValue, l2, featureFraction, patience } =
    specification;
  const { ordering, seed, members, tuning, numericsVersion, rowsPerTree } = specification;
  const unless = (off: number | null, value: number | null): string => (value === off ? 'off' : String(value));
  const named = (indexes: readonly number[]): string =>
    indexes
      .slice(0, VARIABLES_NAMED)
      .map((index) => shown(table.variables[index]!.name))
      .join(', ') + (indexes.length > VARIABLES_NAMED ? ', …' : '');
  return [
    ['leaves of a tree', leaves === AUTO ? describeLeaves(variables, tuning!.leaves!) : String(leaves)],
    ['rounds at most', String(rounds)],
    ['shrinkage', String(shrinkage)],
    ['start', startNames[start]],
    ...describeLines(variables),
    ['minimum leaf weight', unless(0, minLeafWeight)],
    ['maximum leaf value', unless(null, maxLeafValue)],
    ['l2', unless(0, l2)],
    ['feature fraction', unless(1, featureFraction)],
    ...(rowsPerTree === undefined ? [] : [['rows of a tree', `${String(rowsPerTree)}, drawn for each`] as const]),
    ['patience', unless(0, patience)],
    [
      'rounds kept',
      specification.select !== undefined
        ? `${specification.select}, among the decisions of each column`
        : specification.revision === undefined
          ? 'shared by decisions of a depth'
          : `chosen by each decision that ${String(ROWS_TO_CHOOSE)} validation rows reach; shared by depth by the others`,
    ],
    ...(members === undefined
      ? [
          [
            'ordering',
            ordering === 'natural' && order.every((index, position) => index === position)
              ? 'as in the table'
              : nameOfKind(ordering) + named([...order]),
          ] as const,
        ]
      : describeMembers(members)),
    ...[...found].flatMap(([kind, { rows }]) =>
      rows === datasets.train.rows
        ? []
        : [[`ordering ${kind}`, `found in ${String(rows)} of the training rows`] as const],
    ),
    ['seed', String(seed)],
    ['numerics version', String(numericsVersion)],
  ];
}
