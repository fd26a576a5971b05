import * as Plot from '@observablehq/plot';
import { decimalsOfSpan, drawPlot, marginFor, rangeOf } from '../plotting.js';
import { formatCount, formatFigure } from '../text.js';

/** A likelihood, in nats per row, along rounds or rows. */
export interface Curve {
  readonly x: ArrayLike<number>;
  readonly nats: ArrayLike<number>;
  /** Drawn thin and dashed: what is only compared with. */
  readonly isBeside?: boolean;
}

/**
 * Curves in one frame, and where something was chosen.
 *
 * @param label what the x axis counts
 * @param unit what the y axis measures
 */
export function drawCurves(
  title: string,
  curves: readonly Curve[],
  label: string,
  chosen: { readonly x: number; readonly nats: number },
  unit = 'nats per row',
): string {
  const points = curves.map(({ x, nats, isBeside = false }) => ({
    isBeside,
    points: Array.from(x, (at, place) => ({ x: at, nats: nats[place]! })).filter(({ nats: own }) =>
      Number.isFinite(own),
    ),
  }));
  const all = points.flatMap(({ points: own }) => own);
  const [low, high] = rangeOf(all.map(({ nats }) => nats));
  const [from, to] = rangeOf(all.map(({ x }) => x));
  const span = high - low;
  const decimals = decimalsOfSpan(span);
  const channels = { x: 'x', y: 'nats' } as const;
  return drawPlot(title, {
    width: 640,
    height: 290,
    marginLeft: marginFor([low, high].map((value) => formatFigure(value, decimals))) + 10,
    marginBottom: 40,
    marginRight: Math.max(14, marginFor([formatCount(to)]) / 2),
    marginTop: 26,
    x: { domain: [from, to > from ? to : from + 1], label: `${label} →`, ticks: 5, tickFormat: formatCount },
    y: {
      domain: [low, span > 0 ? high : low + 1e-3],
      label: `↑ ${unit}`,
      ticks: 6,
      tickFormat: (value: number) => formatFigure(value, decimals),
    },
    marks: [
      Plot.gridY({ ticks: 6, stroke: 'var(--line)', strokeOpacity: 1 }),
      ...points.map(({ points: own, isBeside }) =>
        Plot.line(own, {
          ...channels,
          stroke: isBeside ? 'var(--muted)' : 'var(--accent)',
          strokeWidth: isBeside ? 1.6 : 2.2,
          ...(isBeside ? { strokeDasharray: '4 3' } : {}),
        }),
      ),
      Plot.ruleX([chosen.x], { stroke: 'var(--second)', strokeOpacity: 0.5 }),
      Plot.dot([chosen], { ...channels, r: 5.5, fill: 'var(--second)', stroke: 'var(--card)', strokeWidth: 2 }),
    ],
  });
}
