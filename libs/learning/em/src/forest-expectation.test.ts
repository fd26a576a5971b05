import { attachRows, BitMatrix, shareRows, type CountedRows } from '@orchard/dataset';
import { Forest } from '@orchard/forests';
import { exp, log, RandomStream } from '@orchard/numerics';
import { expect, test } from 'vitest';
import { ForestExpectation, type WeightedForests } from './forest-expectation.js';

/** Rows with more or less ones, the first without any; every third is there twice. */
function drawnRows(rows: number, dimensions: number, stream: RandomStream): CountedRows {
  const matrix = BitMatrix.create(rows, dimensions);
  for (let row = 1; row < rows; row++) {
    if (row % 3 === 0) {
      for (let dim = 0; dim < dimensions; dim++) matrix.set(row, dim, matrix.get(row - 1, dim) === 1);
      continue;
    }
    for (let dim = 0; dim < dimensions; dim++) matrix.set(row, dim, stream.below(2 + (row % 4)) === 0);
  }
  return attachRows(shareRows(matrix));
}

/** Forests of some roots each, columns before and behind their parents; rates up to the bounds of what is learned. */
function drawnMixture(components: number, dimensions: number, stream: RandomStream): WeightedForests {
  const columns = Uint32Array.from({ length: dimensions }, (_, column) => column);
  const forests = Array.from({ length: components }, (_, k) => {
    const parents = Int32Array.from(columns, (column) => {
      const ahead = k % 2 === 0 ? dimensions - 1 - column : column;
      if (ahead === 0 || stream.below(5) === 0) return -1;
      const parent = stream.below(ahead);
      return k % 2 === 0 ? dimensions - 1 - parent : parent;
    });
    const rates = new Float64Array(2 * dimensions);
    parents.forEach((parent, column) => {
      rates[2 * column] = stream.below(9) === 0 ? 2 ** -50 : 0.02 + 0.96 * stream.uniform();
      rates[2 * column + 1] = parent < 0 ? rates[2 * column]! : 1 - 2 ** -50 * (1 + stream.below(3));
    });
    return new Forest(columns, parents, rates);
  });
  return { weights: Float64Array.from(forests, () => 0.01 + stream.uniform()), forests };
}

/** The same in the plainest way. */
function plainly({ distinct, counts }: CountedRows, { weights, forests }: WeightedForests) {
  const of = forests.map(() => new Float64Array(distinct.rows));
  const told = forests.map(({ parents, rates }, k) => {
    let zeros = 0;
    const alone = new Float64Array(parents.length);
    const withParent = new Float64Array(parents.length);
    parents.forEach((parent, column) => {
      const [zero, one] = [log(1 - rates[2 * column]!), log(rates[2 * column]!)];
      zeros += zero;
      alone[column]! += one - zero;
      if (parent < 0) return;
      const [zeroAfter1, oneAfter1] = [log(1 - rates[2 * column + 1]!), log(rates[2 * column + 1]!)];
      alone[parent]! += zeroAfter1 - zero;
      withParent[column] = oneAfter1 - zeroAfter1 - (one - zero);
    });
    return { zeros: zeros + log(weights[k]!), alone, withParent, parents };
  });
  let nats = 0;
  for (let row = 0; row < distinct.rows; row++) {
    const logs = told.map(({ zeros, alone, withParent, parents }) => {
      let sum = zeros;
      parents.forEach((parent, column) => {
        if (distinct.get(row, column) === 0) return;
        sum += alone[column]!;
        if (parent >= 0 && distinct.get(row, parent) === 1) sum += withParent[column]!;
      });
      return sum;
    });
    const highest = Math.max(...logs);
    const shares = logs.map((own) => (own - highest < -20 ? 0 : exp(own - highest)));
    const total = shares.reduce((sum, share) => sum + share, 0);
    nats += counts[row]! * (highest + log(total));
    shares.forEach((share, k) => (of[k]![row] = (counts[row]! * share) / total));
  }
  return { nats, of, rows: of.map((own) => own.reduce((sum, share) => sum + share, 0)) };
}

test.each([
  [2, 1, 3],
  [60, 63, 4],
  [60, 64, 5],
  [60, 65, 9],
  [1700, 17, 1],
  [1700, 17, 6],
])(
  '%i rows of %i columns are shared among %i trees as the plain loop does it, bit for bit',
  (count, dimensions, components) => {
    const stream = new RandomStream(components, 1029, dimensions);
    const rows = drawnRows(count, dimensions, stream);
    const expectation = new ForestExpectation(rows);
    // again in the same memory, of fewer and of more trees
    for (const trees of [components, 1, components + 1]) {
      const mixture = drawnMixture(trees, dimensions, stream);
      const plain = plainly(rows, mixture);
      expect(expectation.natsUnder(mixture)).toBe(plain.nats);
      const { nats, shares } = expectation.shared(mixture);
      expect(nats).toBe(plain.nats);
      expect([...shares.rows]).toEqual(plain.rows);
      expect(shares.of.length).toBe(trees);
      shares.of.forEach((own, k) => {
        const bytes = Buffer.from(own.buffer, own.byteOffset, own.byteLength);
        expect(bytes.equals(Buffer.from(plain.of[k]!.buffer))).toBe(true);
      });
    }
  },
);
