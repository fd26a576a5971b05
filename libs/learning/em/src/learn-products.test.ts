import { attachRows, BitMatrix, shareRows, type CountedRows } from '@orchard/dataset';
import { exp, log, RandomStream } from '@orchard/numerics';
import { describe, expect, test } from 'vitest';
import { Expectation } from './expectation.js';
import { learnProducts } from './learn-products.js';
import { Preparation, type Products } from './prepared-products.js';
import { spreadRows } from './spread-rows.js';

const counted = (matrix: BitMatrix): CountedRows => attachRows(shareRows(matrix));

/** Rows of two templates, a 1 in the first or in the second half, each bit wrong once in twenty times. */
function twoTemplates(count: number, dimensions: number, seed: number): BitMatrix {
  const stream = new RandomStream(seed, 1021);
  const matrix = BitMatrix.create(count, dimensions);
  for (let row = 0; row < count; row++) {
    const isFirst = stream.below(4) === 0;
    for (let dim = 0; dim < dimensions; dim++)
      matrix.set(row, dim, (dim < dimensions / 2 === isFirst) !== (stream.below(20) === 0));
  }
  return matrix;
}

/** The expectation in the plainest way: sums by bytes, from their last column on, and by blocks of 1,024 rows. */
function plainly({ distinct, counts }: CountedRows, { dimensions, weights, rates }: Products) {
  const sums = { rows: weights.map(() => 0), ones: rates.map(() => 0) };
  const bytes = Math.ceil(dimensions / 8);
  let nats = 0;
  let inBlock = weights.map(() => 0);
  for (let row = 0; row < distinct.rows; row++) {
    const logs = weights.map((weight, k) => {
      let sum = log(weight);
      for (let byte = 0; byte < bytes; byte++) {
        const last = Math.min(8 * byte + 8, dimensions) - 1;
        const rateOf = (column: number): number => rates[k * dimensions + column]!;
        let own = 0;
        for (let column = 8 * byte; column <= last; column++) own += log(1 - rateOf(column));
        for (let column = last; column >= 8 * byte; column--)
          if (distinct.get(row, column) === 1) own += log(rateOf(column)) - log(1 - rateOf(column));
        sum += own;
      }
      return sum;
    });
    const highest = Math.max(...logs);
    const shares = logs.map((own) => (own - highest < -20 ? 0 : exp(own - highest)));
    const total = shares.reduce((sum, share) => sum + share, 0);
    nats += counts[row]! * (highest + log(total));
    shares.forEach((share, k) => {
      const own = share * (counts[row]! / total);
      inBlock[k]! += own;
      for (let column = 0; column < dimensions; column++)
        if (distinct.get(row, column) === 1) sums.ones[k * dimensions + column]! += own;
    });
    if (row % 1024 !== 1023 && row + 1 < distinct.rows) continue;
    inBlock.forEach((own, k) => (sums.rows[k]! += own));
    inBlock = weights.map(() => 0);
  }
  return { nats, shares: sums };
}

test.each([
  [1, 3, 1],
  [60, 32, 4],
  [61, 33, 5],
  [61, 100, 9],
  [3000, 13, 3],
  [3001, 13, 17],
])(
  '%i rows of %i columns are shared among %i products as the plain loop does it, bit for bit',
  (count, dimensions, components) => {
    const stream = new RandomStream(5, 1022, components);
    const matrix = BitMatrix.create(count, dimensions);
    for (let row = 0; row < count; row++)
      for (let dim = 0; dim < dimensions; dim++) matrix.set(row, dim, stream.below(2) === 0);
    const rows = counted(matrix);
    const [over, preparation] = [new Expectation(rows), new Preparation()];
    // again in the same memory, of fewer and of more components; rates up to the bounds of what is learned
    for (const many of [components, 1, components + 1]) {
      const rates = Float64Array.from({ length: many * dimensions }, () =>
        stream.below(60) === 0 ? 2 ** -50 : 0.02 + 0.96 * stream.uniform(),
      );
      const weights = Float64Array.from({ length: many }, () => 0.01 + stream.uniform());
      const prepared = preparation.of({ dimensions, weights, rates });
      const plain = plainly(rows, prepared);
      expect(over.shared(prepared)).toEqual(plain);
      expect(over.natsUnder(prepared)).toBe(plain.nats);
    }
  },
);

