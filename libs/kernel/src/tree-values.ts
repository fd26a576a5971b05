import { exp } from '@orchard/numerics';
import type { LeafSums } from './kernel.js';

export interface LeafValueOptions {
  /** ν in (0, 1]. */
  readonly shrinkage: number;
  /** λ in `S / (W + λ)`. */
  readonly l2: number;
  /** Clamp of |γ|; Infinity = none. */
  readonly maxLeafValue: number;
}

/** γ of each leaf (paper eq. 4): `S / (W + λ)`, 0 where `W = 0`, within ±`maxLeafValue`. */
export function leafValues({ residual, weight }: LeafSums, { l2, maxLeafValue }: LeafValueOptions): Float64Array {
  return residual.map((sum, leaf) => {
    const value = weight[leaf]! > 0 ? sum / (weight[leaf]! + l2) : 0;
    return Math.min(Math.max(value, -maxLeafValue), maxLeafValue);
  });
}

/** What a leaf multiplies the odds by: `exp(clamp(νγ, ±600))`. */
export function leafFactors(sums: LeafSums, options: LeafValueOptions): Float64Array {
  return leafValues(sums, options).map((value) => exp(Math.min(Math.max(options.shrinkage * value, -600), 600)));
}
