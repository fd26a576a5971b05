import { z } from 'zod';
import { MAXIMUM_DIMENSIONS, MAXIMUM_ROUNDS } from './limits.js';
import { meanNats } from './mean-nats.js';
import { orderingKinds, type OrderingKind } from './ordering-kind.js';
import { trainingOptionsSchema } from './options.js';

const { leaves: leavesSchema, featureFraction: featureFractionSchema } = trainingOptionsSchema.shape;

/**
 * How a run screens the settings that it was not given: candidates, and the quicker settings that they are tried with.
 * It decides the bytes, so it is part of the specification; absent where nothing is screened.
 */
export const tuningSchema = z.strictObject({
  leaves: z
    .array(leavesSchema)
    .min(1)
    .max(64)
    .optional()
    .meta({ description: 'leaves of a tree that are tried, ascending; absent where leaves are given' }),
  featureFractions: z.array(featureFractionSchema).min(1).max(64).optional().meta({
    description:
      'shares of the predictors that a tree may use that are tried, the one first that leaves are tried with; absent where it is given',
  }),
  dimensions: z
    .int()
    .min(1)
    .max(MAXIMUM_DIMENSIONS)
    .optional()
    .meta({ description: 'dimensions that these two are tried on, spread over the ordering; with either' }),
  orderings: z
    .array(z.enum(orderingKinds))
    .min(1)
    .max(64)
    .optional()
    .meta({ description: 'orderings that are tried, on all dimensions; absent where the ordering is given' }),
  predictorDimensions: z.int().min(1).max(MAXIMUM_DIMENSIONS).optional().meta({
    description:
      'dimensions, of those that are trained on some of their predictors, that are tried with all of them too, to tell what that loses; absent where all are trained on all',
  }),
  pseudoCounts: z.array(z.number().gt(0)).min(1).max(64).optional().meta({
    description: 'pseudocounts of single trees that are tried, on all dimensions, ascending; absent where one is given',
  }),
  rounds: z.int().min(1).max(MAXIMUM_ROUNDS).meta({ description: 'most rounds of a trial' }),
  shrinkage: trainingOptionsSchema.shape.shrinkage,
  shrinkages: z.array(trainingOptionsSchema.shape.shrinkage).min(1).max(64).optional().meta({
    description:
      'steps that leaves are tried with, ascending: the next where the rounds did not suffice for the one before; absent where all are tried with one',
  }),
  patience: trainingOptionsSchema.shape.patience,
});

export type Tuning = z.infer<typeof tuningSchema>;

/** How leaves, and then the share of predictors, are looked for. */
export interface TreeSearch {
  readonly leaves: readonly number[];
  /** Beside the preset's own, with the leaves that were found. */
  readonly featureFractions: readonly number[];
  /** Of the dimensions, at most `mostDimensions` of them. */
  readonly share: number;
}

/**
 * What is tried where a run is to find its own settings: libs/families/lbarn/README.md has what it costs and gives.
 * `brief` takes less than half of the run's own time, `thorough` up to as much again.
 */
export const tuningDefaults: {
  readonly brief: TreeSearch;
  readonly thorough: TreeSearch;
  /**
   * The paper's search, on all dimensions and with as many rounds as the run has. They did not suffice where the last
   * tenth of them added more than the share `leastRise` of what all added to the common validation curve.
   */
  readonly paper: {
    readonly leaves: readonly number[];
    readonly shrinkages: readonly number[];
    readonly leastRise: number;
  };
  readonly mostDimensions: number;
  readonly orderings: readonly OrderingKind[];
  /** Of data too wide for counts of all pairs. */
  readonly wideOrderings: readonly OrderingKind[];
  /**
   * Trials take steps so many times larger than the run, and as many fewer. Twice as large, small trees look better
   * than they are.
   */
  readonly haste: number;
  readonly pseudoCounts: readonly number[];
  /** Most dimensions that are tried with all their predictors, where they are trained on some. */
  readonly predictorDimensions: number;
  /** Where trials still gain at their last round: how many times the shrinkage of the preset is tried. */
  readonly longerSteps: readonly number[];
} = {
  brief: { leaves: [4, 16, 64], featureFractions: [1], share: 1 / 3 },
  thorough: { leaves: [2, 4, 8, 16, 32, 64], featureFractions: [1, 0.25], share: 1 / 2 },
  // steps are multiples of the run's, so that of .02 they are the paper's .02, .1 and .5
  paper: { leaves: [2, 4, 8, 16, 32, 64, 128], shrinkages: [1, 5, 25], leastRise: 0.001 },
  mostDimensions: 32,
  orderings: ['natural', 'reversed', 'hubs', 'greedy', 'chow-liu', 'entropy', 'entropy-rising'],
  wideOrderings: ['natural', 'reversed', 'random'],
  haste: 3,
  pseudoCounts: [0.001, 0.01, 0.03, 0.1, 0.3, 1, 3, 10],
  predictorDimensions: 16,
  longerSteps: [2, 4],
};

