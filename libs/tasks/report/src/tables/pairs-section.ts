import { section } from '../section.js';
import { escapeHtml, formatCount, formatFigure } from '../text.js';
import { axisTicks } from './axis-ticks.js';
import { dataText, shortened } from './data-text.js';
import type { AxisFacts, PairFacts, RowsFacts, ScatterFacts } from './table-facts.js';

const WIDTH = 260;
const HEIGHT = 220;
const RIGHT = 8;
const TOP = 8;
const BOTTOM = 50;
/** Letters of labels, and how wide one is. */
const LABEL_LENGTH = 11;
const LETTER = 6.4;

/** The pairs that depend on each other most: what a scatter plot shows no figure does. */
export function pairsSection({ associations, variables }: RowsFacts): string {
  const { scatters, strongest } = associations;
  if (variables.length < 2 || scatters.length === 0) return '';
  const figures = scatters.map((scatter, at) => figureOf(scatter, strongest[at]!)).join('');
  return section(
    'Columns that depend on each other most',
    'Training rows beside samples of the model: where both look alike, the model has learned how the two columns go together.',
    `<div class="scatters">${figures}</div>`,
    `The ${formatCount(scatters.length)} pairs with the strongest dependence in the data, ${formatCount(scatters[0]!.rows)} evenly spaced rows of each side. A strength is 0 where two columns are independent, and 1 where one decides the other. ` +
      'Labels and values that many rows share are spread a little around their place, so that rows do not cover each other. Numbers and dates lie where the model places them in their cells. Samples beyond the range of the data are left out.',
  );
}

function figureOf(scatter: ScatterFacts, { one, other, data, draws }: PairFacts): string {
  const panel = (side: 'data' | 'draws', caption: string): string =>
    `<div>${drawPanel(scatter, side)}<p class="side">${caption}</p></div>`;
  return (
    `<figure class="scatter"><h3>${dataText(one, 30)} and ${dataText(other, 30)}</h3>` +
    `<div class="sides">${panel('data', 'training rows')}${panel('draws', 'samples')}</div>` +
    `<figcaption>strength ${formatFigure(data, 2)} in the data, ${formatFigure(draws, 2)} in samples</figcaption></figure>`
  );
}

function drawPanel(scatter: ScatterFacts, side: 'data' | 'draws'): string {
  const [right, up] = [scaleOf(scatter.x), scaleOf(scatter.y)];
  const left = 20 + Math.max(24, ...up.ticks.map(({ label }) => label.length * LETTER + 8));
  const x = (value: number): number => left + right.share(value) * (WIDTH - left - RIGHT);
  const y = (value: number): number => HEIGHT - BOTTOM - up.share(value) * (HEIGHT - TOP - BOTTOM);
  const base = HEIGHT - BOTTOM;
  // where the labels of each line end: what has no room on the first goes to the second
  const ends = [-Infinity, -Infinity];
  const below = right.ticks
    .map(({ at, label }) => {
      const middle = x(at);
      const room = (label.length * LETTER) / 2;
      const centre = Math.min(WIDTH - room, Math.max(room, middle));
      const mark = `<path class="tick" d="M${place(middle)} ${String(base)}v4"/>`;
      const level = ends.findIndex((end) => centre - room >= end + 5);
      if (level < 0) return mark;
      ends[level] = centre + room;
      return `${mark}<text x="${place(centre)}" y="${String(base + 15 + level * 12)}" text-anchor="middle">${escapeHtml(label)}</text>`;
    })
    .join('');
  const beside = up.ticks
    .map(
      ({ at, label }) =>
        `<path class="grid" d="M${place(left)} ${place(y(at))}H${String(WIDTH - RIGHT)}"/><text x="${place(left - 5)}" y="${place(y(at) + 4)}" text-anchor="end">${escapeHtml(label)}</text>`,
    )
    .join('');
  const points = scatter[side].map(([one, other]) => `M${place(x(one))} ${place(y(other))}h0`).join('');
  const [across, upwards] = [scatter.x, scatter.y].map(({ name }) => escapeHtml(shortened(name, 28))) as [
    string,
    string,
  ];
  const middle = place((TOP + base) / 2);
  return (
    `<svg role="img" class="panel" viewBox="0 0 ${String(WIDTH)} ${String(HEIGHT)}" aria-label="${across} and ${upwards}: ${side === 'data' ? 'training rows' : 'samples'}">` +
    `${beside}<path class="points ${side}" d="${points}"/><path class="axis" d="M${place(left)} ${String(base)}H${String(WIDTH - RIGHT)}"/>${below}` +
    `<text class="axis-name" x="${place((left + WIDTH - RIGHT) / 2)}" y="${String(HEIGHT - 5)}" text-anchor="middle">${across}</text>` +
    `<text class="axis-name" transform="translate(11 ${middle}) rotate(-90)" text-anchor="middle">${upwards}</text></svg>`
  );
}

interface Scale {
  /** Where on the axis a value lies, from 0 to 1. */
  readonly share: (value: number) => number;
  readonly ticks: readonly { readonly at: number; readonly label: string }[];
}

function scaleOf(axis: AxisFacts): Scale {
  if (axis.type === 'labels') {
    const ticks = axis.bands.map((band, at) => ({ at, label: labelOf(band) }));
    return { share: (value) => (value + 0.5) / axis.bands.length, ticks };
  }
  const { format, from, to, missing } = axis;
  // room for the band of what is missing
  const start = missing === null ? from : missing - (to - from) * 0.05;
  const absent = missing === null ? [] : [{ at: missing, label: 'missing' }];
  return {
    share: (value) => (value - start) / (to - start),
    ticks: [...absent, ...axisTicks(format, from, to)],
  };
}

function labelOf(band: string | null): string {
  if (band === null) return 'missing';
  return band.trim() === '' ? 'blank' : shortened(band, LABEL_LENGTH);
}

function place(value: number): string {
  return String(Math.round(value * 10) / 10);
}
