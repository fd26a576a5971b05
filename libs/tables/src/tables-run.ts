import {
  baseSpecificationShape,
  parseContract,
  permutationSchema,
  seedSchema,
  trainingOptionsSchema,
  type Table,
} from '@orchard/contracts';
import type { BoostingOptions } from '@orchard/boosting';
import { PipelineError, type Run } from '@orchard/pipeline';
import { z } from 'zod';
import { tablesFamily } from './table-model.js';

/** Tables screen nothing and have no members, of which other presets are made. */
const tablePresets = ['paper', 'default'] as const;

/** How a table is trained: as the conditionals of networks are, with variables in the place of dimensions. */
export const tablesWordsSchema = z.strictObject({
  preset: z
    .enum(tablePresets)
    .optional()
    .meta({ description: `a preset of tables: ${tablePresets.join(' or ')}` }),
  ...trainingOptionsSchema.partial().shape,
  ordering: z
    .union([z.enum(['natural', 'random']), permutationSchema])
    .optional()
    .meta({ description: "'natural', 'random' (drawn from the seed), or a permutation of the variables" }),
  seed: seedSchema.optional(),
});

export type TablesWords = z.infer<typeof tablesWordsSchema>;

export const tablesSpecificationSchema = z.strictObject({
  family: z.literal(tablesFamily),
  ...baseSpecificationShape,
  ...trainingOptionsSchema.shape,
  ordering: z
    .union([z.literal('natural'), permutationSchema])
    .meta({ description: "'natural', or a permutation of the variables" }),
  seed: seedSchema,
});

export type TablesSpecification = z.infer<typeof tablesSpecificationSchema>;

/** A run on a table. */
export interface TablesRun extends Run {
  readonly specification: TablesSpecification;
  readonly table: Table;
  /** `ordering[position]` is the variable there. */
  readonly ordering: Uint32Array;
}

const known = new WeakMap<Run, TablesRun>();

/** @throws PipelineError `bad-request` for data sets without variables, or an ordering of other length */
export function tablesRun(run: Run): TablesRun {
  const found = known.get(run);
  if (found !== undefined) return found;
  const specification = parseContract(tablesSpecificationSchema, run.specification, 'run specification');
  const table = requireTable(run.datasets.train.table);
  const made = { ...run, specification, table, ordering: orderingOf(specification.ordering, table) };
  known.set(run, made);
  known.set(made, made);
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

export function orderingOf(ordering: TablesSpecification['ordering'], { variables }: Table): Uint32Array {
  if (ordering === 'natural') return Uint32Array.from(variables, (_, index) => index);
  if (ordering.length === variables.length) return Uint32Array.from(ordering);
  throw new PipelineError('bad-request', {
    got: `${String(ordering.length)} variables`,
    expected: `all ${String(variables.length)} variables of the table`,
    where: 'ordering',
    remedy: 'Name every variable once.',
  });
}

export function boostingOptions({ specification }: TablesRun): BoostingOptions {
  const { leaves, rounds, shrinkage, start, minLeafWeight, maxLeafValue, l2, featureFraction, patience, seed } =
    specification;
  return {
    ...{ leaves, rounds, shrinkage, start, minLeafWeight, l2, featureFraction, patience, seed },
    maxLeafValue: maxLeafValue ?? Infinity,
  };
}
