import { Refusal } from '@orchard/refusal';

/** Completions that points are made of where nothing is said. */
const DRAWS_FOR_POINTS = 100;

/**
 * Completions for points and intervals. Of n completions the k-th lowest and the k-th highest have n + 1 - 2k of n + 1
 * equally likely places between them, so that an interval needs completions on both sides.
 *
 * @param where completions are asked for
 * @throws Refusal where the completions that were asked for are too few for the interval
 */
export function drawsFor(interval: number | undefined, draws: number | undefined, where: string): number {
  const least = interval === undefined ? 1 : Math.ceil(2 / (1 - interval) - 1e-9) - 1;
  if (draws === undefined) return Math.max(DRAWS_FOR_POINTS, least);
  if (draws >= least) return draws;
  throw new Refusal('invalid-argument', {
    got: `${String(draws)} completions for intervals of ${String(interval)}`,
    expected: `at least ${String(least)}: one in ${String(least + 1)} values lies beyond the outermost of them on each side`,
    where,
    remedy: 'Ask for more completions, or for a narrower interval.',
  });
}
