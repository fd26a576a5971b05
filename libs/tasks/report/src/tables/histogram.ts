import { escapeHtml, formatShare } from '../text.js';
import { axisTicks } from './axis-ticks.js';
import { shortened } from './data-text.js';
import type { HistogramFacts } from './table-facts.js';

const WIDTH = 300;
const HEIGHT = 168;
const LEFT = 40;
const RIGHT = 12;
const TOP = 18;
const BOTTOM = 42;
/** Digits are up to so wide. */
const DIGIT = 6.6;

/** Data as filled bars, and draws as the line of their tops. */
export function drawHistogram(name: string, { format, from, width, data, draws }: HistogramFacts): string {
  const end = from + width * data.length;
  const highest = Math.max(...data, ...draws, 1e-9);
  const x = (value: number): number => LEFT + ((value - from) / (end - from)) * (WIDTH - LEFT - RIGHT);
  const y = (share: number): number => HEIGHT - BOTTOM - (share / highest) * (HEIGHT - TOP - BOTTOM);
  const base = y(0);
  const outline = (shares: readonly number[]): string =>
    `M${place(x(from))} ${place(base)}${shares
      .map((share, bar) => `V${place(y(share))}H${place(x(from + (bar + 1) * width))}`)
      .join('')}V${place(base)}`;
  const half = highest >= 0.02 ? [highest / 2] : [];
  const grid = [...half, highest]
    .map(
      (share) =>
        `<path class="grid" d="M${String(LEFT)} ${place(y(share))}H${String(WIDTH - RIGHT)}"/><text x="${String(LEFT - 5)}" y="${place(y(share) + 4)}" text-anchor="end">${formatShare(share)}</text>`,
    )
    .join('');
  let right = -Infinity;
  const ticks = axisTicks(format, from, end)
    .map(({ at, label }) => {
      const middle = x(at);
      const room = (label.length * DIGIT) / 2;
      const centre = Math.min(WIDTH - room, middle);
      const mark = `<path class="tick" d="M${place(middle)} ${place(base)}v4"/>`;
      // labels do not touch each other
      if (centre - room < right + 6) return mark;
      right = centre + room;
      return `${mark}<text x="${place(centre)}" y="${place(base + 16)}" text-anchor="middle">${escapeHtml(label)}</text>`;
    })
    .join('');
  const short = escapeHtml(shortened(name, 36));
  return (
    `<svg role="img" class="histogram" viewBox="0 0 ${String(WIDTH)} ${String(HEIGHT)}" aria-label="${escapeHtml(shortened(name))}: training rows and samples">` +
    `<text x="2" y="10">share of rows</text>${grid}<path class="of-data" d="${outline(data)}z"/><path class="of-draws" d="${outline(draws)}"/>` +
    `<path class="axis" d="M${String(LEFT)} ${place(base)}H${String(WIDTH - RIGHT)}"/>${ticks}` +
    `<text class="axis-name" x="${place((LEFT + WIDTH - RIGHT) / 2)}" y="${String(HEIGHT - 7)}" text-anchor="middle">${short}</text></svg>`
  );
}

function place(value: number): string {
  return String(Math.round(value * 10) / 10);
}
