import type { BitMatrix } from '@orchard/dataset';
import type { DatasetFacts, SampleFacts } from '../facts.js';
import { inkPath } from '../ink.js';
import { formatCount } from '../text.js';

/** What the figure needs of a report's facts. */
export interface DrawnSamples {
  readonly dataset: Pick<DatasetFacts, 'shape'>;
  readonly samples: SampleFacts;
}

/**
 * Samples, each beside its nearest training row: as images where the data has a shape (paper, figure 1), else as lines
 * of cells.
 */
export function drawSamples(facts: DrawnSamples): string {
  return facts.dataset.shape === null ? drawLines(facts) : drawImages(facts, facts.dataset.shape);
}

function drawImages(facts: DrawnSamples, shape: readonly [number, number]): string {
  const { rows, nearest, distances } = facts.samples;
  const [height, width] = shape;
  const gap = Math.max(1, Math.round(width / 14));
  const total = width * 2 + gap;
  return Array.from({ length: rows.rows }, (_, row) => {
    const sample = inkPath(rows, row, width);
    const training = inkPath(nearest, row, width);
    const frame = (x: number): string =>
      `<rect class="frame" x="${String(x)}" width="${String(width)}" height="${String(height)}"/>`;
    return (
      `<figure class="pair"><svg role="img" viewBox="0 0 ${String(total)} ${String(height)}" aria-label="Sample ${String(row + 1)} beside its nearest training row">` +
      `${frame(0)}<path class="sample" d="${sample}"/>${frame(width + gap)}<path class="nearest" transform="translate(${String(width + gap)} 0)" d="${training}"/></svg>` +
      `<figcaption>${formatCount(distances[row]!)} differ</figcaption></figure>`
    );
  }).join('\n');
}

/** A line of more cells than this is beyond what a screen shows: it is of the first. */
export const MOST_CELLS = 2_500;

/**
 * Each pair is two lines: the sample, and below it the training row with the cells that differ in the second colour.
 */
function drawLines(facts: DrawnSamples): string {
  const { distances } = facts.samples;
  const [rows, nearest] = [facts.samples.rows, facts.samples.nearest].map((matrix) =>
    matrix.dimensions <= MOST_CELLS ? matrix : matrix.selectColumns([...Array(MOST_CELLS).keys()]),
  ) as [BitMatrix, BitMatrix];
  const { dimensions } = rows;
  const size = `viewBox="0 0 ${String(dimensions)} 2" preserveAspectRatio="none"`;
  return Array.from({ length: rows.rows }, (_, row) => {
    const differing = inkPath(nearest, row, dimensions, { matrix: rows, row });
    return (
      `<figure class="line"><svg role="img" ${size} aria-label="Sample ${String(row + 1)} above its nearest training row">` +
      `<rect class="frame" width="${String(dimensions)}" height="2"/><path class="sample" d="${inkPath(rows, row, dimensions)}"/>` +
      `<g transform="translate(0 1)"><path class="nearest" d="${inkPath(nearest, row, dimensions)}"/><path class="differing" d="${differing}"/></g></svg>` +
      `<figcaption>${formatCount(distances[row]!)} differ</figcaption></figure>`
    );
  }).join('\n');
}
