import { attachRows, BitMatrix, shareRows, type CountedRows } from '@orchard/dataset';
import { Forest } from '@orchard/forests';
import { RandomStream } from '@orchard/numerics';
import { describe, expect, test } from 'vitest';
import { ForestExpectation, type WeightedForests } from './forest-expectation.js';
import { learnTrees } from './learn-trees.js';

const counted = (matrix: BitMatrix): CountedRows => attachRows(shareRows(matrix));

/** log P of each row, by hand. */
function logsOf({ weights, forests }: WeightedForests, matrix: BitMatrix): Float64Array {
  const values = new Uint8Array(matrix.dimensions);
  return Float64Array.from({ length: matrix.rows }, (_, row) => {
    matrix.readRow(row, values);
    return Math.log(forests.reduce((sum, forest, k) => sum + weights[k]! * Math.exp(forest.logProbability(values)), 0));
  });
}

/** Rows of two trees. */
function drawnFrom({ weights, forests }: WeightedForests, count: number, seed: number): BitMatrix {
  const stream = new RandomStream(seed, 1028);
  const dimensions = forests[0]!.size;
  const [drawn, nothing] = [BitMatrix.create(count, dimensions), BitMatrix.create(count, dimensions)];
  for (let row = 0; row < count; row++)
    forests[stream.uniform() < weights[0]! ? 0 : 1]!.drawInto(drawn, nothing, row, () => stream.uniform());
  return drawn;
}

/**
 * A chain whose columns are mostly 1 and a star whose columns are mostly 0, which have two edges in common; a column
 * follows its parent by half.
 */
function chainAndStar(dimensions: number): WeightedForests {
  const columns = Uint32Array.from({ length: dimensions }, (_, column) => column);
  const tree = (parentOf: (column: number) => number, low: number, high: number): Forest => {
    const parents = Int32Array.from(columns, parentOf);
    const rates = Float64Array.from({ length: 2 * dimensions }, (_, at) => {
      if (parents[at >> 1]! < 0) return (low + high) / 2;
      return at % 2 === 0 ? low : high;
    });
    return new Forest(columns, parents, rates);
  };
  const hub = dimensions >> 1;
  const chain = tree((column) => column - 1, 0.5, 0.95);
  const star = tree((column) => (column === hub ? -1 : hub), 0.05, 0.5);
  return { weights: Float64Array.of(0.4, 0.6), forests: [chain, star] };
}

const everyRow = (dimensions: number): BitMatrix =>
  BitMatrix.fromRows(Array.from({ length: 2 ** dimensions }, (_, row) => row.toString(2).padStart(dimensions, '0')));

