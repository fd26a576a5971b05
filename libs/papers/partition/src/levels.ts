import { exp, log, type RandomStream } from '@orchard/numerics';

/** What keeps a probability from 0 and 1, so that no product of a few of them is 0. */
export const MARGIN = 2 ** -50;
/**
 * Levels of expertise are between 1 / this and this: only their ratios count, and sums of them must be exact enough.
 */
export const MOST_EXPERTISE = 2 ** 20;
/** Levels of expertise begin between 1 / this and this: equal ones are left more slowly, and for worse ends. */
const FIRST_EXPERTISE = 4;
/** Slopes of less than this, nats per row by the logarithm of a level, are taken for 0. */
const FLAT = 1e-6;

/** How experts are updated. */
export interface UpdateOptions {
  /** ε: rows of the overall mean that each opinion is given beside its own. */
  readonly pseudoCount: number;
  /** C: what a level of expertise is multiplied or divided by. */
  readonly factor: number;
}

export function firstLevels(count: number, stream: RandomStream): Float64Array {
  return Float64Array.from({ length: count }, () => exp((2 * stream.uniform() - 1) * log(FIRST_EXPERTISE)));
}

/** Levels of expertise after a step: times or by C, as the likelihood rises or falls with them (thesis, 4.3). */
export function movedLevels(
  levels: Float64Array,
  slopes: Float64Array,
  rows: number,
  { factor }: UpdateOptions,
): Float64Array {
  return levels.map((level, at) => {
    const slope = slopes[at]!;
    if (Math.abs(slope) < FLAT * rows) return level;
    const moved = slope > 0 ? level * factor : level / factor;
    return Math.min(Math.max(moved, 1 / MOST_EXPERTISE), MOST_EXPERTISE);
  });
}

/** How probable each expert is to take part, by how many rows it explains: neither never nor always. */
export function activeShares(times: Float64Array, rows: number): Float64Array {
  return times.map((own) => (own + 1 / 2) / (rows + 1));
}
