import { ascendingNumbers, baseSpecificationShape, parseContract, severalNumbers } from '@orchard/contracts';
import type { Run } from '@orchard/pipeline';
import { z } from 'zod';

export const sparnFamily = 'sparn';

const MOST_PENALTIES = 64;
const penaltySchema = z.number().min(1e-3).max(1e6);
const scalingSchema = z.number().min(1).max(1e6);

/** By factors of √2. Smaller ones take longer, and gained about 0.002 nats a row at most where the smallest was chosen (README). */
const USUAL_PENALTIES = [32, 22.6, 16, 11.3, 8, 5.66, 4, 2.83, 2, 1.41, 1, 0.71, 0.5, 0.35, 0.25, 0.18];

export const sparnWordsSchema = z.strictObject({
  penalty: severalNumbers(
    penaltySchema,
    MOST_PENALTIES,
    `lambda of the sum over all training rows, one for all columns, or several for the validation rows to choose from: numbers from 0.001 to 1000000, with commas (default: ${USUAL_PENALTIES.join(',')})`,
  ),
  interceptScaling: scalingSchema.optional().meta({
    description: 'lambda of weights over that of intercepts: a number from 1 to 1000000 (default: 10)',
  }),
});

export type SparnWords = z.infer<typeof sparnWordsSchema>;

export const sparnSpecificationSchema = z.strictObject({
  family: z.literal(sparnFamily),
  ...baseSpecificationShape,
  /** λ, descending: in the order in which they are gone through. */
  penalty: z.array(penaltySchema).min(1).max(MOST_PENALTIES),
  interceptScaling: scalingSchema,
});

export type SparnSpecification = z.infer<typeof sparnSpecificationSchema>;

export function sparnSpecification(run: Run): SparnSpecification {
  return parseContract(sparnSpecificationSchema, run.specification, 'run specification');
}

/** What words leave open. */
export function wholeWords({
  penalty = USUAL_PENALTIES,
  interceptScaling = 10,
}: SparnWords): Pick<SparnSpecification, 'penalty' | 'interceptScaling'> {
  return { penalty: ascendingNumbers(penalty).reverse(), interceptScaling };
}
