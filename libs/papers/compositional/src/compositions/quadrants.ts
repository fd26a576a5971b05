import { BitMatrix } from '@orchard/dataset';
import { RandomStream } from '@orchard/numerics';

/** Side of the images, and of a quadrant. */
const SIDE = 6;
const HALF = 3;

/**
 * Images of the thesis' synthetic model (3.4.1): each quadrant is by 1/4 black, by 1/4 white, and otherwise each of its
 * pixels is either by itself.
 */
export function quadrants(rows: number, seed: number): BitMatrix {
  const stream = new RandomStream(seed, 1001);
  const matrix = BitMatrix.create(rows, SIDE * SIDE, { shape: [SIDE, SIDE] });
  for (let row = 0; row < rows; row++)
    for (let quadrant = 0; quadrant < 4; quadrant++) {
      const state = stream.below(4);
      for (const dim of pixelsOf(quadrant)) matrix.set(row, dim, state < 2 ? stream.below(2) === 1 : state === 3);
    }
  return matrix;
}

export function pixelsOf(quadrant: number): number[] {
  const [top, left] = [quadrant < 2 ? 0 : HALF, quadrant % 2 === 0 ? 0 : HALF];
  return Array.from({ length: HALF * HALF }, (_, at) => (top + Math.floor(at / HALF)) * SIDE + left + (at % HALF));
}
