import {
  AUTO,
  autoSchema,
  baseSpecificationShape,
  parseContract,
  pairOrderingKinds,
  permutationSchema,
  rowsPerTreeSchema,
  seedSchema,
  selectionMethodSchema,
  tableOrderingKinds,
  tablePresetNames,
  tableStartSchema,
  trainingOptionsSchema,
  tuningSchema,
  type InformedKind,
  type Table,
} from '@orchard/contracts';
import { totalsBeforeParts } from '@orchard/dataset';
import type { BoostingOptions, LeafSearch } from '@orchard/logitboost';
import { PipelineError, plainOrdering, type Fold, type OrderingDocument, type Run } from '@orchard/pipeline';
import { z } from 'zod';
import { memberWordsShape, tableMembersSchema } from './members/table-members.js';
import { tablesFamily } from './table-model.js';

const leavesSchema = z.union([trainingOptionsSchema.shape.leaves, autoSchema]);

/** How a table is trained: as the conditionals of networks are, with variables instead of dimensions. */
export const tablesWordsSchema = z.strictObject({
  preset: z
    .enum(tablePresetNames)
    .optional()
    .meta({ description: `a preset of tables: ${tablePresetNames.join(' or ')}` }),
  ...trainingOptionsSchema.partial().shape,
  leaves: leavesSchema.optional().meta({
    description: `${trainingOptionsSchema.shape.leaves.description!}, or 'auto': each variable's by its validation rows`,
  }),
  start: tableStartSchema.optional(),
  rowsPerTree: rowsPerTreeSchema.optional(),
  ordering: z
    .union([z.enum(tableOrderingKinds), permutationSchema])
    .optional()
    .meta({
      description: `'natural', 'reversed', 'random' (drawn from the seed), ${pairOrderingKinds.map((kind) => `'${kind}'`).join(', ')} (found in the training rows), or a permutation of the variables; not 'auto', which would train all columns in each ordering, nor those by variance, which labels do not have`,
    }),
  seed: seedSchema.optional(),
  select: selectionMethodSchema.optional(),
  ...memberWordsShape,
});

export type TablesWords = z.infer<typeof tablesWordsSchema>;

export const tablesSpecificationSchema = z.strictObject({
  family: z.literal(tablesFamily),
  ...baseSpecificationShape,
  ...trainingOptionsSchema.shape,
  leaves: leavesSchema.meta({ description: `${trainingOptionsSchema.shape.leaves.description!}, or 'auto'` }),
  start: tableStartSchema,
  rowsPerTree: rowsPerTreeSchema.optional().meta({
    description: 'how many training rows each tree grows on; absent where all trees grow on all',
  }),
  ordering: z.union([z.enum(['natural', ...pairOrderingKinds]), permutationSchema]).meta({
    description: "'natural', a kind that is found in the training rows, or a permutation of the variables",
  }),
  seed: seedSchema,
  members: tableMembersSchema
    .optional()
    .meta({ description: 'how many models are mixed, and how they are made; absent of one' }),
  revision: z
    .union([z.literal(2), z.literal(3), z.literal(4)])
    .optional()
    .meta({
      description:
        'how variables are trained: since 2 decisions that enough validation rows reach choose their own rounds, since 3 lines look at products of numbers, since 4 orderings look at fewer rows; absent of earlier releases',
    }),
  select: selectionMethodSchema.optional().meta({
    description:
      'how validation rows choose the rounds of each variable, among its decisions; absent: each decision that enough of them reach by itself, the others by depth',
  }),
  tuning: tuningSchema
    .optional()
    .meta({ description: 'leaves that each variable tries, and how; absent where leaves are said' }),
});

export type TablesSpecification = z.infer<typeof tablesSpecificationSchema>;

