import { attachRows, BitMatrix, shareRows, type CountedRows } from '@orchard/dataset';
import { RandomStream } from '@orchard/numerics';
import { describe, expect, test } from 'vitest';
import { Expectation } from './expectation.js';
import { learnProducts } from './learn-products.js';
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

test('the expectation is what each row says of each component, by hand', () => {
  // more rows that differ than a block holds, and some of them twice
  const [dimensions, components] = [13, 3];
  const stream = new RandomStream(5, 1022);
  const matrix = BitMatrix.create(3000, dimensions);
  for (let row = 0; row < 3000; row++)
    for (let dim = 0; dim < dimensions; dim++) matrix.set(row, dim, stream.below(2) === 0);
  const rates = Float64Array.from({ length: components * dimensions }, () => 0.3 + 0.4 * stream.uniform());
  const weights = Float64Array.of(0.2, 0.3, 0.5);
  const rows = counted(matrix);
  expect(rows.distinct.rows).toBeGreaterThan(2048);
  expect(rows.distinct.rows).toBeLessThan(3000);

  const over = new Expectation(rows);
  const { nats, shares: sums } = over.shared({ dimensions, weights, rates });
  expect(over.natsUnder({ dimensions, weights, rates })).toBe(nats);
  let expected = 0;
  const byHand = { rows: new Float64Array(components), ones: new Float64Array(components * dimensions) };
  for (let row = 0; row < 3000; row++) {
    const joint = Array.from(weights, (weight, k) => {
      let product = weight;
      for (let dim = 0; dim < dimensions; dim++) {
        const rate = rates[k * dimensions + dim]!;
        product *= matrix.get(row, dim) === 1 ? rate : 1 - rate;
      }
      return product;
    });
    const total = joint.reduce((sum, value) => sum + value, 0);
    expected += Math.log(total);
    joint.forEach((value, k) => {
      byHand.rows[k]! += value / total;
      for (let dim = 0; dim < dimensions; dim++)
        if (matrix.get(row, dim) === 1) byHand.ones[k * dimensions + dim]! += value / total;
    });
  }
  expect(nats).toBeCloseTo(expected, 8);
  sums.rows.forEach((value, k) => expect(value).toBeCloseTo(byHand.rows[k]!, 8));
  sums.ones.forEach((value, at) => expect(value).toBeCloseTo(byHand.ones[at]!, 8));
});

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
    const over = new Expectation(train);
    const likelihoods = steps.map(({ products }) => over.natsUnder(products));
    // the later ones are kept as long as they are better on the validation rows
    for (let at = 1; at < steps.length; at++) {
      expect(steps[at]!.validNats).toBeGreaterThanOrEqual(steps[at - 1]!.validNats);
      if (steps[at]!.step > steps[at - 1]!.step) expect(likelihoods[at]).toBeGreaterThan(likelihoods[at - 1]!);
    }
    expect(steps[4]!.validNats).toBeCloseTo(new Expectation(valid).natsUnder(steps[4]!.products), 9);
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
