import { BitMatrix } from '@orchard/dataset';
import { log, RandomStream } from '@orchard/numerics';
import { expect, test } from 'vitest';
import { countPairs, SmoothedPairs, WeightedPairCounter, type PairProbabilities, type RowsOfOnes } from '../index.js';

interface Rows extends RowsOfOnes {
  readonly matrix: BitMatrix;
}

function drawn(rows: number, dimensions: number, stream: RandomStream): Rows {
  const matrix = BitMatrix.create(rows, dimensions);
  const starts = new Uint32Array(rows + 1);
  const columns: number[] = [];
  for (let row = 0; row < rows; row++) {
    for (let dim = 0; dim < dimensions; dim++) {
      // the first column is always 1, the fifth never
      const isOne = dim === 0 || (dim !== 4 && stream.below(2 + (dim % 3)) === 0);
      matrix.set(row, dim, isOne);
      if (isOne) columns.push(dim);
    }
    starts[row + 1] = columns.length;
  }
  return { matrix, starts, columns: Uint32Array.from(columns) };
}

/** The same in the plainest way: P(a and b are 1), and I(a; b), by `a * dimensions + b`, b <= a. */
function plainly(
  dimensions: number,
  { starts, columns }: Rows,
  weights: Float64Array,
  beside: PairProbabilities,
  added: number,
) {
  const both = new Float64Array(dimensions ** 2);
  let rows = added;
  weights.forEach((weight, row) => {
    if (weight === 0) return;
    rows += weight;
    const ones = columns.subarray(starts[row], starts[row + 1]);
    ones.forEach((a, at) => ones.subarray(0, at + 1).forEach((b) => (both[a * dimensions + b]! += weight)));
  });
  for (let a = 0; a < dimensions; a++)
    for (let b = 0; b <= a; b++)
      both[a * dimensions + b] = (both[a * dimensions + b]! + added * beside.both(a, b)) / rows;
  const rates = Array.from({ length: dimensions }, (_, column) =>
    Math.min(Math.max(both[column * (dimensions + 1)]!, 2 ** -50), 1 - 2 ** -50),
  );
  const weighed = (p: number): number => (p > 0 ? p * log(p) : 0);
  const information = new Float64Array(dimensions ** 2);
  for (let a = 0; a < dimensions; a++)
    for (let b = 0; b <= a; b++) {
      const [rate, other, together] = [rates[a]!, rates[b]!, both[a * dimensions + b]!];
      const cells =
        weighed(together) +
        weighed(1 - (rate + other) + together) +
        (weighed(rate - together) + weighed(other - together));
      information[a * dimensions + b] =
        cells - (weighed(rate) + weighed(1 - rate) + (weighed(other) + weighed(1 - other)));
    }
  return { both, rates, information };
}

// of 10^-310 added rows beside a weight of 1 pairs that no row has are of numbers with less than 53 bits
test.each([
  [0, 3, 1, 1],
  [1, 1, 1, 1],
  [50, 1, 1, 0.5],
  [50, 2, 1e-3, 10],
  [40, 63, 0.3, 2],
  [40, 64, 1e9, 1e-6],
  [40, 65, 1, 100],
  [3, 65, 1, 1e-310],
])(
  'of %i rows of %i columns, weights of up to %f and %f rows beside are the plain loop’s, bit for bit',
  (rows, dimensions, most, added) => {
    const stream = new RandomStream(rows, 1029, dimensions);
    const of = drawn(rows, dimensions, stream);
    const beside = new SmoothedPairs(countPairs(drawn(20, dimensions, stream).matrix), 1);
    const counter = new WeightedPairCounter(dimensions, of, beside);
    // again in the same memory, and last without any weight
    for (const zeros of [2, 5, 1]) {
      const weights = Float64Array.from({ length: rows }, () =>
        stream.below(zeros) === 0 ? 0 : most * stream.uniform(),
      );
      const pairs = counter.count(weights, added);
      const plain = plainly(dimensions, of, weights, beside, added);
      const [both, information] = [new Float64Array(dimensions ** 2), new Float64Array(dimensions ** 2)];
      const differing: string[] = [];
      for (let a = 0; a < dimensions; a++)
        for (let b = 0; b <= a; b++) {
          both[a * dimensions + b] = pairs.both(a, b);
          information[a * dimensions + b] = pairs.information(a, b);
          if (pairs.both(b, a) !== pairs.both(a, b) || pairs.information(b, a) !== pairs.information(a, b))
            differing.push(`${String(a)} ${String(b)}`);
        }
      expect(differing).toEqual([]);
      expect(Buffer.from(both.buffer).equals(Buffer.from(plain.both.buffer))).toBe(true);
      expect(Buffer.from(information.buffer).equals(Buffer.from(plain.information.buffer))).toBe(true);
      expect(plain.rates.map((_, column) => pairs.rate(column))).toEqual(plain.rates);
    }
  },
);

test('pairs of more columns than their tables have room for are refused', () => {
  const nothing = { starts: Uint32Array.of(0), columns: new Uint32Array(0) };
  const beside = new SmoothedPairs(countPairs(BitMatrix.fromRows(['1'])), 1);
  expect(() => new WeightedPairCounter(16_385, nothing, beside)).toThrow('at most 16384 columns');
});
