import type { PathOptions } from './fit-path.js';
import type { MixedDesign } from './mixed-design.js';
import { MixedDescent } from './mixed-descent.js';
import type { MixedWeights, Tying } from './mixed-weights.js';

/**
 * As `fitPath`, of rows that are shared out among components, all of them at once (Goessling's thesis, 5.3): weights
 * that minimize the sum over components and rows of share × log(1 + exp(-y_n log-odds)), plus λ for the size of each
 * shared and each own weight, plus λ / scaling for that of each intercept. `untied` has no shared weights, `tied` no
 * own ones, `auto` both, and an intercept that all share beside their own.
 *
 * @param penalties λ, positive, descending
 */
export function* fitMixedPath(
  design: MixedDesign,
  penalties: readonly number[],
  tying: Tying,
  { interceptScaling = 10, tolerance = 0.01 }: PathOptions = {},
): Generator<MixedWeights, void, undefined> {
  const descent = new MixedDescent(design, tying);
  let before: number | null = null;
  for (const penalty of penalties) {
    descent.settle(penalty, penalty / interceptScaling, tolerance, before);
    before = penalty;
    yield descent.weights;
  }
}