/** A run on a table, or a member of one: the same run with its own ordering, seed and rows. */
export interface TablesRun extends Run {
  readonly specification: TablesSpecification;
  readonly table: Table;
  /** `ordering[position]` is the variable there. */
  readonly ordering: Uint32Array;
  /** Orderings that were found in the rows, by kind: `orderedRun` has them, and `requireOrderings` sees to it. */
  readonly found: ReadonlyMap<InformedKind, OrderingDocument>;
  /** Which member; null of a whole run. */
  readonly member: number | null;
  /** Of a member: which rows of training and validation together validate it. */
  readonly fold: Fold | null;
}

const workedOut = new WeakMap<Run, TablesRun>();

/** @throws PipelineError `bad-request` for data sets without variables, or an ordering of other length */
export function tablesRun(run: Run): TablesRun {
  const before = workedOut.get(run);
  if (before !== undefined) return before;
  const specification = parseContract(tablesSpecificationSchema, run.specification, 'run specification');
  const table = requireTable(run.datasets.train.table);
  const found = new Map<InformedKind, OrderingDocument>();
  const ordering = orderingOf(specification.ordering, table, found);
  const made: TablesRun = { ...run, specification, table, ordering, found, member: null, fold: null };
  workedOut.set(run, made);
  workedOut.set(made, made);
  return made;
}

/** @throws PipelineError `bad-request` where rows are bits without variables */
export function requireTable(table: Table | undefined): Table {
  if (table !== undefined) return table;
  throw new PipelineError('bad-request', {
    got: 'rows of bits',
    expected: 'a table: rows with variables',
    where: 'train',
    remedy: 'Use another model for rows of 0 and 1, or read the file as a table.',
  });
}

/**
 * A permutation is taken as it is; in other orderings totals come before their parts (`totalsBeforeParts`).
 *
 * @param found of the kinds that look at rows; where one is not found, the natural ordering stands in
 * @throws PipelineError `bad-request` for a permutation of other length
 */
export function orderingOf(
  ordering: TablesSpecification['ordering'],
  table: Table,
  found: TablesRun['found'],
): Uint32Array {
  const { variables } = table;
  if (typeof ordering === 'string') {
    const kind = ordering === 'natural' ? undefined : found.get(ordering)?.ordering;
    return Uint32Array.from(totalsBeforeParts(table, kind ?? plainOrdering('natural', variables.length, 0)));
  }
  if (ordering.length === variables.length) return Uint32Array.from(ordering);
  throw new PipelineError('bad-request', {
    got: `${String(ordering.length)} variables`,
    expected: `all ${String(variables.length)} variables of the table`,
    where: 'ordering',
    remedy: 'Name every variable once.',
  });
}

export function boostingOptions({ specification }: TablesRun): BoostingOptions {
  const { leaves, rounds, shrinkage, minLeafWeight, maxLeafValue, l2, featureFraction, patience, seed } = specification;
  const { rowsPerTree } = specification;
  // decisions that do not start from a line, and those of variables that have none, start from rates
  const start = specification.start === 'half' ? 'half' : 'base-rate';
  return {
    rounds,
    shrinkage,
    start,
    minLeafWeight,
    l2,
    featureFraction,
    patience,
    rowsPerTree,
    seed,
    // of those that are to be found the first stands in
    leaves: leaves === AUTO ? leafSearchOf({ specification })!.leaves[0]! : leaves,
    maxLeafValue: maxLeafValue ?? Infinity,
  };
}

/** How each variable finds its leaves; null where they are said. */
export function leafSearchOf({ specification: { tuning } }: Pick<TablesRun, 'specification'>): LeafSearch | null {
  if (tuning === undefined) return null;
  const { leaves = [], rounds, shrinkage, patience } = tuning;
  return { leaves, rounds, shrinkage, patience };
}

/** Which variables start from a line: all that have one, those that it tells something, or none. */
export function linesOf({ specification: { start } }: Pick<TablesRun, 'specification'>): 'all' | 'useful' | 'none' {
  if (start === 'linear') return 'all';
  return start === 'auto' ? 'useful' : 'none';
}
