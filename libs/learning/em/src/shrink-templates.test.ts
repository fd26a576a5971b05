import { attachRows, BitMatrix, shareRows, type CountedRows } from '@orchard/dataset';
import { RandomStream } from '@orchard/numerics';
import { describe, expect, test } from 'vitest';
import { aggregateTemplates } from './aggregate-templates.js';
import { bisectRows, type ClusterTree } from './bisect-rows.js';
import { shrinkTemplates, type Penalty } from './shrink-templates.js';

const counted = (matrix: BitMatrix): CountedRows => attachRows(shareRows(matrix));

function randomRows(count: number, dimensions: number, seed: number): BitMatrix {
  const stream = new RandomStream(seed, 1025);
  const matrix = BitMatrix.create(count, dimensions);
  for (let row = 0; row < count; row++)
    for (let dim = 0; dim < dimensions; dim++) matrix.set(row, dim, stream.below(3) === 0);
  return matrix;
}

/** The leaves under each child of an inner node, by the numbers of their clusters. */
function leavesUnder({ children }: ClusterTree, child: number): number[] {
  if (child < 0) return [~child];
  return [children[2 * child]!, children[2 * child + 1]!].flatMap((below) =>
    leavesUnder({ children } as ClusterTree, below),
  );
}

describe('a tree of clusters', () => {
  test('has every cluster once, parents before their children, and a row at least in each', () => {
    const rows = counted(randomRows(300, 12, 1));
    const tree = bisectRows(rows, 40, new RandomStream(1, 1026));
    expect(tree.clusters).toBe(40);
    expect(leavesUnder(tree, 0).sort((a, b) => a - b)).toEqual(Array.from({ length: 40 }, (_, cluster) => cluster));
    tree.children.forEach((child, at) => {
      if (child >= 0) expect(child).toBeGreaterThan(at >> 1);
    });
    expect(new Set(tree.clusterOf).size).toBe(40);
  });

  test('divides what lies far apart first', () => {
    const near = (pattern: string): string[] =>
      Array.from({ length: 8 }, (_, bit) => pattern + (1 << bit).toString(2).padStart(8, '0'));
    const rows = counted(BitMatrix.fromRows([...near('0'.repeat(30)), ...near('1'.repeat(30))]));
    let divided = 0;
    for (let seed = 0; seed < 20; seed++) {
      const { clusterOf, children } = bisectRows(rows, 6, new RandomStream(seed, 1026));
      const side = new Set(leavesUnder({ children } as ClusterTree, children[0]!));
      const sides = Array.from(clusterOf, (cluster) => side.has(cluster));
      if (sides.every((isFirst, row) => isFirst === sides[row < 8 ? 0 : 8]) && sides[0] !== sides[8]) divided++;
    }
    // of 15 other rows the second one is of the far 8 with a probability of 0.95
    expect(divided).toBeGreaterThan(15);
  });

  test('ends where every row that differs is a cluster, also one alone', () => {
    const rows = counted(BitMatrix.fromRows(['01', '10', '01', '11']));
    expect(bisectRows(rows, 50, new RandomStream(1, 1026)).clusters).toBe(3);
    const one = bisectRows(rows, 1, new RandomStream(1, 1026));
    expect([one.clusters, [...one.clusterOf], one.children.length]).toEqual([1, [0, 0, 0], 0]);
  });
});

