import { baseSpecificationShape, MAXIMUM_MEMBERS, parseContract, seedSchema } from '@orchard/contracts';
import type { Run } from '@orchard/pipeline';
import type { Grid } from '@orchard/sparse-network';
import { z } from 'zod';

export const sparnFamily = 'sparn';

export const MOST_PENALTIES = 64;
export const MOST_TRIED = 16;

export const optionSchemas = {
  penalty: z.number().min(1e-3).max(1e6),
  components: z.int().min(1).max(MAXIMUM_MEMBERS),
  intervals: z.int().min(2).max(64),
  steps: z.int().min(1).max(100),
  tying: z.enum(['untied', 'tied', 'auto']),
  neighbours: z.int().min(1).max(1000),
  interceptScaling: z.number().min(1).max(1e6),
};

export const sparnSpecificationSchema = z.strictObject({
  family: z.literal(sparnFamily),
  ...baseSpecificationShape,
  /** λ, descending: in the order in which they are gone through. */
  penalty: z.array(optionSchemas.penalty).min(1).max(MOST_PENALTIES),
  interceptScaling: optionSchemas.interceptScaling,
  /** Rows and columns that a pixel looks back; only where there are such limits. */
  neighbours: optionSchemas.neighbours.optional(),
  /** K, ascending; this and the following are there together, and only where more than one component is tried. */
  components: z.array(optionSchemas.components).min(1).max(MOST_TRIED).optional(),
  tying: optionSchemas.tying.optional(),
  /** Absent where whole rows are mixed. */
  intervals: optionSchemas.intervals.optional(),
  steps: optionSchemas.steps.optional(),
  seed: seedSchema.optional(),
  /** Only where what was chosen is learned once more from all rows. */
  refit: z.literal(true).optional(),
  /** Of a refit: so many columns, evenly spaced, choose the penalty of all; absent where all do. */
  choosers: z.int().min(1).optional(),
});

export type SparnSpecification = z.infer<typeof sparnSpecificationSchema>;

/** The columns on which the penalties are tried, ascending: those of few predictors and of many alike. */
export function choosingColumns(
  { choosers }: Pick<SparnSpecification, 'choosers'>,
  columns: number,
): readonly number[] {
  const count = Math.min(columns, choosers ?? columns);
  return Array.from({ length: count }, (_, at) => Math.floor(((at + 0.5) * columns) / count));
}

/** What is tried of mixtures. */
export interface MixtureOptions {
  readonly components: readonly number[];
  readonly tying: z.infer<typeof optionSchemas.tying>;
  /** 1 where whole rows are mixed. */
  readonly intervals: number;
  readonly steps: number;
  readonly seed: number;
}

export function sparnSpecification(run: Run): SparnSpecification {
  return parseContract(sparnSpecificationSchema, run.specification, 'run specification');
}

/** What a run tries of mixtures; K = 1 alone, and no step of EM, where it says nothing. */
export function mixtureOptions(run: Run): MixtureOptions {
  const { components = [1], tying = 'auto', intervals = 1, steps = 1, seed = 0 } = sparnSpecification(run);
  return { components, tying, intervals, steps, seed };
}

/** The pixels of a run, and how far one looks back. */
export function gridOf(run: Run): Grid {
  return { shape: run.datasets.train.shape, neighbours: sparnSpecification(run).neighbours };
}
