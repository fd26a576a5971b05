/** Bytes of four numbers. */
export const TILE = 32;

// @ts-ignore: decorator
@inline export function highestOf(low: v128, high: v128, before: f64): f64 {
  const both = f64x2.pmax(low, high);
  return max(before, max(f64x2.extract_lane(both, 0), f64x2.extract_lane(both, 1)));
}
