/**
 * Weights are multiples of 2^-30, and their sums below 2^22 are exact: in any order, by codes or by bits, in any
 * language.
 */
const GRID = 1.5 * 2 ** 22;
export const MOST_WEIGHT = 2 ** 22;

export function onGrid(weight: number): number {
  return weight + GRID - GRID;
}
