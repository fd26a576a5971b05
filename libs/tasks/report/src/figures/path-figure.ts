import * as Plot from '@observablehq/plot';
import type { PathFacts, SelectionFacts } from '../facts.js';
import { decimalsOfSpan, drawPlot, marginFor, rangeOf } from '../plotting.js';
import { formatCount, formatFigure } from '../text.js';

/** A selection's mark, here and in the figure's key: names beside the points would write over each other. */
export function selectionSymbol(name: string): 'diamond' | 'square' | 'triangle' | 'cross' | 'star' {
  if (name === 'individual') return 'diamond';
  if (name === 'common') return 'square';
  if (name === 'pooled') return 'cross';
  return name === 'linearized' ? 'triangle' : 'star';
}

interface Point {
  readonly trees: number;
  readonly likelihood: number;
}

export interface PathFigures {
  readonly whole: string;
  readonly closeUp: string;
  /** The selections that have a mark in one of the two. */
  readonly shown: readonly SelectionFacts[];
}

/**
 * Likelihood along the greedy path: the whole of it, and the part around the chosen point, where a thousandth of the
 * rise decides. The other selections are set beside it by their validation likelihood, where they lie within the
 * close-up; that of the report's network, `own`, is also in the figure of the whole.
 */
export function drawPath(path: PathFacts, others: readonly SelectionFacts[], own: string): PathFigures {
  const train = points(path.trees, path.train);
  const valid = points(path.trees, path.valid);
  const [low, high] = rangeOf([...train.map(finite), ...valid.map(finite)]);
  // A close-up ends where training leaves the figure; it begins where the last sixtieth of the rise to the chosen point
  // does.
  const rise = path.chosen.valid - low;
  const floor = path.chosen.valid - Math.max(rise / 60, 1e-6);
  const near = valid.filter((point) => point.likelihood >= floor);
  const from = near[0]?.trees ?? 0;
  const to = Math.max(near.at(-1)?.trees ?? path.chosen.trees, path.chosen.trees);
  const ceiling = Math.min(
    path.chosen.valid + (path.chosen.valid - floor) * 0.8,
    rangeOf([...train.filter((point) => point.trees >= from && point.trees <= to).map(finite), path.chosen.valid])[1],
  );
  const wholeDomain: Domain = { x: [0, train.at(-1)?.trees ?? 1], y: [low, high] };
  const closeDomain: Domain = { x: [from, to], y: [floor, ceiling + (ceiling - floor) * 0.06] };
  const inWhole = others.filter((each) => each.name === own && isWithin(wholeDomain, pointOf(each)));
  const inCloseUp = others.filter((each) => isWithin(closeDomain, pointOf(each)));
  return {
    whole: panel('Likelihood along the whole path', path, train, valid, inWhole.map(pointOf), wholeDomain),
    closeUp: panel(
      'Likelihood along the path around the chosen point',
      path,
      train.filter((point) => point.trees >= from && point.trees <= to && point.likelihood <= ceiling),
      near,
      inCloseUp.map(pointOf),
      closeDomain,
    ),
    shown: others.filter((each) => inWhole.includes(each) || inCloseUp.includes(each)),
  };
}

interface Domain {
  readonly x: readonly [number, number];
  readonly y: readonly [number, number];
}

function isWithin({ x, y }: Domain, { trees, likelihood }: Point): boolean {
  return trees >= x[0] && trees <= x[1] && likelihood >= y[0] && likelihood <= y[1];
}

function pointOf({ name, trees, valid }: SelectionFacts): Point & { readonly name: string } {
  return { name, trees, likelihood: valid };
}

function panel(
  label: string,
  path: PathFacts,
  train: readonly Point[],
  valid: readonly Point[],
  beside: readonly (Point & { readonly name: string })[],
  domain: Domain,
): string {
  const span = domain.y[1] - domain.y[0];
  const decimals = decimalsOfSpan(span);
  const ends = domain.y.map((value) => formatFigure(value, decimals));
  const { chosen } = path;
  const channels = { x: 'trees', y: 'likelihood' } as const;
  return drawPlot(label, {
    width: 440,
    height: 290,
    marginLeft: marginFor(ends) + 10,
    marginBottom: 40,
    marginRight: Math.max(14, marginFor([formatCount(domain.x[1])]) / 2),
    marginTop: 26,
    x: { domain: [...domain.x], label: 'trees in the network →', ticks: 4, tickFormat: formatCount },
    y: {
      domain: [...domain.y],
      label: '↑ nats per row',
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
