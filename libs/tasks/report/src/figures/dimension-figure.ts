import { greatestOf } from '@orchard/numerics';
import * as Plot from '@observablehq/plot';
import type { ReportFacts } from '../facts.js';
import { drawPlot, marginFor } from '../plotting.js';
import { rampColour, type RampName } from '../ramp.js';
import { shortened } from '../tables/data-text.js';
import { dimensionLabel, formatCount, formatFigure } from '../text.js';

/** Beyond this many dimensions the marks carry no text of their own: it would weigh more than the figure. */
const LABELLED_DIMENSIONS = 2_500;

/** Of more dimensions than have text, neighbours share a bar: as many bars as a screen can show. */
const MOST_BARS = 1_000;

/** How many neighbours share a bar. */
export function dimensionsOfBar(dimensions: number): number {
  return dimensions <= LABELLED_DIMENSIONS ? 1 : Math.ceil(dimensions / MOST_BARS);
}

/** So many dimensions have their names below their bars; of more there is no room for them. */
const NAMED_DIMENSIONS = 48;
const LONGEST_NAME = 18;
/** Of a name below its bar, in degrees. */
const NAME_SLOPE = 40;
const WIDTH = 1080;
/** How much wider than other names those in capitals may be. */
const CAPITALS = 1.15;

/** A figure and, for a map, the ends of its colour ramp. */
export interface DimensionFigure {
  readonly svg: string;
  readonly legend: { readonly ramp: RampName; readonly low: string; readonly high: string } | null;
}

/** Number of trees chosen for every dimension: a map where the data has a shape (paper, figure 2), bars otherwise. */
export function drawTrees(facts: ReportFacts): DimensionFigure {
  const { trees, beyondNoise } = facts.dimensions;
  const describe = (dim: number): string => `${nameOf(facts, dim)}: ${formatCount(trees[dim]!)} trees`;
  const highest = Math.max(1, greatestOf(trees));
  if (facts.dataset.shape === null) {
    return {
      legend: null,
      svg: bars('Trees chosen for every dimension', trees, null, describe, {
        names: facts.dimensions.names,
        label: '↑ trees',
        write: formatCount,
        colour: (first, end) => (isMostly(beyondNoise, first, end) ? 'var(--accent)' : 'var(--noise)'),
      }),
    };
  }
  return {
    svg: drawMap(
      'Map of the trees chosen for every dimension',
      facts.dataset.shape,
      'leaf',
      (dim) => trees[dim]! / highest,
      describe,
    ),
    legend: { ramp: 'leaf', low: '0 trees', high: `${formatCount(highest)} trees` },
  };
}

/** Held-out loss of every dimension, and beside it what the dimension would lose on its own. */
export function drawLoss(facts: ReportFacts): DimensionFigure {
  const { loss, independentLoss, heldOut, beyondNoise } = facts.dimensions;
  const describe = (dim: number): string =>
    `${nameOf(facts, dim)}: ${formatFigure(loss[dim]!, 4)} nats; on its own ${formatFigure(independentLoss[dim]!, 4)}` +
    (beyondNoise[dim] === 1 ? '' : ' (no better than noise)');
  const highest = Math.max(1e-9, greatestOf(loss));
  const label = `Loss of every dimension on the ${heldOut} rows`;
  if (facts.dataset.shape === null) {
    return {
      legend: null,
      svg: bars(label, loss, independentLoss, describe, {
        names: facts.dimensions.names,
        label: '↑ nats per row',
        write: (value) => formatFigure(value, Math.max(greatestOf(loss), greatestOf(independentLoss)) < 0.1 ? 3 : 2),
        colour: (first, end) => (isMostly(beyondNoise, first, end) ? 'var(--second)' : 'var(--noise)'),
      }),
    };
  }
  return {
    svg: drawMap(label, facts.dataset.shape, 'ember', (dim) => loss[dim]! / highest, describe),
    legend: { ramp: 'ember', low: '0 nats', high: `${formatFigure(highest, 3)} nats` },
  };
}

