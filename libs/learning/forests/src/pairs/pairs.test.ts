import { BitMatrix } from '@orchard/dataset';
import { RandomStream } from '@orchard/numerics';
import { describe, expect, test } from 'vitest';
import {
  byColumn,
  byEnds,
  countPairs,
  PairCounter,
  SmoothedPairs,
  spanningTree,
  WeightedPairCounter,
} from '../index.js';

function randomRows(rows: number, dimensions: number, seed: number): BitMatrix {
  const stream = new RandomStream(seed, 1006);
  const matrix = BitMatrix.create(rows, dimensions);
  for (let row = 0; row < rows; row++)
    for (let dim = 0; dim < dimensions; dim++) matrix.set(row, dim, stream.below(1 + (dim % 4)) === 0);
  return matrix;
}

function slowly(matrix: BitMatrix, rows: ArrayLike<number>, a: number, b: number): number {
  return Array.from(rows).filter((row) => matrix.get(row, a) === 1 && matrix.get(row, b) === 1).length;
}

describe('counts of pairs', () => {
  test.each([
    [1, 1],
    [7, 5],
    [128, 8],
    [333, 9],
    [3968, 17],
    [4100, 33],
  ])('of %i rows of %i columns are how often both are 1', (rows, dimensions) => {
    const matrix = randomRows(rows, dimensions, rows);
    const pairs = countPairs(matrix);
    const all = Array.from({ length: rows }, (_, row) => row);
    expect([pairs.rows, pairs.dimensions]).toEqual([rows, dimensions]);
    for (let a = 0; a < dimensions; a++)
      for (let b = 0; b < dimensions; b++) expect(pairs.together(a, b)).toBe(slowly(matrix, all, a, b));
  });

  test('are of the rows that are named, each as often, and a counter forgets what it counted before', () => {
    const matrix = randomRows(500, 11, 3);
    const counter = new PairCounter();
    counter.count(matrix);
    const rows = Uint32Array.of(4, 4, 499, 17, 250, 4, 1, 2, 3);
    const pairs = counter.count(matrix, rows);
    expect(pairs.rows).toBe(9);
    for (let a = 0; a < 11; a++)
      for (let b = 0; b <= a; b++) expect(pairs.together(a, b)).toBe(slowly(matrix, rows, a, b));
    counter.count(randomRows(4000, 40, 5));
    expect(counter.count(matrix, new Uint32Array(0)).together(3, 2)).toBe(0);
  });

  test.each([3, 40_000])(
    'of rows that count up to %i times are those of the rows repeated, of some columns',
    (most) => {
      const matrix = randomRows(70, 21, 6);
      const times = Uint32Array.from({ length: 70 }, (_, row) => (row * row * row * 31) % most);
      const rows = Uint32Array.from({ length: 60 }, (_, at) => (at * 13) % 70);
      const columns = Uint32Array.of(0, 3, 4, 16, 19, 20);
      const counter = new PairCounter();
      counter.count(randomRows(200, 40, 5));
      const pairs = counter.countRepeated(matrix, rows, times, columns);
      const sum = (of: (row: number) => boolean): number =>
        rows.reduce((total, row) => total + (of(row) ? times[row]! : 0), 0);
      expect([pairs.dimensions, pairs.rows]).toEqual([6, sum(() => true)]);
      columns.forEach((a, one) => {
        columns.forEach((b, other) => {
          expect(pairs.together(one, other)).toBe(sum((row) => matrix.get(row, a) === 1 && matrix.get(row, b) === 1));
        });
      });
      const some = new PairCounter().countRepeated(matrix, rows.subarray(0, 20), times, columns);
      const rest = new PairCounter().countRepeated(matrix, rows.subarray(20), times, columns);
      const left = pairs.without(some);
      expect(left.rows).toBe(rest.rows);
      for (let a = 0; a < 6; a++) for (let b = 0; b <= a; b++) expect(left.together(a, b)).toBe(rest.together(a, b));
    },
  );

  test('give entropy, information and covariance by their definitions', () => {
    const matrix = randomRows(333, 9, 4);
    const pairs = countPairs(matrix);
    for (let a = 0; a < 9; a++) {
      for (let b = 0; b < 9; b++) {
        const cells = cellsOf(matrix, a, b).map((count) => count / 333);
        expect(pairs.information(a, b)).toBeCloseTo(informationOf(cells), 12);
        expect(pairs.covariance(a, b)).toBeCloseTo(cells[3]! - (cells[2]! + cells[3]!) * (cells[1]! + cells[3]!), 12);
      }
      const p = pairs.together(a, a) / 333;
      expect(pairs.entropy(a)).toBeCloseTo(p === 1 ? 0 : -p * Math.log(p) - (1 - p) * Math.log(1 - p), 12);
    }
  });

  test('of many columns are of fewer rows, evenly taken, and say so', () => {
    const wide = BitMatrix.create(9000, 30);
    for (let row = 0; row < 9000; row++) wide.set(row, 7, row % 2 === 0);
    const some = countPairs(wide, 200 * 30 ** 2);
    expect([some.rows, some.together(7, 7), some.together(7, 8)]).toEqual([4500, 4500, 0]);
  });
});

