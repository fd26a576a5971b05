import { orderingKinds } from '@orchard/contracts';
import { BitMatrix } from '@orchard/dataset';
import { RandomStream } from '@orchard/numerics';
import { describe, expect, test } from 'vitest';
import { dependentRows } from '../example.suite.js';
import { informedOrderings } from './informed-orderings.js';
import { PairCounts } from './pair-counts.js';

/** Column `order[k + 1]` is a noisy copy of `order[k]`, so that the tree of most information is this chain. */
function chain(order: readonly number[], rows: number): BitMatrix {
  const stream = new RandomStream(3, 1004);
  const matrix = BitMatrix.create(rows, order.length);
  for (let row = 0; row < rows; row++) {
    let value = stream.below(2);
    for (const dim of order) {
      if (stream.below(10) === 0) value = 1 - value;
      matrix.set(row, dim, value === 1);
    }
  }
  return matrix;
}

describe('counts of pairs', () => {
  const rows = dependentRows(333, 9, 4);
  const pairs = new PairCounts(rows);

  test('are how often both columns are 1, and the information is by its definition', () => {
    for (let a = 0; a < 9; a++) {
      for (let b = 0; b < 9; b++) {
        const cells = [0, 0, 0, 0];
        for (let row = 0; row < 333; row++) cells[2 * rows.get(row, a) + rows.get(row, b)]!++;
        expect(pairs.together(a, b)).toBe(cells[3]);
        const share = (...at: number[]): number => at.reduce((sum, cell) => sum + cells[cell]!, 0) / 333;
        const margins = [share(0, 1), share(2, 3), share(0, 2), share(1, 3)];
        const information = cells.reduce((sum, count, cell) => {
          const expected = margins[cell >> 1]! * margins[2 + (cell & 1)]!;
          return count === 0 ? sum : sum + (count / 333) * Math.log(count / 333 / expected);
        }, 0);
        expect(pairs.information(a, b)).toBeCloseTo(information, 12);
        expect(pairs.covariance(a, b)).toBeCloseTo(share(3) - margins[1]! * margins[3]!, 12);
      }
      const p = pairs.together(a, a) / 333;
      expect(pairs.entropy(a)).toBeCloseTo(-p * Math.log(p) - (1 - p) * Math.log(1 - p), 12);
    }
  });

  test('of many columns are of fewer rows, evenly taken, and say so', () => {
    const wide = BitMatrix.create(9000, 30);
    for (let row = 0; row < 9000; row++) wide.set(row, 7, row % 2 === 0);
    const some = new PairCounts(wide, 200 * 30 ** 2);
    expect([some.rows, some.together(7, 7), some.together(7, 8)]).toEqual([4500, 4500, 0]);
  });
});

describe('orderings by counts of pairs', () => {
  const order = [4, 1, 6, 3, 0, 5, 2];
  const pairs = new PairCounts(chain(order, 2000));

  test.each(Object.entries(informedOrderings))('%s names every column once', (_, find) => {
    for (const matrix of [dependentRows(200, 9, 1), BitMatrix.create(5, 3), BitMatrix.create(4, 1)]) {
      const found = find(new PairCounts(matrix));
      expect([...found].sort((a, b) => a - b)).toEqual([...Array(matrix.dimensions).keys()]);
    }
    // where nothing tells columns apart, as stored
    expect([...find(new PairCounts(BitMatrix.create(5, 4)))]).toEqual([0, 1, 2, 3]);
  });

  test('chow-liu follows a chain from its middle to one end, then to the other', () => {
    const found = [...informedOrderings['chow-liu'](pairs)];
    const at = found.map((dim) => order.indexOf(dim));
    const turn = at.findIndex((place, position) => position > 0 && Math.abs(place - at[position - 1]!) > 1);
    expect(Math.abs(at[turn]! - at[0]!)).toBe(1);
    at.forEach((place, position) => {
      if (position > 0 && position !== turn) expect(Math.abs(place - at[position - 1]!)).toBe(1);
    });
  });

  test('greedy goes on with what those before it tell most about, and hubs begin in the middle', () => {
    const next = [...informedOrderings.greedy(pairs)].map((dim) => order.indexOf(dim));
    // those taken so far are always one piece of the chain
    next.forEach((_, position) => {
      const taken = next.slice(0, position + 1);
      expect(Math.max(...taken) - Math.min(...taken)).toBe(position);
    });
    const hubs = [...informedOrderings.hubs(pairs)].map((dim) => order.indexOf(dim));
    expect(new Set(hubs.slice(-2))).toEqual(new Set([0, 6]));
  });

  test('entropy leaves copies to the end, and rising takes them as soon as they are known', () => {
    const matrix = BitMatrix.create(400, 4);
    const stream = new RandomStream(5, 1005);
    for (let row = 0; row < 400; row++) {
      const [a, b] = [stream.below(2), stream.below(3) === 0 ? 1 : 0];
      [a, b, a, b].forEach((value, dim) => matrix.set(row, dim, value === 1));
    }
    const counts = new PairCounts(matrix);
    expect([...informedOrderings.entropy(counts)]).toEqual([0, 1, 2, 3]);
    expect([...informedOrderings['entropy-rising'](counts)]).toEqual([1, 3, 0, 2]);
  });

  test('are all that look at rows', () => {
    const others = orderingKinds.filter((kind) => !(kind in informedOrderings));
    expect(others).toEqual(['natural', 'reversed', 'random']);
  });
});
