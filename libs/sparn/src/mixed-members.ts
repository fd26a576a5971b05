import type { JsonValue, Variables } from '@orchard/model';
import type { PartDocument } from './mixed-documents.js';
import { Sparn } from './sparn-model.js';

type Part = PartDocument[number];

const untold = { train: null, valid: null, test: null };

/** The networks of the components, from the weights of every column. */
export function membersOf(
  parts: readonly Part[],
  { dimensions, names, shape }: Pick<Variables, 'dimensions' | 'names' | 'shape'>,
  specificationOf: (component: number) => JsonValue = () => null,
): readonly Sparn[] {
  const components = parts[0]!.intercepts.length;
  // of each component, column after column
  const starts = Array.from({ length: components }, () => new Uint32Array(dimensions + 1));
  const predictors: number[][] = starts.map(() => []);
  const weights: number[][] = starts.map(() => []);
  const sums = starts.map(() => new Float64Array(dimensions));
  parts.forEach((part, column) => {
    part.predictors.forEach((predictor, at) => {
      for (const own of sums) own[predictor] = part.weights[at]!;
    });
    part.own.predictors.forEach((predictor, at) => {
      sums[part.own.components[at]!]![predictor]! += part.own.weights[at]!;
    });
    sums.forEach((own, h) => {
      for (let predictor = 0; predictor < column; predictor++) {
        if (own[predictor] === 0) continue;
        predictors[h]!.push(predictor);
        weights[h]!.push(own[predictor]!);
      }
      own.fill(0);
      starts[h]![column + 1] = weights[h]!.length;
    });
  });
  return starts.map((own, h) => {
    const head = { dimensions, names, shape, specification: specificationOf(h), likelihoods: untold };
    return new Sparn(head, {
      intercepts: Float64Array.from(parts, ({ intercept, intercepts }) => intercept + intercepts[h]!),
      starts: own,
      predictors: Uint32Array.from(predictors[h]!),
      weights: Float64Array.from(weights[h]!),
    });
  });
}