describe('smoothed pairs', () => {
  const matrix = randomRows(60, 8, 9);
  const a = 0.75;
  const pairs = new SmoothedPairs(countPairs(matrix), a);

  test('have a pseudo-count in each cell of a pair, and one margin for all pairs', () => {
    for (let column = 0; column < 8; column++) {
      for (let other = 0; other < 8; other++) {
        if (column === other) continue;
        const cells = cellsOf(matrix, other, column).map((count) => (count + a) / (60 + 4 * a));
        expect(pairs.rate(column)).toBeCloseTo(cells[1]! + cells[3]!, 13);
        expect(pairs.rateGiven(column, other, 0)).toBeCloseTo(cells[1]! / (cells[0]! + cells[1]!), 13);
        expect(pairs.rateGiven(column, other, 1)).toBeCloseTo(cells[3]! / (cells[2]! + cells[3]!), 13);
        expect(pairs.information(column, other)).toBeCloseTo(informationOf(cells), 13);
        expect(pairs.information(column, other)).toBe(pairs.information(other, column));
      }
    }
  });

  test('that are given other counts say the same as new ones, of more rows, fewer and fewer columns', () => {
    const given = new SmoothedPairs(countPairs(randomRows(5, 3, 1)), a);
    for (const [rows, dimensions] of [
      [900, 9],
      [20, 4],
      [2000, 9],
    ] as const) {
      const counts = countPairs(randomRows(rows, dimensions, rows));
      given.counts = counts;
      const made = new SmoothedPairs(counts, a);
      for (let one = 0; one < dimensions; one++)
        for (let other = 0; other < one; other++) {
          expect(given.information(one, other)).toBe(made.information(one, other));
          expect(given.rateGiven(one, other, 1)).toBe(made.rateGiven(one, other, 1));
        }
    }
  });

  test('tell the same bits of a column and of its opposite', () => {
    const opposite = BitMatrix.create(60, 3);
    for (let row = 0; row < 60; row++) {
      opposite.set(row, 0, matrix.get(row, 2));
      opposite.set(row, 1, matrix.get(row, 3));
      opposite.set(row, 2, matrix.get(row, 3) === 0);
    }
    const told = new SmoothedPairs(countPairs(opposite), 1);
    expect(told.information(0, 1)).toBe(told.information(0, 2));
    expect(told.information(0, 1)).toBe(told.information(2, 0));
  });
});

describe('weighted pairs', () => {
  const matrix = randomRows(60, 8, 11);
  const starts = new Uint32Array(61);
  const columns: number[] = [];
  for (let row = 0; row < 60; row++) {
    for (let dim = 0; dim < 8; dim++) if (matrix.get(row, dim) === 1) columns.push(dim);
    starts[row + 1] = columns.length;
  }
  const ones = { starts, columns: Uint32Array.from(columns) };
  const beside = new SmoothedPairs(countPairs(randomRows(30, 8, 12)), 1);

  test('are of the rows by their weights, with those beside them', () => {
    const weights = Float64Array.from({ length: 60 }, (_, row) => (row % 4 === 3 ? 0 : row / 10));
    const pairs = new WeightedPairCounter(8, ones, beside).count(weights, 2.5);
    const rows = weights.reduce((sum, weight) => sum + weight, 2.5);
    for (let a = 0; a < 8; a++)
      for (let b = 0; b < 8; b++) {
        if (a === b) continue;
        const [one, other] = [beside.rate(a), beside.rate(b)];
        const both = beside.both(a, b);
        const cells = [1 - one - other + both, other - both, one - both, both].map((share) => 2.5 * share);
        weights.forEach((weight, row) => (cells[2 * matrix.get(row, a) + matrix.get(row, b)]! += weight));
        cells.forEach((weight, cell) => (cells[cell] = weight / rows));
        expect(pairs.both(a, b)).toBeCloseTo(cells[3]!, 13);
        expect(pairs.rate(a)).toBeCloseTo(cells[2]! + cells[3]!, 13);
        expect(pairs.rateGiven(b, a, 0)).toBeCloseTo(cells[1]! / (cells[0]! + cells[1]!), 12);
        expect(pairs.rateGiven(b, a, 1)).toBeCloseTo(cells[3]! / (cells[2]! + cells[3]!), 12);
        expect(pairs.information(a, b)).toBeCloseTo(informationOf(cells), 12);
        expect(pairs.information(a, b)).toBe(pairs.information(b, a));
      }
  });

  test('without weight are those beside them', () => {
    const pairs = new WeightedPairCounter(8, ones, beside).count(new Float64Array(60), 1);
    for (let a = 0; a < 8; a++) for (let b = 0; b < 8; b++) expect(pairs.both(a, b)).toBeCloseTo(beside.both(a, b), 14);
  });
});

