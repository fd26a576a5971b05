import { BitMatrix } from '@orchard/dataset';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { nearestRows } from './nearest-rows.js';

const bits = (dimensions: number): fc.Arbitrary<number[][]> =>
  fc.array(fc.array(fc.constantFrom(0, 1), { minLength: dimensions, maxLength: dimensions }), {
    minLength: 1,
    maxLength: 12,
  });

it('finds the row that differs least, and the first of equals', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 140 }).chain((dimensions) => fc.tuple(bits(dimensions), bits(dimensions))),
      ([wanted, training]) => {
        const found = nearestRows(BitMatrix.fromRows(wanted), BitMatrix.fromRows(training));
        const plain = wanted.map((row) => {
          const distances = training.map((other) => other.filter((bit, dim) => bit !== row[dim]).length);
          const distance = Math.min(...distances);
          return { row: distances.indexOf(distance), distance };
        });
        expect(found).toEqual(plain);
      },
    ),
  );
});

it("gives what the README's example says", () => {
  expect(nearestRows(BitMatrix.fromRows(['0110']), BitMatrix.fromRows(['1001', '0111']))).toEqual([
    { row: 1, distance: 1 },
  ]);
});