describe('shrunken templates', () => {
  const [components, dimensions] = [9, 3];
  const matrix = counted(randomRows(200, 7, 2));
  const tree = bisectRows(matrix, components, new RandomStream(2, 1026));
  const stream = new RandomStream(3, 1027);
  const rows = Float64Array.from({ length: components }, () => 1 + 20 * stream.uniform());
  const ones = Float64Array.from({ length: components * dimensions }, (_, at) => {
    const share = stream.below(4) === 0 ? 0 : stream.uniform();
    return share * rows[Math.floor(at / dimensions)]!;
  });
  const mean = Float64Array.of(0.3, 0.5, 0.7);
  const shrunken = (penalty: Penalty): Float64Array => shrinkTemplates({ rows, ones }, tree, mean, penalty);

  /** Of one column: what is minimized, as a function of the root and of the contributions of the inner nodes. */
  function cost(dim: number, { norm, strength }: Penalty, [root, ...contributions]: readonly number[]): number {
    const centre = Math.log(mean[dim]! / (1 - mean[dim]!));
    let sum = strength * (root! - centre) ** 2;
    for (const own of contributions) sum += strength * (norm === 'l2' ? own ** 2 : Math.abs(own));
    const descend = (child: number, value: number): void => {
      if (child < 0) {
        sum += rows[~child]! * Math.log1p(Math.exp(value)) - ones[~child * dimensions + dim]! * value;
        return;
      }
      descend(tree.children[2 * child]!, value + contributions[child]!);
      descend(tree.children[2 * child + 1]!, value - contributions[child]!);
    };
    descend(0, root!);
    return sum;
  }

  /** The root and the contributions that make such log-odds. */
  function partsOf(rates: Float64Array, dim: number): number[] {
    const odds = aggregateTemplates(rates, dimensions, tree);
    const oddsAt = (child: number): number => {
      if (child >= 0) return odds[child * dimensions + dim]!;
      const rate = rates[~child * dimensions + dim]!;
      return Math.log(rate / (1 - rate));
    };
    const nodes = Array.from({ length: components - 1 }, (_, node) => node);
    return [oddsAt(0), ...nodes.map((node) => oddsAt(tree.children[2 * node]!) - oddsAt(node))];
  }

  test('are what the parts of their path add up to', () => {
    const rates = shrunken({ norm: 'l2', strength: 0.5 });
    for (let dim = 0; dim < dimensions; dim++) {
      const [root, ...contributions] = partsOf(rates, dim);
      const descend = (child: number, value: number): void => {
        if (child < 0) {
          expect(1 / (1 + Math.exp(-value))).toBeCloseTo(rates[~child * dimensions + dim]!, 12);
          return;
        }
        descend(tree.children[2 * child]!, value + contributions[child]!);
        descend(tree.children[2 * child + 1]!, value - contributions[child]!);
      };
      descend(0, root!);
    }
  });

  test.each([
    ['l2', 0.1],
    ['l2', 2],
    ['l1', 0.5],
    ['l1', 3],
  ] as const)('by %s, λ = %d, are those that cost least: no part can be moved to make it less', (norm, strength) => {
    const rates = shrunken({ norm, strength });
    for (let dim = 0; dim < dimensions; dim++) {
      const parts = partsOf(rates, dim);
      const least = cost(dim, { norm, strength }, parts);
      for (let part = 0; part < parts.length; part++)
        for (const step of [-0.2, -0.05, 0.05, 0.2]) {
          const moved = parts.map((value, at) => value + (at === part ? step : 0));
          expect(cost(dim, { norm, strength }, moved)).toBeGreaterThan(least);
        }
    }
  });

  test('without a penalty to speak of are what was counted, and under a great one the mean', () => {
    const full = ones.map((count, at) => Math.min(Math.max(count, 0.2 * rows[Math.floor(at / dimensions)]!), 1e9));
    const free = shrinkTemplates({ rows, ones: full }, tree, mean, { norm: 'l2', strength: 1e-6 });
    free.forEach((rate, at) => expect(rate).toBeCloseTo(full[at]! / rows[Math.floor(at / dimensions)]!, 2));
    for (const norm of ['l1', 'l2'] as const)
      shrunken({ norm, strength: 1e6 }).forEach((rate, at) => expect(rate).toBeCloseTo(mean[at % dimensions]!, 3));
  });

  test('by l1 leave out whole nodes, by l2 none', () => {
    const left = (norm: Penalty['norm']): number =>
      partsOf(shrunken({ norm, strength: 5 }), 0).filter((value) => Math.abs(value) > 1e-3).length;
    expect(left('l2')).toBe(components);
    expect(left('l1')).toBeLessThan(components - 2);
  });

  test('of one component are its counts, pulled to the mean', () => {
    const single = { rows: Float64Array.of(10), ones: Float64Array.of(9) };
    const [rate] = shrinkTemplates(single, { children: new Int32Array(0) }, Float64Array.of(0.5), {
      norm: 'l2',
      strength: 0.5,
    });
    // the slope of 10 log(1 + exp η) - 9 η + η² / 2 is 0
    const odds = Math.log(rate! / (1 - rate!));
    expect(10 * rate! - 9 + odds).toBeCloseTo(0, 2);
  });
});