describe('the spanning tree of most weight', () => {
  /** Kruskal: the heaviest edges first, equal ones in the order in which they are written down. */
  function kruskal(dimensions: number, weight: (a: number, b: number) => number): Set<string> {
    const edges: [number, number][] = [];
    for (let a = 0; a < dimensions; a++) for (let b = a + 1; b < dimensions; b++) edges.push([a, b]);
    edges.sort(([a, b], [c, d]) => weight(c, d) - weight(a, b));
    const group = Array.from({ length: dimensions }, (_, at) => at);
    const kept = new Set<string>();
    for (const [a, b] of edges) {
      const [from, to] = [group[a]!, group[b]!];
      if (from === to) continue;
      kept.add(`${String(a)}-${String(b)}`);
      group.forEach((own, at) => (group[at] = own === from ? to : own));
    }
    return kept;
  }

  test('is Kruskal’s, ties to the earlier edge, from every root', () => {
    const stream = new RandomStream(2, 1007);
    for (const values of [3, 5, 1000]) {
      for (const dimensions of [1, 2, 7, 20]) {
        const table = Array.from({ length: dimensions ** 2 }, () => stream.below(values));
        const weight = (a: number, b: number): number => table[Math.max(a, b) * dimensions + Math.min(a, b)]!;
        const expected = kruskal(dimensions, weight);
        for (let root = 0; root < dimensions; root++) {
          const { order, parents, weights } = spanningTree(dimensions, root, weight, byEnds);
          expect(new Set(order).size).toBe(dimensions);
          expect([order[0], parents[root], weights[root]]).toEqual([root, root, 0]);
          const edges = [...order.subarray(1)].map((column) => {
            expect(order.indexOf(parents[column]!)).toBeLessThan(order.indexOf(column));
            expect(weights[column]).toBe(weight(column, parents[column]!));
            return [column, parents[column]!].sort((a, b) => a - b).join('-');
          });
          expect(new Set(edges)).toEqual(expected);
        }
      }
    }
  });

  test('by columns takes the lower column, from whichever was reached first', () => {
    const { order, parents } = spanningTree(5, 2, () => 1, byColumn);
    expect([...order]).toEqual([2, 0, 1, 3, 4]);
    expect([...parents]).toEqual([2, 2, 2, 2, 2]);
    expect([...spanningTree(5, 2, () => 1, byEnds).parents]).toEqual([2, 0, 2, 0, 0]);
  });
});

/** Rows by the values of two columns: 00, 01, 10, 11. */
function cellsOf(matrix: BitMatrix, a: number, b: number): number[] {
  const cells = [0, 0, 0, 0];
  for (let row = 0; row < matrix.rows; row++) cells[2 * matrix.get(row, a) + matrix.get(row, b)]!++;
  return cells;
}

function informationOf(cells: readonly number[]): number {
  const margins = [cells[0]! + cells[1]!, cells[2]! + cells[3]!, cells[0]! + cells[2]!, cells[1]! + cells[3]!];
  return cells.reduce(
    (sum, p, cell) => (p === 0 ? sum : sum + p * Math.log(p / (margins[cell >> 1]! * margins[2 + (cell & 1)]!))),
    0,
  );
}

test('weights beside which the added rows are less than rounding leave no value impossible', () => {
  const matrix = BitMatrix.fromRows(['110', '101']);
  const ones = { starts: Uint32Array.of(0, 2, 4), columns: Uint32Array.of(0, 1, 0, 2) };
  const beside = new SmoothedPairs(countPairs(matrix), 1);
  const pairs = new WeightedPairCounter(3, ones, beside).count(Float64Array.of(1e9, 2e9), 1e-6);
  for (const column of [0, 1, 2]) {
    expect(pairs.rate(column)).toBeGreaterThan(0);
    expect(pairs.rate(column)).toBeLessThan(1);
    for (const other of [0, 1, 2])
      for (const value of [0, 1] as const) {
        if (other === column) continue;
        expect(pairs.rateGiven(column, other, value)).toBeGreaterThan(0);
        expect(pairs.rateGiven(column, other, value)).toBeLessThan(1);
      }
  }
});
