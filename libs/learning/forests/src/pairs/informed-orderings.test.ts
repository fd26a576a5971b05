import { orderingKinds } from '@orchard/contracts';
import { BitMatrix } from '@orchard/dataset';
import { RandomStream } from '@orchard/numerics';
import { describe, expect, test } from 'vitest';
import { countPairs } from './count-pairs.js';
import { informedOrderings } from './informed-orderings.js';

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

/** Every column is mostly the exclusive or of two before it. */
function dependentRows(rows: number, dimensions: number, seed: number): BitMatrix {
  const stream = new RandomStream(seed, 1006);
  const matrix = BitMatrix.create(rows, dimensions);
  for (let row = 0; row < rows; row++)
    for (let dim = 0; dim < dimensions; dim++) {
      const isFree = dim < 2 || stream.below(5) === 0;
      const value = isFree ? stream.below(2) : matrix.get(row, dim - 1) ^ matrix.get(row, (dim * 7) % (dim - 1));
      matrix.set(row, dim, value === 1);
    }
  return matrix;
}

describe('orderings by counts of pairs', () => {
  const order = [4, 1, 6, 3, 0, 5, 2];
  const pairs = countPairs(chain(order, 2000));

  test.each(Object.entries(informedOrderings))('%s names every column once', (_, find) => {
    for (const matrix of [dependentRows(200, 9, 1), BitMatrix.create(5, 3), BitMatrix.create(4, 1)]) {
      const found = find(countPairs(matrix));
      expect([...found].sort((a, b) => a - b)).toEqual([...Array(matrix.dimensions).keys()]);
    }
    // where nothing tells columns apart, as stored
    expect([...find(countPairs(BitMatrix.create(5, 4)))]).toEqual([0, 1, 2, 3]);
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
    const counts = countPairs(matrix);
    expect([...informedOrderings.entropy(counts)]).toEqual([0, 1, 2, 3]);
    expect([...informedOrderings['entropy-rising'](counts)]).toEqual([1, 3, 0, 2]);
  });

  test('are all that look at rows', () => {
    const others = orderingKinds.filter((kind) => !(kind in informedOrderings));
    expect(others).toEqual(['natural', 'reversed', 'random']);
  });
});
