import { gaussianBelow } from '@orchard/numerics';

/** Beyond so many standard deviations no rank of a table lies. */
const FARTHEST = 8;
const HALVINGS = 36;

/** The x with P(Z <= x) = share of a standard Gaussian, to 1e-9, for a share between 0 and 1: by halving. */
export function normalScore(share: number): number {
  let low = -FARTHEST;
  let high = FARTHEST;
  for (let halving = 0; halving < HALVINGS; halving++) {
    const middle = (low + high) / 2;
    if (gaussianBelow(middle) < share) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}