describe('a mixture of trees by EM', () => {
  const D = 7;
  const every = everyRow(D);
  const drawn = drawnFrom(chainAndStar(D), 1500, 3);
  const [train, valid] = [counted(drawn), counted(drawnFrom(chainAndStar(D), 500, 4))];
  const learn = (steps: number, components = 3, pseudoCount = 0.5, judges = valid) =>
    learnTrees(train, judges, { components, pseudoCount, steps, isFromProducts: false }, new RandomStream(2, 1025))!;

  test('makes no step that lowers what it climbs: the rows, the pseudo-rows of each tree, and one row of each weight', () => {
    const pseudoCount = 20;
    // all training rows alike with four rows beside them, spread evenly over all values: 1 of each value of a pair
    const beside = Float64Array.from({ length: every.rows }, () => 4 / every.rows);
    for (let row = 0; row < drawn.rows; row++) {
      let number = 0;
      for (let dim = 0; dim < D; dim++) number = 2 * number + drawn.get(row, dim);
      beside[number]!++;
    }
    const climbed = (mixture: WeightedForests): number => {
      const { weights, forests } = mixture;
      const rows = logsOf(mixture, drawn).reduce((sum, nats) => sum + nats, 0);
      return forests.reduce((sum, forest, k) => {
        const logs = logsOf({ weights: Float64Array.of(1), forests: [forest] }, every);
        const nats = logs.reduce((total, own, row) => total + beside[row]! * own, 0) / (drawn.rows + 4);
        return sum + pseudoCount * nats + Math.log(weights[k]!);
      }, rows);
    };
    const after = Array.from({ length: 8 }, (_, at) => learn(at + 1, 3, pseudoCount, train)).filter(
      ({ step }, at) => step === at + 1,
    );
    expect(after.length).toBeGreaterThan(4);
    const values = after.map(({ mixture }) => climbed(mixture));
    for (let at = 1; at < values.length; at++) expect(values[at]! - values[at - 1]!).toBeGreaterThan(-1e-6);
    expect(values.at(-1)! - values[0]!).toBeGreaterThan(1);
  });

  test('is a distribution', () => {
    const sum = logsOf(learn(10).mixture, every).reduce((total, nats) => total + Math.exp(nats), 0);
    expect(Math.abs(sum - 1)).toBeLessThan(1e-9);
  });

  test.each([
    ['products', true],
    ['random shares', false],
  ])('finds from %s the two trees that rows were drawn from, and their weights', (_, isFromProducts) => {
    const planted = chainAndStar(9);
    const rows = (seed: number): CountedRows => counted(drawnFrom(planted, 6000, seed));
    const options = { components: 2, pseudoCount: 1, steps: 100, isFromProducts };
    const { weights, forests } = learnTrees(rows(5), rows(6), options, new RandomStream(1, 1025))!.mixture;
    const edges = ({ parents }: Forest): string[] =>
      Array.from(parents, (parent, column) => `${String(Math.min(parent, column))}-${String(Math.max(parent, column))}`)
        .filter((edge) => !edge.startsWith('-'))
        .sort();
    const chain = forests.findIndex((forest) => edges(forest).join() === edges(planted.forests[0]!).join());
    expect(chain).not.toBe(-1);
    expect(edges(forests[1 - chain]!)).toEqual(edges(planted.forests[1]!));
    expect(Math.abs(weights[chain]! - 0.4)).toBeLessThan(0.05);
  });

  test('of one component is the tree of all rows, whatever the pseudo-count', () => {
    const [few, many] = [0.001, 1000].map((pseudoCount) => learn(5, 1, pseudoCount).mixture.forests[0]!);
    expect([...few!.parents]).toEqual([...many!.parents]);
  });

  test('leaves no row impossible where a column never changes and the pseudo-count is next to nothing', () => {
    const constant = BitMatrix.fromRows(Array.from({ length: 400 }, (_, row) => (row % 4 < 2 ? '1011' : '1100')));
    const rows = counted(constant);
    const options = { components: 2, pseudoCount: 1e-6, steps: 5, isFromProducts: true };
    const { mixture } = learnTrees(rows, rows, options, new RandomStream(1, 1025))!;
    for (const nats of logsOf(mixture, everyRow(4))) expect(Number.isFinite(nats)).toBe(true);
  });

  test('ends between two steps where it is told to', () => {
    let left = 1;
    const options = { components: 2, pseudoCount: 1, steps: 60, isFromProducts: false };
    expect(learnTrees(train, valid, options, new RandomStream(1, 1025), () => left-- === 0)).toBeNull();
    expect(left).toBe(-1);
  });
});

test('the expectation is what each row says of each tree, by hand', () => {
  const mixture = chainAndStar(11);
  const rows = counted(drawnFrom(mixture, 1800, 7));
  expect(rows.distinct.rows).toBeLessThan(1800);
  const { nats, shares } = new ForestExpectation(rows).shared(mixture);
  let expected = 0;
  const values = new Uint8Array(11);
  for (let row = 0; row < rows.distinct.rows; row++) {
    rows.distinct.readRow(row, values);
    const joint = mixture.forests.map((forest, k) => mixture.weights[k]! * Math.exp(forest.logProbability(values)));
    const total = joint[0]! + joint[1]!;
    expected += rows.counts[row]! * Math.log(total);
    joint.forEach((own, k) => expect(shares.of[k]![row]).toBeCloseTo((rows.counts[row]! * own) / total, 5));
  }
  expect(nats).toBeCloseTo(expected, 8);
  expect(shares.rows[0]! + shares.rows[1]!).toBeCloseTo(1800, 8);
});
