import { z } from 'zod';
import { MAXIMUM_DIMENSIONS, MAXIMUM_ROUNDS } from './limits.js';
import { meanNats } from './mean-nats.js';
import { orderingKinds, type OrderingKind } from './ordering-kind.js';
import { trainingOptionsSchema } from './options.js';

/** Said in place of a figure or an ordering: candidates are screened, and the validation rows choose. */
export const AUTO = 'auto';

export const autoSchema = z.literal(AUTO);

const leavesSchema = trainingOptionsSchema.shape.leaves;

/**
 * How a run screens what it was not told: candidates, and the quicker settings that they are tried with. It decides the bytes, so
 * it is part of the specification; absent where nothing is screened.
 */
export const tuningSchema = z.strictObject({
  leaves: z
    .array(leavesSchema)
    .min(1)
    .max(64)
    .optional()
    .meta({ description: 'leaves of a tree that are tried, ascending; absent where leaves are given' }),
  dimensions: z
    .int()
    .min(1)
    .max(MAXIMUM_DIMENSIONS)
    .optional()
    .meta({ description: 'dimensions that the leaves are tried on, spread over the ordering; with leaves' }),
  orderings: z
    .array(z.enum(orderingKinds))
    .min(1)
    .max(64)
    .optional()
    .meta({ description: 'orderings that are tried, on all dimensions; absent where the ordering is given' }),
  rounds: z.int().min(1).max(MAXIMUM_ROUNDS).meta({ description: 'most rounds of a trial' }),
  shrinkage: trainingOptionsSchema.shape.shrinkage,
  patience: trainingOptionsSchema.shape.patience,
});

export type Tuning = z.infer<typeof tuningSchema>;

/** How leaves are looked for. */
export interface LeafSearch {
  readonly leaves: readonly number[];
  /** Of the dimensions, at most `mostDimensions` of them. */
  readonly share: number;
}

/**
 * What is tried where a run is to find its own settings: libs/lbarn/README.md has what it costs and gives. `brief` takes less than
 * half of the run's own time, `thorough` up to as much again.
 */
export const tuningDefaults: {
  readonly brief: LeafSearch;
  readonly thorough: LeafSearch;
  readonly mostDimensions: number;
  readonly orderings: readonly OrderingKind[];
  /** Of data too wide for counts of all pairs. */
  readonly wideOrderings: readonly OrderingKind[];
  /** Trials take steps so many times larger than the run, and as many fewer. Twice as large, small trees look better than they are. */
  readonly haste: number;
} = {
  brief: { leaves: [4, 16, 64], share: 1 / 3 },
  thorough: { leaves: [2, 4, 8, 16, 32, 64], share: 1 / 2 },
  mostDimensions: 32,
  orderings: ['natural', 'reversed', 'hubs', 'greedy', 'chow-liu', 'entropy', 'entropy-rising'],
  wideOrderings: ['natural', 'reversed', 'random'],
  haste: 3,
};

const triedShape = {
  validLogLikelihood: meanNats.meta({
    description: 'mean nats a validation row of the dimensions tried, each at the best round of its quick trial',
  }),
  trees: z.int().min(0).meta({ description: 'of all trials, at their best rounds' }),
};

/** Which leaves were tried on which dimensions, and what each gave. */
export const tunedLeavesSchema = z.strictObject({
  chosen: leavesSchema,
  dimensions: z.array(z.int().min(0)).min(1).meta({ description: 'stored dimensions that were tried, ascending' }),
  tried: z.array(z.strictObject({ leaves: leavesSchema, ...triedShape })).min(1),
});

export type TunedLeaves = z.infer<typeof tunedLeavesSchema>;

/** Which orderings were tried, and what each gave. */
export const tunedOrderingSchema = z.strictObject({
  chosen: z.enum(orderingKinds),
  leaves: leavesSchema.meta({ description: 'of the trees that they were tried with' }),
  tried: z.array(z.strictObject({ ordering: z.enum(orderingKinds), ...triedShape })).min(1),
});

export type TunedOrdering = z.infer<typeof tunedOrderingSchema>;

/** What a run found for itself, as its summary tells of it; null for what it was told. */
export const tunedSchema = z
  .strictObject({ leaves: tunedLeavesSchema.nullable(), ordering: tunedOrderingSchema.nullable() })
  .meta({ description: 'what the run chose for itself on its validation rows, and what else was tried' });

export type Tuned = z.infer<typeof tunedSchema>;
