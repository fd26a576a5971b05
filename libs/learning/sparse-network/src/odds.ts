import { clampOdds } from '@orchard/model';
import { exp } from '@orchard/numerics';

/** Odds of a 1, kept where they can be counted with. */
export function oddsOf(logOdds: number): number {
  return clampOdds(exp(logOdds));
}
