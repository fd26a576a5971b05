import { exp } from './exp.js';

/** Beyond so many standard deviations less than 1e-16 is left. */
const FARTHEST = 8.3;

/** P(Z <= x) of a standard Gaussian: 1/2 + φ(x) (x + x³/3 + x⁵/(3 · 5) + …), to about 1e-15. */
export function gaussianBelow(x: number): number {
  if (Math.abs(x) > FARTHEST) return x > 0 ? 1 : 0;
  let term = x;
  let sum = x;
  for (let odd = 3; Math.abs(term) > 1e-17 * Math.abs(sum); odd += 2) {
    term *= (x * x) / odd;
    sum += term;
  }
  return 0.5 + (sum * exp((-x * x) / 2)) / Math.sqrt(2 * Math.PI);
}

export function gaussianDensity(x: number): number {
  return exp((-x * x) / 2) / Math.sqrt(2 * Math.PI);
}
