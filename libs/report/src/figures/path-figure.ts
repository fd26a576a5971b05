import * as Plot from '@observablehq/plot';
import type { PathFacts, SelectionFacts } from '../facts.js';
import { drawPlot } from '../plotting.js';
import { formatCount, formatFigure } from '../text.js';

/** A selection's mark, here and in the figure's key: names beside the points would write over each other. */
export function selectionSymbol(name: string): 'diamond' | 'square' | 'triangle' | 'star' {
  if (name === 'individual') return 'diamond';
  if (name === 'common') return 'square';
  return name === 'linearized' ? 'triangle' : 'star';
}

interface Point {
  readonly trees: number;
  readonly likelihood: number;
}

/**
 * Likelihood along the greedy path: the whole of it, and the part around the chosen point, where a thousandth of the rise decides. The other
 * selections are set beside it by their validation likelihood.
 */
export function drawPath(
  path: PathFacts,
  others: readonly SelectionFacts[],
): { readonly whole: string; readonly closeUp: string } {
  const train = points(path.trees, path.train);
  const valid = points(path.trees, path.valid);
  const low = Math.min(...train.map(finite), ...valid.map(finite));
  const high = Math.max(...train.map(finite), ...valid.map(finite));
  // A close-up ends where training leaves the figure; it begins where the last sixtieth of the rise to the chosen point does.
  const rise = path.chosen.valid - low;
  const floor = path.chosen.valid - Math.max(rise / 60, 1e-6);
  const near = valid.filter((point) => point.likelihood >= floor);
  const from = near[0]?.trees ?? 0;
  const to = Math.max(near.at(-1)?.trees ?? path.chosen.trees, path.chosen.trees);
  const ceiling = Math.min(
    path.chosen.valid + (path.chosen.valid - floor) * 0.8,
    Math.max(...train.filter((point) => point.trees >= from && point.trees <= to).map(finite), path.chosen.valid),
  );
  const beside = others.map((selection) => ({
    name: selection.name,
    trees: selection.trees,
    likelihood: selection.valid,
  }));
  return {
    whole: panel('Likelihood along the whole path', path, train, valid, [], {
      x: [0, train.at(-1)?.trees ?? 1],
      y: [low, high],
    }),
    closeUp: panel(
      'Likelihood along the path around the chosen point',
      path,
      train.filter((point) => point.trees >= from && point.trees <= to && point.likelihood <= ceiling),
      near,
      beside.filter((point) => point.trees >= from && point.trees <= to && point.likelihood >= floor),
      { x: [from, to], y: [floor, ceiling + (ceiling - floor) * 0.06] },
    ),
  };
}

function panel(
  label: string,
  path: PathFacts,
  train: readonly Point[],
  valid: readonly Point[],
  beside: readonly (Point & { readonly name: string })[],
  domain: { readonly x: [number, number]; readonly y: [number, number] },
): string {
  const span = domain.y[1] - domain.y[0];
  const decimals = span > 20 ? 0 : span > 2 ? 1 : span > 0.2 ? 2 : 3;
  const { chosen } = path;
  const channels = { x: 'trees', y: 'likelihood' } as const;
  return drawPlot(label, {
    width: 520,
    height: 320,
    marginLeft: 58,
    marginBottom: 40,
    marginRight: 22,
    marginTop: 26,
    x: { domain: domain.x, label: 'trees in the network →', ticks: 5, tickFormat: formatCount },
    y: {
      domain: domain.y,
      label: '↑ nats a row',
      ticks: 6,
      tickFormat: (value: number) => formatFigure(value, decimals),
      nice: false,
    },
    marks: [
      Plot.gridY({ ticks: 6, stroke: 'var(--line)', strokeOpacity: 1 }),
      Plot.line(train, { ...channels, stroke: 'var(--muted)', strokeWidth: 1.6, strokeDasharray: '4 3' }),
      Plot.line(valid, { ...channels, stroke: 'var(--accent)', strokeWidth: 2.2 }),
      Plot.ruleX([chosen.trees], { stroke: 'var(--second)', strokeOpacity: 0.5 }),
      ...beside.map((point) =>
        Plot.dot([point], {
          ...channels,
          r: 4.5,
          stroke: 'var(--ink)',
          strokeWidth: 1.6,
          fill: 'var(--card)',
          symbol: selectionSymbol(point.name),
        }),
      ),
      Plot.dot([{ trees: chosen.trees, likelihood: chosen.valid }], {
        ...channels,
        r: 5.5,
        fill: 'var(--second)',
        stroke: 'var(--card)',
        strokeWidth: 2,
      }),
    ],
  });
}

function points(trees: ArrayLike<number>, likelihoods: ArrayLike<number>): Point[] {
  return Array.from(trees, (count, at) => ({ trees: count, likelihood: likelihoods[at]! }));
}

function finite(point: Point): number {
  return Number.isFinite(point.likelihood) ? point.likelihood : 0;
}
