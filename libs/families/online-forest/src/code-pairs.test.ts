import { RandomStream } from '@orchard/numerics';
import { describe, expect, test } from 'vitest';
import { codeForestsOf, lossInHindsight, OnlineForest, sharesOf, type OnlineStream } from './index.js';

const SIZES = [3, 2, 4, 2];

/** A chain of columns, each often at the remainder of the one before it. */
function rowsOf(count: number, sizes: readonly number[], seed: number): number[][] {
  const stream = new RandomStream(seed, 1042);
  return Array.from({ length: count }, () => {
    const row: number[] = [];
    for (const [column, size] of sizes.entries())
      row.push(column > 0 && stream.below(4) > 0 ? row[column - 1]! % size : stream.below(size));
    return row;
  });
}

function streamOf(sizes: readonly number[], structure?: 'trees'): OnlineStream {
  const options = { seed: 0, perturbation: 0.3, ...(structure && { structure }) };
  return { names: null, options, forest: new OnlineForest(sizes.length, options, null, sizes) };
}

/** Every row that there can be. */
function everyRow(sizes: readonly number[]): number[][] {
  return sizes.reduce<number[][]>(
    (rows, size) => rows.flatMap((row) => Array.from({ length: size }, (_, value) => [...row, value])),
    [[]],
  );
}

/** P(row) by counting the rows so far anew, for the forests of the stream. */
function plainly(
  stream: OnlineStream,
  sizes: readonly number[],
  past: readonly number[][],
  row: readonly number[],
): number {
  const added = sizes.reduce((product, size) => product * size, 1) ** (2 / sizes.length) / 2;
  const p = (...columns: readonly number[]): number => {
    const cells = columns.reduce((product, column) => product * sizes[column]!, 1);
    const alike = past.filter((other) => columns.every((column) => other[column] === row[column])).length;
    return (alike + added / cells) / (past.length + added);
  };
  const shares = sharesOf(stream);
  return stream.forest.state.trees.reduce((sum, { tree }, k) => {
    let product = shares[k]!;
    for (const [column, parent] of tree.entries()) {
      product *= p(column);
      if (parent < sizes.length) product *= p(column, parent) / (p(column) * p(parent));
    }
    return sum + product;
  }, 0);
}

describe('a stream of categories', () => {
  test.each([undefined, 'trees'] as const)('costs each row what counting all rows anew says (%s)', (structure) => {
    const rows = rowsOf(60, SIZES, 1);
    const stream = streamOf(SIZES, structure);
    for (const [at, row] of rows.entries()) {
      const past = rows.slice(0, at);
      const expected = plainly(stream, SIZES, past, row);
      if (at % 20 === 0) {
        const all = everyRow(SIZES).reduce((sum, other) => sum + plainly(stream, SIZES, past, other), 0);
        expect(all).toBeCloseTo(1, 9);
      }
      expect(stream.forest.learn(row)).toBeCloseTo(-Math.log(expected), 9);
    }
  });

  test('ends in forests of the same probabilities', () => {
    const rows = rowsOf(80, SIZES, 2);
    const stream = streamOf(SIZES);
    for (const row of rows) stream.forest.learn(row);
    const [shares, forests] = [sharesOf(stream), codeForestsOf(stream)];
    for (const row of everyRow(SIZES)) {
      const columns = row.map((value) => Uint16Array.of(value));
      const sum = forests.reduce((total, { forest }, k) => {
        const nats = new Float64Array(1);
        forest.addCells(columns, nats, 'sums');
        return total + shares[k]! * Math.exp(nats[0]!);
      }, 0);
      expect(sum).toBeCloseTo(plainly(stream, SIZES, rows, row), 12);
    }
    for (const { information } of forests) expect(Math.min(...information)).toBeGreaterThanOrEqual(0);
  });

  test('of two values each is the stream of 0 and 1', () => {
    const sizes = [2, 2, 2, 2, 2];
    const [codes, bits] = [streamOf(sizes), new OnlineForest(5, { seed: 0, perturbation: 0.3 })];
    for (const row of rowsOf(200, sizes, 3)) expect(codes.forest.learn(row)).toBe(bits.learn(Uint8Array.from(row)));
    expect(codes.forest.state.trees).toEqual(bits.state.trees);
    expect(codes.forest.state.losses).toEqual(bits.state.losses);
    expect(lossInHindsight(codes.forest)).toBeCloseTo(lossInHindsight(bits), 9);
  });

  test('is held against the likeliest tree, found among all of them', () => {
    const rows = rowsOf(200, SIZES, 4);
    const stream = streamOf(SIZES);
    for (const row of rows) stream.forest.learn(row);
    const entropy = (...columns: readonly number[]): number => {
      const counts = new Map<string, number>();
      for (const row of rows) {
        const key = columns.map((column) => row[column]).join();
        counts.set(key, (counts.get(key) ?? 0) + 1);
      }
      return [...counts.values()].reduce((sum, count) => sum - count * Math.log(count / rows.length), 0);
    };
    // each column but the first hangs on one of those before it, in any order of the columns
    const orders = everyRow([4, 4, 4, 4]).filter((order) => new Set(order).size === 4);
    const losses = orders.flatMap((order) =>
      everyRow([1, 2, 3]).map((above) =>
        above.reduce(
          (sum, parent, at) => sum + entropy(order[at + 1]!, order[parent]!) - entropy(order[parent]!),
          entropy(order[0]!),
        ),
      ),
    );
    expect(lossInHindsight(stream.forest)).toBeCloseTo(Math.min(...losses), 6);
  });

  test('is held against a forest too, which has only the edges that pay for their parameters', () => {
    const sizes = [3, 3, 2];
    const stream = streamOf(sizes);
    const random = new RandomStream(5, 1042);
    for (let row = 0; row < 400; row++) {
      const value = random.below(3);
      stream.forest.learn([value, random.below(4) === 0 ? random.below(3) : value, random.below(2)]);
    }
    const { pairs } = stream.forest;
    const alone = [0, 1, 2].map((column) => pairs.entropy(column));
    const forest = lossInHindsight(stream.forest, { structure: 'forests' });
    // the first two columns belong together, the third to neither
    expect(forest).toBeCloseTo(pairs.entropy(0, 1) + alone[2]!, 9);
    expect(lossInHindsight(stream.forest)).toBeLessThan(forest);
  });

  test('of too many pairs of values is refused', () => {
    expect(() => streamOf([10_000, 10_000])).toThrow(/counts, at most 67108864/);
  });
});
