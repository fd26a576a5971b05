import { z } from 'zod';
import { MAXIMUM_MEMBERS } from './limits.js';
import { meanNats } from './mean-nats.js';
import { orderingKinds, type tableOrderingKinds } from './ordering-kind.js';
import { refitSchema, selectionMethodSchema } from './selection-method.js';
import { tunedSchema } from './tuning.js';
import { variantSummarySchema } from './variants.js';

/**
 * What is meant where members are asked for without saying how. The order of the orderings was settled by what the
 * folds of mushrooms, adult and nltcs gave them (never by test rows): a run of few members has those first.
 */
export const memberDefaults: {
  readonly members: number;
  readonly folds: number;
  /** Each is a network of every member. */
  readonly committeeFolds: number;
  readonly orderings: readonly (typeof tableOrderingKinds)[number][];
  /** Of data too wide for counts of all pairs. */
  readonly wideOrderings: readonly (typeof tableOrderingKinds)[number][];
} = {
  members: 8,
  folds: 8,
  committeeFolds: 5,
  orderings: ['natural', 'reversed', 'greedy', 'hubs', 'random', 'chow-liu', 'random', 'random'],
  wideOrderings: ['natural', 'reversed', 'random', 'random'],
};

export const orderingKindsSchema = z
  .array(z.enum(orderingKinds))
  .min(1)
  .max(MAXIMUM_MEMBERS)
  .meta({ description: `orderings that the members take turns with: any of ${orderingKinds.join(', ')}` });

export const foldsSchema = z.int().min(2).max(MAXIMUM_MEMBERS).meta({
  description:
    'parts of the training and validation rows together, a whole number from 2 to 1024: member m validates with part m mod F',
});

export const memberCountSchema = z
  .int()
  .min(1)
  .max(MAXIMUM_MEMBERS)
  .meta({ description: 'networks to mix, a whole number from 1 to 1024' });

/**
 * How the members of a run are made, whatever their number: member m has ordering `orderings[m mod …]` and is validated
 * by fold m mod `folds`; a committee has a network for each fold.
 */
export const memberOptionsSchema = z.strictObject({
  orderings: orderingKindsSchema,
  folds: foldsSchema,
  committee: z.literal(true).optional().meta({ description: 'true where each member is a committee' }),
});

export type MemberOptions = z.infer<typeof memberOptionsSchema>;

/** One member of a mixture, as the summary shows it. */
const memberFiguresSchema = z.strictObject({
  member: z.int().min(0),
  ordering: z.enum(orderingKinds),
  folds: z.array(z.int().min(0)).min(1).meta({ description: 'those that validated: one, or of a committee each' }),
  weight: z.number().gt(0).max(1),
  trees: z.int().min(0),
  foldLogLikelihood: meanNats.meta({
    description:
      'mean nats per row of the folds that chose its rounds, before any refit; of a committee the mean over its networks',
  }),
  heldOutLogLikelihood: meanNats.meta({ description: 'of this member alone, on the rows that `judged` names' }),
  togetherLogLikelihood: meanNats.meta({
    description: 'of the members up to this one, mixed evenly, on the rows that `judged` names',
  }),
});

export type MemberFigures = z.infer<typeof memberFiguresSchema>;

/** What the summary of any mixture whose members were validated by folds says of them. */
export const mixedSummarySchema = z.looseObject({
  members: z.array(memberFiguresSchema).min(1),
  judged: z.enum(['test', 'validation']).meta({
    description:
      'rows that the figures of members are of; validation rows, where there are no test rows, have trained members',
  }),
});

export type MixedSummary = z.infer<typeof mixedSummarySchema>;

/** What the summary of a mixture of networks says beside that of any model. */
export const membersSummarySchema = z.looseObject({
  ...mixedSummarySchema.shape,
  network: z.looseObject({
    selection: selectionMethodSchema,
    refit: refitSchema,
    members: memberCountSchema,
  }),
  variant: variantSummarySchema.optional(),
  tuned: tunedSchema.optional(),
});

export type MembersSummary = z.infer<typeof membersSummarySchema>;
