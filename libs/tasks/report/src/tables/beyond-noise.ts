import type { VariableFacts } from './table-facts.js';

/** Standard errors from which on a gain is taken as real. */
export const BEYOND_NOISE = 3;

/** Whether a variable gains from others on held-out rows, as far as their number says. */
export function isBeyondNoise({ position, loss, ownLoss, gainError }: VariableFacts): boolean {
  const gain = ownLoss - loss;
  return position !== 0 && gain > BEYOND_NOISE * gainError && gain > 0;
}
