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

/**
 * γ of each leaf (paper eq. 4): `S / (W + λ)`, 0 where `W = 0`, within ±`maxLeafValue`.
 *
 * @param values of as many elements as there are leaves: these are written and given
 */
export function leafValues(
  { residual, weight }: LeafSums,
  { l2, maxLeafValue }: LeafValueOptions,
  values: Float64Array = new Float64Array(residual.length),
): Float64Array {
  for (let leaf = 0; leaf < values.length; leaf++) {
    const value = weight[leaf]! > 0 ? residual[leaf]! / (weight[leaf]! + l2) : 0;
    values[leaf] = Math.min(Math.max(value, -maxLeafValue), maxLeafValue);
  }
  return values;
}

/** What a leaf multiplies the odds by: `exp(clamp(νγ, ±600))`. @param into as {@link leafValues} has it */
export function leafFactors(sums: LeafSums, options: LeafValueOptions, into?: Float64Array): Float64Array {
  const factors = leafValues(sums, options, into);
  for (let leaf = 0; leaf < factors.length; leaf++)
    factors[leaf] = exp(Math.min(Math.max(options.shrinkage * factors[leaf]!, -600), 600));
  return factors;
}
