import { z } from 'zod';
import { autoSchema } from './auto.js';
import { contentId } from './canonical.js';
import { MAXIMUM_DIMENSIONS } from './limits.js';
import { memberOptionsSchema } from './members.js';
import { seedSchema, trainingOptionsSchema } from './options.js';
import { informedKinds } from './ordering-kind.js';
import { tuningSchema } from './tuning.js';
import { startSchema, variantShape } from './variants.js';

export const sha256Schema = z
  .string()
  .regex(/^[0-9a-f]{64}$/)
  .meta({ description: 'a sha256: 64 digits 0-9, a-f' });

/** How many rows each split has. */
export const rowsOfSplitsSchema = z.strictObject({
  train: z.int().min(1),
  valid: z.int().min(1),
  test: z.int().min(1).nullable(),
});

const wrongDimension = 'dimensions as whole numbers from 0 on';

/**
 * `ordering[position]` is the stored dimension at that position. The list is looked through by hand, up to the first
 * wrong value: a schema would say of each of a million values what is wrong with it.
 */
export const permutationSchema = z
  .array(z.unknown() as unknown as z.ZodType<number>)
  .min(1)
  .max(MAXIMUM_DIMENSIONS, { abort: true })
  .superRefine((ordering, context) => {
    const at = ordering.findIndex((dim) => !Number.isSafeInteger(dim) || dim < 0);
    if (at >= 0)
      context.addIssue({
        code: 'invalid_type',
        expected: 'int',
        input: ordering[at],
        path: [at],
        message: wrongDimension,
      });
    else if (!isPermutation(ordering)) context.addIssue({ code: 'custom', input: ordering });
  })
  .meta({
    description: 'a permutation of the dimensions, each of 0 to D - 1 once',
    items: { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER },
  });

/** What every run says, whatever its family; a family's own schema says the rest. */
export const baseSpecificationShape = {
  train: sha256Schema,
  valid: sha256Schema,
  test: sha256Schema.nullable().meta({ description: 'the sha256 of the test rows, or null' }),
  numericsVersion: z.int().min(1).meta({ description: 'the version of the kernel and its numerics' }),
} as const;

/** A specification of a family that is not known here: all it says is kept. */
export const baseSpecificationSchema = z.looseObject({
  ...baseSpecificationShape,
  family: z.string().optional().meta({ description: 'the kind of model; absent for lbarn, the first there was' }),
});

export type BaseSpecification = z.infer<typeof baseSpecificationSchema>;

/** The kind of model that a specification is of. The first one is not named in it, so that its runs keep their ids. */
export function familyOf({ family }: { readonly family?: string | undefined }): string {
  return family ?? 'lbarn';
}

/**
 * All that training a network needs, and nothing else: two runs of equal specification are one run. Selection, refit
 * and the name of a preset are not part of it. An ordering that is as stored is always written 'natural'.
 */
export const runSpecificationSchema = z.strictObject({
  ...baseSpecificationShape,
  ...trainingOptionsSchema.shape,
  start: startSchema,
  leaves: z
    .union([trainingOptionsSchema.shape.leaves, autoSchema])
    .meta({ description: `${trainingOptionsSchema.shape.leaves.description!}, or 'auto'` }),
  featureFraction: z
    .union([trainingOptionsSchema.shape.featureFraction, autoSchema])
    .meta({ description: `${trainingOptionsSchema.shape.featureFraction.description!}, or 'auto'` }),
  ordering: z.union([z.enum(['natural', ...informedKinds]), autoSchema, permutationSchema]).meta({
    description:
      "'natural', 'auto', a kind that is found in the training rows, or a permutation of the dimensions, each of 0 to D - 1 once",
  }),
  seed: seedSchema,
  ...variantShape,
  members: memberOptionsSchema.optional().meta({
    description: 'how members are made, where the run is to be a mixture; absent where it is one network',
  }),
  tuning: tuningSchema.optional().meta({
    description: "how the run finds what is 'auto', or tells what fewer predictors lose; absent where there is neither",
  }),
});

export type RunSpecification = z.infer<typeof runSpecificationSchema>;

/** A specification with what was found for all that it left to screening. */
export type SettledSpecification = Omit<RunSpecification, 'leaves' | 'featureFraction' | 'ordering' | 'pseudoCount'> & {
  readonly leaves: number;
  readonly featureFraction: number;
  readonly pseudoCount?: number | undefined;
  readonly ordering: 'natural' | number[];
};

/** SHA-256 of the specification's canonical JSON. */
export function runIdOf(specification: BaseSpecification | RunSpecification): string {
  return contentId(specification);
}

function isPermutation(numbers: readonly number[]): boolean {
  const seen = new Uint8Array(numbers.length);
  for (const number of numbers) {
    if (seen[number] !== 0) return false;
    seen[number] = 1;
  }
  return true;
}