/** Settings with steps that are `haste` times as large, and as many fewer. */
export function quickSettings(
  { rounds, shrinkage, patience }: { readonly rounds: number; readonly shrinkage: number; readonly patience: number },
  haste: number = tuningDefaults.haste,
): Pick<Tuning, 'rounds' | 'shrinkage' | 'patience'> {
  return {
    rounds: Math.ceil(rounds / haste),
    // as people write it, without what binary fractions add
    shrinkage: Math.min(1, Number((shrinkage * haste).toPrecision(12))),
    patience: Math.ceil(patience / haste),
  };
}

const triedShape = {
  validLogLikelihood: meanNats.meta({
    description: 'mean nats per validation row of the dimensions tried, each at the best round of its quick trial',
  }),
  trees: z.int().min(0).meta({ description: 'of all trials, at their best rounds' }),
};

/** Which leaves were tried on which dimensions, and what each gave. */
export const tunedLeavesSchema = z.strictObject({
  chosen: leavesSchema,
  dimensions: z.array(z.int().min(0)).min(1).meta({ description: 'stored dimensions that were tried, ascending' }),
  shrinkage: trainingOptionsSchema.shape.shrinkage
    .optional()
    .meta({ description: 'chosen with them, of a search in full; absent where leaves alone were chosen' }),
  tried: z
    .array(
      z.strictObject({
        leaves: leavesSchema,
        ...triedShape,
        shrinkage: trainingOptionsSchema.shape.shrinkage.optional(),
        rise: z.number().optional().meta({
          description:
            'share of what all rounds add to the common validation curve that the last tenth adds: above 0.001 larger steps are tried too',
        }),
      }),
    )
    .min(1),
});

export type TunedLeaves = z.infer<typeof tunedLeavesSchema>;

/** Which shares of the predictors were tried, and what each gave. */
export const tunedFractionSchema = z.strictObject({
  chosen: featureFractionSchema,
  leaves: leavesSchema.meta({ description: 'of the trees that they were tried with' }),
  dimensions: z.array(z.int().min(0)).min(1).meta({ description: 'stored dimensions that were tried, ascending' }),
  tried: z.array(z.strictObject({ featureFraction: featureFractionSchema, ...triedShape })).min(1),
});

export type TunedFraction = z.infer<typeof tunedFractionSchema>;

/** Which orderings were tried, and what each gave. */
export const tunedOrderingSchema = z.strictObject({
  chosen: z.enum(orderingKinds),
  leaves: leavesSchema.meta({ description: 'of the trees that they were tried with' }),
  tried: z.array(z.strictObject({ ordering: z.enum(orderingKinds), ...triedShape })).min(1),
});

export type TunedOrdering = z.infer<typeof tunedOrderingSchema>;

/** Which pseudocounts of single trees were tried, and what each gave. */
export const tunedPseudoCountSchema = z.strictObject({
  chosen: z.number().gt(0),
  tried: z.array(z.strictObject({ pseudoCount: z.number().gt(0), ...triedShape })).min(1),
});

export type TunedPseudoCount = z.infer<typeof tunedPseudoCountSchema>;

