import { z } from 'zod';
import { autoSchema } from './auto.js';
import { MAXIMUM_DIMENSIONS } from './limits.js';
import { rowsPerTreeSchema } from './options.js';

/**
 * Ways of training that the paper names beside its own (sections 5.1 and 6). Each is absent from a specification that
 * does without it, so that such runs are the runs that they always were. Which of them go together is lbarn's to say.
 */

const starts = z.enum(['half', 'base-rate', 'logistic']);

export const startSchema = starts.meta({
  description:
    "start of the first tree: 'half' (odds 1), 'base-rate' (odds of the training rows) or 'logistic' (a sparse logistic regression on earlier columns)",
});

export const startPenaltySchema = z
  .number()
  .gt(0)
  .max(1e6)
  .meta({ description: 'L1 penalty (lambda) of a logistic start, a number above 0 and at most 1e6' });

/** Of which `newton` is what is meant where nothing is said. */
export const gradientsSchema = z.enum(['newton', 'first']).meta({
  description:
    "'newton' (LogitBoost: trees by first and second derivatives) or 'first' (gradient boosting: by first derivatives alone, then a Newton step in each leaf)",
});

/** Of which 0 is what is meant where nothing is said. */
export const dropoutSchema = z.number().min(0).lt(1).meta({
  description:
    'probability of leaving out each earlier tree while fitting the next (DART), a number from 0 (off) to below 1; shrinkage then defaults to 1',
});

/** Of which `none` is what is meant where nothing is said. */
export const exclusiveSchema = z.enum(['none', 'found']).meta({
  description:
    "neighbouring columns that exclude each other, as the labels of a category do: 'found' (the start uses them) or 'none'",
});

export const maxPredictorsSchema = z.int().min(1).max(MAXIMUM_DIMENSIONS).meta({
  description:
    'most columns that predict a column, for very wide data: the ones with most mutual information; faster, less likely',
});

export const nearPredictorsSchema = z.int().min(1).max(MAXIMUM_DIMENSIONS).meta({
  description:
    'of the columns that predict a column, how many are its nearest in the data, whatever they show: where neighbours depend on each other; without maxPredictors these alone',
});

/** The word of a single tree's leaves: in a specification a number, or `auto`. */
export const pseudoCountSchema = z.union([z.number().gt(0).max(1e6), autoSchema]).meta({
  description:
    "pseudocount of a leaf of a single tree, a number above 0 and at most 1e6, or 'auto': one for all columns, chosen by validation rows",
});

/** Which gain divides the leaves of a single tree; a specification that names none means `brier`. */
export const criterionSchema = z.enum(['brier', 'likelihood']).meta({
  description:
    "how a single tree is grown: by the gain in Brier score ('brier') or in likelihood ('likelihood'; likelier on most data) (default: likelihood)",
});

/** What a specification says of these, where it says anything. */
export const variantShape = {
  gradients: z.literal('first').optional().meta({ description: "'first' where trees are found by first derivatives" }),
  dropout: dropoutSchema
    .gt(0)
    .optional()
    .meta({ description: 'chance of each earlier tree to be left out by a round; absent where none is' }),
  exclusive: z.literal('found').optional().meta({
    description: "'found' where groups of exclusive columns are found in the training rows and used; absent where not",
  }),
  maxPredictors: maxPredictorsSchema.optional().meta({
    description: 'most predictors that a dimension is trained on; absent where all are',
  }),
  nearPredictors: nearPredictorsSchema.optional().meta({
    description: 'how many of maxPredictors are the nearest columns as stored; absent where none are asked for',
  }),
  rowsPerTree: rowsPerTreeSchema.optional().meta({
    description: 'how many training rows each tree grows on; absent where all trees grow on all',
  }),
  pseudoCount: pseudoCountSchema
    .optional()
    .meta({ description: 'of a single tree a column instead of boosting; absent where trees are boosted' }),
  criterion: z
    .literal('likelihood')
    .optional()
    .meta({ description: "'likelihood' where single trees are grown by it; absent where by the Brier score" }),
  startPenalty: startPenaltySchema.optional().meta({
    description:
      "penalty of every logistic start; absent where there is none, or where each conditional's validation rows choose",
  }),
} as const;

export const variantSchema = z.strictObject(variantShape);

export type Variant = z.infer<typeof variantSchema>;

/** How a network was trained otherwise than usual, as its summary shows it. */
export const variantSummarySchema = z
  .strictObject({
    gradients: z.literal('first').optional(),
    dropout: z
      .number()
      .gt(0)
      .lt(1)
      .optional()
      .meta({ description: 'where rounds leave trees out: the chance of each to be left out' }),
    exclusive: z
      .strictObject({
        columns: z.int().min(0).meta({ description: 'that others of their group tell of' }),
        chance: z.number().gt(0).lt(1).nullable().meta({
          description:
            'that a value is another than its group says, where training starts; null where no group was found',
        }),
      })
      .optional()
      .meta({ description: 'where groups of exclusive columns are used' }),
    maxPredictors: z
      .strictObject({
        most: z.int().min(1),
        near: z.int().min(1).optional().meta({ description: 'how many of them are the nearest columns' }),
        columns: z.int().min(1).meta({ description: 'that have more columns before them in the ordering' }),
      })
      .optional()
      .meta({ description: 'where columns are predicted from those alone that tell most by themselves' }),
    rowsPerTree: z
      .int()
      .min(1)
      .optional()
      .meta({ description: 'where each tree grows on so many of the training rows' }),
    singleTree: z
      .strictObject({ pseudoCount: z.number().gt(0), criterion: z.literal('likelihood').optional() })
      .optional()
      .meta({ description: 'where each column has a single tree: what is counted as trees are then its splits' }),
    logistic: z
      .strictObject({
        weights: z.int().min(0).meta({ description: 'of all starts that are not 0, intercepts left out' }),
        penalties: z.array(z.strictObject({ penalty: z.number().gt(0), columns: z.int().min(1) })).meta({
          description:
            'penalties of the starts, falling, and how many columns each has; a column that others tell nothing of has none',
        }),
      })
      .optional(),
  })
  .meta({ description: 'how the run was trained otherwise than usual, and what was chosen; absent where it was not' });

export type VariantSummary = z.infer<typeof variantSummarySchema>;
