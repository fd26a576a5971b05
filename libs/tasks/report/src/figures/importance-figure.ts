import type { ReportFacts } from '../facts.js';
import { dimensionLabel, formatShare } from '../text.js';
import { drawMap, type DimensionFigure } from './dimension-figure.js';

/**
 * The predictors that matter to the explained dimension, largest share first; none where it gains no more than noise.
 */
export function leadingPredictors(
  facts: ReportFacts,
  count: number,
): { readonly dim: number; readonly share: number }[] {
  return Array.from(facts.importance.shares, (share, dim) => ({ dim, share }))
    .filter(({ share }) => share > 0)
    .sort((left, right) => right.share - left.share || left.dim - right.dim)
    .slice(0, count);
}

/**
 * Importances of one pixel on the image (paper, figure 3). Colours grow with the square root of the share, or all but
 * the first neighbours would vanish.
 */
export function drawImportanceMap(facts: ReportFacts, shape: readonly [number, number]): DimensionFigure {
  const { shares, dimension } = facts.importance;
  const { names } = facts.dimensions;
  const highest = leadingPredictors(facts, 1)[0]!.share;
  const nameOf = (dim: number): string => dimensionLabel(dim, names, shape);
  const describe = (dim: number): string =>
    `${nameOf(dim)}: ${dim === dimension ? 'the dimension explained' : formatShare(shares[dim]!)}`;
  return {
    svg: drawMap(
      `Importances for ${nameOf(dimension)}`,
      shape,
      'leaf',
      (dim) => Math.sqrt(shares[dim]! / highest),
      describe,
      dimension,
    ),
    legend: { ramp: 'leaf', low: '0 %', high: formatShare(highest) },
  };
}