describe('EM', () => {
  const [train, valid] = [counted(twoTemplates(800, 20, 1)), counted(twoTemplates(400, 20, 2))];
  const learn = (options: { components?: number; pseudoCount?: number; steps?: number } = {}, seed = 1) =>
    learnProducts(
      train,
      valid,
      { components: 2, steps: 60, ...options, pulled: { pseudoCount: options.pseudoCount ?? 0.01 } },
      new RandomStream(seed, 1023),
    )!;

  test('finds the templates that rows were drawn from, and their weights', () => {
    const { weights, rates } = learn().products;
    const rare = weights[0]! < 0.5 ? 0 : 1;
    expect(weights[rare]).toBeCloseTo(0.25, 1);
    for (let dim = 0; dim < 20; dim++) {
      expect(Math.abs(rates[rare * 20 + dim]! - (dim < 10 ? 0.95 : 0.05))).toBeLessThan(0.06);
      expect(Math.abs(rates[(1 - rare) * 20 + dim]! - (dim < 10 ? 0.05 : 0.95))).toBeLessThan(0.03);
    }
  });

  test('makes the training rows likelier with every step, and keeps the step that the validation rows like best', () => {
    const steps = [1, 2, 3, 4, 5].map((most) => learn({ steps: most, components: 3, pseudoCount: 1e-6 }));
    const [over, preparation] = [new Expectation(train), new Preparation()];
    const likelihoods = steps.map(({ products }) => over.natsUnder(preparation.of(products)));
    // the later ones are kept as long as they are better on the validation rows
    for (let at = 1; at < steps.length; at++) {
      expect(steps[at]!.validNats).toBeGreaterThanOrEqual(steps[at - 1]!.validNats);
      if (steps[at]!.step > steps[at - 1]!.step) expect(likelihoods[at]).toBeGreaterThan(likelihoods[at - 1]!);
    }
    expect(steps[4]!.validNats).toBeCloseTo(new Expectation(valid).natsUnder(preparation.of(steps[4]!.products)), 9);
  });

  test('that shrinks begins with the clusters of a tree, and makes rows likelier from there', () => {
    const options = { components: 60, pulled: { norm: 'l2', strength: 1 } } as const;
    const after = (steps: number) =>
      learnProducts(train, valid, { ...options, steps }, new RandomStream(1, 1023))!.validNats;
    expect(after(1)).toBeGreaterThan(learn({ components: 60, pseudoCount: 1, steps: 1 }).validNats);
    expect(after(4)).toBeGreaterThan(after(1));
  });

  test('of one component is every column on its own, pulled to the mean', () => {
    const { rates, weights } = learn({ components: 1, pseudoCount: 1e6 }).products;
    const ones = twoTemplates(800, 20, 1).columnCounts();
    expect([...weights]).toEqual([1]);
    rates.forEach((rate, dim) => expect(rate).toBeCloseTo((ones[dim]! + 1) / 802, 4));
  });

  test('with more components than rows that differ has as many as these', () => {
    const few = counted(BitMatrix.fromRows(['0011', '1100', '0011', '1111']));
    const options = { components: 50, pulled: { pseudoCount: 0.5 }, steps: 10 };
    expect(learnProducts(few, few, options, new RandomStream(1, 1023))!.products.weights).toHaveLength(3);
  });

  test('ends between two steps where it is told to', () => {
    let left = 1;
    const options = { components: 2, pulled: { pseudoCount: 1 }, steps: 60 };
    expect(learnProducts(train, valid, options, new RandomStream(1, 1023), () => left-- === 0)).toBeNull();
    expect(left).toBe(-1);
  });
});

test('first rows lie apart: of few far ones among many near ones all are taken, and none twice', () => {
  const near = Array.from({ length: 40 }, (_, row) => (1 << (row % 4)).toString(2).padStart(24, '0'));
  const far = ['1'.repeat(24), '1'.repeat(12) + '0'.repeat(12)];
  const rows = counted(BitMatrix.fromRows([...near, ...far]));
  expect(rows.distinct.rows).toBe(6);
  for (let seed = 0; seed < 20; seed++) {
    const chosen = spreadRows(rows, 6, new RandomStream(seed, 1024));
    expect([...chosen].sort()).toEqual([0, 1, 2, 3, 4, 5]);
    // which of them is first leaves the two far ones likely among the first four
    expect(chosen.subarray(0, 4).filter((place) => place >= 4).length).toBeGreaterThan(0);
  }
});
