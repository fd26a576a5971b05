import type { LogisticWeights, MixedWeights, RowShares } from '@orchard/logistic';
import { z } from 'zod';

const wholes = z.array(z.int().min(0));
const numbers = z.array(z.number());

/** The weights of one target, as they are kept between tasks. */
export const weightsDocumentSchema = z.strictObject({ intercept: z.number(), predictors: wholes, weights: numbers });

export type WeightsDocument = z.infer<typeof weightsDocumentSchema>;

/** The same under all components of a mixture. */
export const mixedWeightsDocumentSchema = z.strictObject({
  intercept: z.number(),
  intercepts: numbers,
  predictors: wholes,
  weights: numbers,
  own: z.strictObject({ components: wholes, predictors: wholes, weights: numbers }),
});

export type MixedWeightsDocument = z.infer<typeof mixedWeightsDocumentSchema>;

/** How rows are shared out among components. */
export const sharesDocumentSchema = z.strictObject({ starts: wholes, componentOf: wholes, shares: numbers });

export type SharesDocument = z.infer<typeof sharesDocumentSchema>;

export function weightsDocument({ intercept, predictors, weights }: LogisticWeights): WeightsDocument {
  return { intercept, predictors: Array.from(predictors), weights: Array.from(weights) };
}

export function mixedWeightsDocument(mixed: MixedWeights): MixedWeightsDocument {
  const { intercept, intercepts, predictors, weights, own } = mixed;
  return {
    intercept,
    intercepts: Array.from(intercepts),
    predictors: Array.from(predictors),
    weights: Array.from(weights),
    own: {
      components: Array.from(own.components),
      predictors: Array.from(own.predictors),
      weights: Array.from(own.weights),
    },
  };
}

export function sharesDocument({ starts, componentOf, shares }: RowShares): SharesDocument {
  return { starts: Array.from(starts), componentOf: Array.from(componentOf), shares: Array.from(shares) };
}

export function sharesFrom({ starts, componentOf, shares }: SharesDocument, components: number): RowShares {
  return {
    components,
    starts: Uint32Array.from(starts),
    componentOf: Uint32Array.from(componentOf),
    shares: Float64Array.from(shares),
  };
}
