import { UsageError } from '../errors.js';

/** What one value a missing one may be filled in by. */
export const points = ['mean', 'median', 'mode'] as const;
export type Point = (typeof points)[number];

/** Completions that points are made of where nothing is said. */
const DRAWS_FOR_POINTS = 100;

export interface FillOptions {
  readonly seed: number;
  /** Particles per row, where the model does not fill in exactly. */
  readonly samples: number;
  /** Completions, where it does not. */
  readonly draws: number;
  readonly point: Point;
  /** Of single columns, by their place in the model; the others have {@link point}. */
  readonly points?: ReadonlyMap<number, Point>;
  /** The probability of the intervals; undefined where none are wanted. */
  readonly interval: number | undefined;
}

/** A missing value, filled in. */
export interface FilledCell {
  readonly row: number;
  /** The column's place in the model. */
  readonly index: number;
  readonly value: string;
  /** The ends of the interval; null of labels, which have no order, and where none was wanted. */
  readonly low: string | null;
  readonly high: string | null;
  /** Of the interval; of a label its own. Null where no interval was wanted. */
  readonly probability: number | null;
}

/**
 * Completions for points and intervals. Of n completions the k-th lowest and the k-th highest have n + 1 - 2k of n + 1
 * equally likely places between them, so that an interval needs completions on both sides.
 *
 * @throws UsageError where the completions that were asked for are too few for the interval
 */
export function drawsFor(interval: number | undefined, draws: number | undefined): number {
  const least = interval === undefined ? 1 : Math.ceil(2 / (1 - interval) - 1e-9) - 1;
  if (draws === undefined) return Math.max(DRAWS_FOR_POINTS, least);
  if (draws >= least) return draws;
  throw new UsageError({
    got: `${String(draws)} completions for intervals of ${String(interval)}`,
    expected: `at least ${String(least)}: one in ${String(least + 1)} values lies beyond the outermost of them on each side`,
    where: '--draws',
    remedy: 'Ask for more completions, or for a narrower interval.',
  });
}