/** An image of one square a dimension. `share` gives the colour's place on the ramp, `mark` frames one dimension. */
export function drawMap(
  label: string,
  shape: readonly [number, number],
  ramp: RampName,
  share: (dim: number) => number,
  describe: (dim: number) => string,
  mark?: number,
): string {
  const [rows, columns] = shape;
  const size = Math.max(4, Math.min(16, Math.floor(420 / Math.max(rows, columns))));
  const dims = Array.from({ length: rows * columns }, (_, dim) => dim);
  const labelled = dims.length <= LABELLED_DIMENSIONS;
  const place = {
    x1: (dim: number) => dim % columns,
    x2: (dim: number) => (dim % columns) + 1,
    y1: (dim: number) => Math.floor(dim / columns),
    y2: (dim: number) => Math.floor(dim / columns) + 1,
  };
  return drawPlot(label, {
    width: columns * size,
    height: rows * size,
    margin: 0,
    x: { domain: [0, columns], axis: null },
    y: { domain: [rows, 0], axis: null },
    marks: [
      // Squares overlap by a hair, or the page's background would shine through between them.
      Plot.rect(dims, {
        ...place,
        fill: (dim: number) => rampColour(ramp, share(dim)),
        insetRight: -0.4,
        insetBottom: -0.4,
        ...(labelled ? { title: describe } : {}),
      }),
      ...(mark === undefined
        ? []
        : [
            Plot.rect([mark], {
              ...place,
              fill: 'var(--card)',
              stroke: 'var(--second)',
              strokeWidth: 2.5,
              inset: 0.5,
              title: describe,
            }),
          ]),
    ],
  });
}

function bars(
  label: string,
  values: ArrayLike<number>,
  behind: ArrayLike<number> | null,
  describe: (dim: number) => string,
  axis: {
    /** Of the dimensions; null where they have none. */
    readonly names: readonly string[] | null;
    readonly label: string;
    readonly write: (value: number) => string;
    /** Of the bar of some neighbours. */
    readonly colour: (first: number, end: number) => string;
  },
): string {
  const count = values.length;
  const step = dimensionsOfBar(count);
  const dims = Array.from({ length: Math.ceil(count / step) }, (_, bar) => bar * step);
  const endOf = (dim: number): number => Math.min(count, dim + step);
  const shown = dims.map((dim) => meanFrom(values, dim, endOf(dim)));
  const shownBehind = behind && dims.map((dim) => meanFrom(behind, dim, endOf(dim)));
  const gap = count > 300 ? 0 : 0.1;
  const place = {
    x1: (dim: number) => dim + 0.5 + gap,
    x2: (dim: number) => endOf(dim) + 0.5 - gap,
  };
  const named =
    axis.names === null || count > NAMED_DIMENSIONS ? null : axis.names.map((name) => shortened(name, LONGEST_NAME));
  const highest = Math.max(greatestOf(shown), shownBehind === null ? 0 : greatestOf(shownBehind), 1e-9);
  return drawPlot(label, {
    width: WIDTH,
    height: named === null ? 230 : 245,
    marginLeft: Math.max(marginFor([axis.write(highest)]) + 10, named === null ? 0 : roomBefore(named)),
    marginRight: Math.max(20, marginFor([formatCount(count)]) / 2),
    ...(named === null
      ? {
          marginBottom: 38,
          x: { domain: [0.5, count + 0.5], label: 'dimension →', ticks: 10, tickFormat: formatCount },
        }
      : {
          marginBottom: 115,
          x: {
            domain: [0.5, count + 0.5],
            label: null,
            ticks: dims.map((dim) => dim + 1),
            tickFormat: (place: number) => named[place - 1]!,
            tickRotate: -NAME_SLOPE,
          },
        }),
    marginTop: 24,
    y: {
      domain: [0, highest * 1.04],
      label: axis.label,
      ticks: 5,
      tickFormat: axis.write,
    },
    marks: [
      Plot.gridY({ ticks: 5, stroke: 'var(--line)', strokeOpacity: 1 }),
      ...(shownBehind === null ? [] : [Plot.rectY(dims, { ...place, y: shownBehind, fill: 'var(--faint)' })]),
      Plot.rectY(dims, {
        ...place,
        y: shown,
        fill: (dim: number) => axis.colour(dim, endOf(dim)),
        ...(step === 1 ? { title: describe } : {}),
      }),
      Plot.ruleY([0], { stroke: 'var(--muted)' }),
    ],
  });
}

function meanFrom(values: ArrayLike<number>, first: number, end: number): number {
  if (end === first + 1) return values[first]!;
  let sum = 0;
  for (let at = first; at < end; at++) sum += values[at]!;
  return sum / (end - first);
}

function isMostly(flags: ArrayLike<number>, first: number, end: number): boolean {
  return 2 * meanFrom(flags, first, end) >= 1;
}

/** What the first names need on the left: each slopes down to there from the middle of its bar. */
function roomBefore(names: readonly string[]): number {
  const bar = WIDTH / names.length;
  const reach = (name: string): number => CAPITALS * marginFor([name]) * Math.cos((NAME_SLOPE * Math.PI) / 180);
  return Math.ceil(greatestOf(names.map((name, at) => reach(name) - (at + 0.5) * bar)));
}

function nameOf(facts: ReportFacts, dim: number): string {
  return dimensionLabel(dim, facts.dimensions.names, facts.dataset.shape);
}
