import { untold, type JsonValue, type Variables } from '@orchard/model';
import { Sparn } from './sparn-model.js';
import type { SparseWeights } from './sparse-weights.js';

/**
 * Of one column under every component: the log-odds of component h are intercept + intercepts[h] + Σ (shared + own
 * weights of h) times ±1.
 */
export interface ColumnOfComponents {
  readonly intercept: number;
  readonly intercepts: readonly number[];
  /** Weights that all components share, of columns before this one. */
  readonly predictors: readonly number[];
  readonly weights: readonly number[];
  readonly own: {
    readonly components: readonly number[];
    readonly predictors: readonly number[];
    readonly weights: readonly number[];
  };
}

/** The networks of the components, from the weights of every column. */
export function membersOf(
  parts: readonly ColumnOfComponents[],
  { dimensions, names, shape }: Pick<Variables, 'dimensions' | 'names' | 'shape'>,
  specificationOf: (component: number) => JsonValue = () => null,
): readonly Sparn[] {
  return weightsOfComponents(parts, 0).map((sparse, h) => {
    const head = { dimensions, names, shape, specification: specificationOf(h), likelihoods: untold };
    return new Sparn(head, sparse);
  });
}

/** What each component has of these columns, of which the first is column `first`. */
export function weightsOfComponents(parts: readonly ColumnOfComponents[], first: number): readonly SparseWeights[] {
  const components = parts[0]!.intercepts.length;
  // of each component, column after column
  const starts = Array.from({ length: components }, () => new Uint32Array(parts.length + 1));
  const predictors: number[][] = starts.map(() => []);
  const weights: number[][] = starts.map(() => []);
  const sums = starts.map(() => new Float64Array(first + parts.length));
  parts.forEach((part, column) => {
    part.predictors.forEach((predictor, at) => {
      for (const own of sums) own[predictor] = part.weights[at]!;
    });
    part.own.predictors.forEach((predictor, at) => {
      sums[part.own.components[at]!]![predictor]! += part.own.weights[at]!;
    });
    sums.forEach((own, h) => {
      for (let predictor = 0; predictor < first + column; predictor++) {
        if (own[predictor] === 0) continue;
        predictors[h]!.push(predictor);
        weights[h]!.push(own[predictor]!);
      }
      own.fill(0);
      starts[h]![column + 1] = weights[h]!.length;
    });
  });
  return starts.map((own, h) => ({
    intercepts: Float64Array.from(parts, ({ intercept, intercepts }) => intercept + intercepts[h]!),
    starts: own,
    predictors: Uint32Array.from(predictors[h]!),
    weights: Float64Array.from(weights[h]!),
  }));
}
