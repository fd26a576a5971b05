import { gaussianBelow, gaussianDensity, risingRoot } from '@orchard/numerics';

/** Beyond so many standard deviations no rank of a table lies. */
const FARTHEST = 8;

/** The x with P(Z <= x) = share of a standard Gaussian, for a share between 0 and 1. */
export function normalScore(share: number): number {
  return risingRoot((x) => [gaussianBelow(x) - share, gaussianDensity(x)], -FARTHEST, FARTHEST, 0);
}