/** How many of the dimensions tried were best at the end of their trial, with the leaves by which most were. */
export const trialLimitSchema = z.strictObject({
  leaves: leavesSchema,
  dimensions: z.int().min(1),
  atLimit: z
    .int()
    .min(0)
    .meta({ description: 'of these dimensions, those that were best in the last rounds of their trial' }),
});

export type TrialLimit = z.infer<typeof trialLimitSchema>;

/**
 * Where trials still gained at their last round: which shrinkages were tried beside the preset's, with which leaves,
 * and what each gave.
 */
export const tunedShrinkageSchema = z.strictObject({
  chosen: trainingOptionsSchema.shape.shrinkage,
  leaves: leavesSchema.meta({ description: 'that were chosen with it' }),
  dimensions: z.array(z.int().min(0)).min(1).meta({ description: 'stored dimensions that were tried, ascending' }),
  tried: z
    .array(z.strictObject({ shrinkage: trainingOptionsSchema.shape.shrinkage, leaves: leavesSchema, ...triedShape }))
    .min(1)
    .meta({ description: 'the first is what would have been trained with' }),
});

export type TunedShrinkage = z.infer<typeof tunedShrinkageSchema>;

/** What training on some of the predictors loses, by quick trials of a few dimensions. */
export const triedPredictorsSchema = z.strictObject({
  most: z.int().min(1).meta({ description: 'predictors that a dimension is trained on at most' }),
  near: z.int().min(1).optional().meta({ description: 'how many of them are the nearest columns; absent where none' }),
  affected: z.int().min(1).meta({ description: 'dimensions that have more before them' }),
  dimensions: z.array(z.int().min(0)).min(1).meta({ description: 'stored dimensions that were tried, ascending' }),
  differences: z.array(z.number()).min(1).meta({
    description:
      'of each of them: mean nats per validation row with so many predictors, less those with all; below 0 where fewer lose',
  }),
  tried: z
    .array(
      z.strictObject({
        predictors: z.int().min(1).nullable().meta({ description: 'at most; null for all' }),
        ...triedShape,
      }),
    )
    .min(1),
});

export type TriedPredictors = z.infer<typeof triedPredictorsSchema>;

/**
 * Which predictors a run looks at, behind their number: the most informative, the nearest, or both.
 */
export function whichPredictors({ most, near = 0 }: Pick<TriedPredictors, 'most' | 'near'>): string {
  if (near === 0) return 'those of the most mutual information';
  if (near === most) return 'the nearest columns';
  return `the ${near} nearest columns and those of the most mutual information`;
}

/**
 * What fewer predictors change of the likelihood of a row, nats, below 0 where they lose, with its standard error (null
 * of one trial): the mean of the dimensions tried, for all that have more predictors.
 */
export function lossOfFewerPredictors({ affected, differences }: TriedPredictors): {
  readonly difference: number;
  readonly standardError: number | null;
} {
  const count = differences.length;
  const mean = differences.reduce((sum, value) => sum + value, 0) / count;
  const squares = differences.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  const standardError = count === 1 ? null : affected * Math.sqrt(squares / (count - 1) / count);
  return { difference: affected * mean, standardError };
}

/** What a run found for itself, as its summary shows it; null for what it was given. */
export const tunedSchema = z
  .strictObject({
    leaves: tunedLeavesSchema.nullable(),
    featureFraction: tunedFractionSchema.optional().meta({ description: 'absent where it was given' }),
    shrinkage: tunedShrinkageSchema.optional().meta({
      description:
        'absent where trials did not gain at their last round: the shrinkage is that of the preset, or was given',
    }),
    ordering: tunedOrderingSchema.nullable(),
    pseudoCount: tunedPseudoCountSchema.optional(),
    predictors: triedPredictorsSchema.optional().meta({
      description: 'what fewer predictors lose, where the run was asked to use fewer: nothing was chosen by it',
    }),
  })
  .meta({ description: 'what the run chose for itself on its validation rows, and what else was tried' });

export type Tuned = z.infer<typeof tunedSchema>;
