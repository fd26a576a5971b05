import type { LogisticWeights } from '@orchard/logistic';
import { z } from 'zod';

const wholeSchema = z.int().min(0);

/** A column's conditional under every λ of a run, in their order. */
export const pathDocumentSchema = z.strictObject({
  /** Summed nats of the validation rows. */
  valid: z.array(z.number()),
  intercepts: z.array(z.number()),
  /** Weights that are not 0, under each λ. */
  counts: z.array(wholeSchema),
  /** Of one λ after the other. */
  predictors: z.array(wholeSchema),
  weights: z.array(z.number()),
});

export type PathDocument = z.infer<typeof pathDocumentSchema>;

export function pathDocument(
  steps: readonly { readonly fitted: LogisticWeights; readonly valid: number }[],
): PathDocument {
  return {
    valid: steps.map(({ valid }) => valid),
    intercepts: steps.map(({ fitted }) => fitted.intercept),
    counts: steps.map(({ fitted }) => fitted.weights.length),
    predictors: steps.flatMap(({ fitted }) => Array.from(fitted.predictors)),
    weights: steps.flatMap(({ fitted }) => Array.from(fitted.weights)),
  };
}

/** The conditional under one λ of the path. */
export function stepOf({ intercepts, counts, predictors, weights }: PathDocument, step: number): LogisticWeights {
  const first = counts.slice(0, step).reduce((sum, count) => sum + count, 0);
  const end = first + counts[step]!;
  return {
    intercept: intercepts[step]!,
    predictors: Uint32Array.from(predictors.slice(first, end)),
    weights: Float64Array.from(weights.slice(first, end)),
  };
}
