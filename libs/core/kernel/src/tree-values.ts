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
  const values = new Float64Array(residual.length);
  for (let leaf = 0; leaf < values.length; leaf++) {
    const value = weight[leaf]! > 0 ? residual[leaf]! / (weight[leaf]! + l2) : 0;
    values[leaf] = Math.min(Math.max(value, -maxLeafValue), maxLeafValue);
  }
  return values;
}

/** What a leaf multiplies the odds by: `exp(clamp(νγ, ±600))`. */
export function leafFactors(sums: LeafSums, options: LeafValueOptions): Float64Array {
  const factors = leafValues(sums, options);
  for (let leaf = 0; leaf < factors.length; leaf++)
    factors[leaf] = exp(Math.min(Math.max(options.shrinkage * factors[leaf]!, -600), 600));
  return factors;
}
