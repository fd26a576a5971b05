import * as Plot from '@observablehq/plot';
import type { ReportFacts } from '../facts.js';
import { drawPlot } from '../plotting.js';
import { dimensionLabel, formatShare } from '../text.js';
import { drawMap, type DimensionFigure } from './dimension-figure.js';

const LISTED = 20;

/** The predictors that matter to the explained dimension, largest share first. */
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
 * Importances of one dimension: on the image where the data has a shape (paper, figure 3), else as bars of the largest. Colours grow with
 * the square root of the share, or all but the first neighbours would vanish. Null where the conditional has no splits.
 */
export function drawImportance(facts: ReportFacts): DimensionFigure | null {
  const { shares, dimension } = facts.importance;
  const { shape } = facts.dataset;
  const { names } = facts.dimensions;
  const leading = leadingPredictors(facts, LISTED);
  const highest = leading[0]?.share;
  if (highest === undefined) return null;
  const nameOf = (dim: number): string => dimensionLabel(dim, names, shape);
  const label = `Importances for ${nameOf(dimension)}`;
  if (shape !== null) {
    const describe = (dim: number): string =>
      `${nameOf(dim)}: ${dim === dimension ? 'the dimension explained' : formatShare(shares[dim]!)}`;
    return {
      svg: drawMap(label, shape, 'leaf', (dim) => Math.sqrt(shares[dim]! / highest), describe, dimension),
      legend: { ramp: 'leaf', low: '0 %', high: formatShare(highest) },
    };
  }
  const longest = Math.max(...leading.map(({ dim }) => nameOf(dim).length));
  return {
    legend: null,
    svg: drawPlot(label, {
      width: 1080,
      height: 46 + leading.length * 20,
      marginLeft: Math.min(420, 24 + longest * 6.6),
      marginRight: 56,
      marginBottom: 36,
      marginTop: 8,
      x: { domain: [0, highest], label: 'share of the gain →', ticks: 5, tickFormat: formatShare },
      y: {
        domain: leading.map(({ dim }) => dim),
        label: null,
        tickFormat: (dim: number) => shorten(nameOf(dim)),
        tickSize: 0,
      },
      marks: [
        Plot.gridX({ ticks: 5, stroke: 'var(--line)', strokeOpacity: 1 }),
        Plot.barX(leading, { x: 'share', y: 'dim', fill: 'var(--accent)', insetTop: 2, insetBottom: 2, rx: 2 }),
        Plot.text(leading, {
          x: 'share',
          y: 'dim',
          text: ({ share }: { share: number }) => formatShare(share),
          dx: 6,
          textAnchor: 'start',
          fill: 'var(--ink)',
        }),
      ],
    }),
  };
}

function shorten(name: string): string {
  return name.length <= 60 ? name : `${name.slice(0, 59)}…`;
}
