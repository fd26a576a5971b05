/** Below a size, the grid on which sums and products of written numbers lie. */
const GRIDS: readonly (readonly [below: number, inOne: number])[] = [
  [1e4, 1e6],
  [1e6, 1e4],
  [1e8, 1e2],
];
/** Some sixteen steps between neighbouring numbers: what a few products and sums lose. */
const MOST_NOISE = 2 ** -48;

/**
 * The number that was computed: 59.7 of 59.699999999999996, as 3 * 19.9 is in binary fractions, and any other number as
 * it is. A file that holds the result of a computation and one that was rounded, as spreadsheets write it, have the
 * same values then. What chance brings so near to a number of few digits is moved by less than its own rounding.
 */
export function withoutNoise(value: number): number {
  if (Number.isInteger(value)) return value;
  const size = Math.abs(value);
  for (const [below, inOne] of GRIDS) {
    if (size >= below) continue;
    // a quotient of whole numbers is rounded once, as the text of the number is
    const near = Math.round(value * inOne) / inOne;
    return Math.abs(near - value) <= size * MOST_NOISE ? near : value;
  }
  return value;
}
