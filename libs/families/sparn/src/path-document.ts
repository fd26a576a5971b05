import type { LogisticWeights } from '@orchard/logistic';
import { z } from 'zod';

const wholeSchema = z.int().min(0);

/** A column's conditional under every λ of a run, in their order: of each λ as many outputs, of bits one. */
export const pathDocumentSchema = z.strictObject({
  /** Summed nats of the validation rows. */
  valid: z.array(z.number()),
  intercepts: z.array(z.number()),
  /** Weights that are not 0, of each intercept. */
  counts: z.array(wholeSchema),
  /** Of one λ after the other. */
  predictors: z.array(wholeSchema),
  weights: z.array(z.number()),
  /** Of a table: the standard deviation of the variable's Gaussian under each λ. */
  deviations: z.array(z.number()).optional(),
});

export type PathDocument = z.infer<typeof pathDocumentSchema>;

export function pathDocument(
  steps: readonly {
    readonly outputs: readonly LogisticWeights[];
    readonly valid: number;
    readonly deviation?: number;
  }[],
): PathDocument {
  const all = steps.flatMap(({ outputs }) => outputs);
  const deviations = steps.flatMap(({ deviation }) => deviation ?? []);
  return {
    valid: steps.map(({ valid }) => valid),
    intercepts: all.map(({ intercept }) => intercept),
    counts: all.map(({ weights }) => weights.length),
    predictors: all.flatMap(({ predictors }) => Array.from(predictors)),
    weights: all.flatMap(({ weights }) => Array.from(weights)),
    ...(deviations.length > 0 && { deviations }),
  };
}

/** The outputs under one λ of the path. */
export function outputsOf(path: PathDocument, step: number): readonly LogisticWeights[] {
  const { valid, intercepts, counts, predictors, weights } = path;
  const outputs = intercepts.length / valid.length;
  let first = counts.slice(0, step * outputs).reduce((sum, count) => sum + count, 0);
  return intercepts.slice(step * outputs, (step + 1) * outputs).map((intercept, at) => {
    const from = first;
    first += counts[step * outputs + at]!;
    return {
      intercept,
      predictors: Uint32Array.from(predictors.slice(from, first)),
      weights: Float64Array.from(weights.slice(from, first)),
    };
  });
}

/** Weights that are not 0 under one λ. */
export function weightsOf({ valid, counts }: PathDocument, step: number): number {
  const outputs = counts.length / valid.length;
  return counts.slice(step * outputs, (step + 1) * outputs).reduce((sum, count) => sum + count, 0);
}
