import { loadKernel } from '@orchard/kernel';
import { Purpose, RandomStream } from '@orchard/numerics';
import { describe, expect, it } from 'vitest';
import { boostedTrees, ensembleAfter, refitConditional, roundsOf, trainConditional } from './index.js';
import type { BoostingOptions } from './index.js';
import { arranged } from './splits.suite.js';

const options: BoostingOptions = {
  ...{ leaves: 12, rounds: 11, shrinkage: 1, start: 'half', seed: 0, pseudoCount: 0.3 },
  ...{ minLeafWeight: 0, maxLeafValue: Infinity, l2: 0, featureFraction: 1, patience: 0 },
};
const target = 5;

/** The last column is the exclusive or of the first two in nine rows of ten; the others are chance. */
function rowsOf(count: number, seed: number): number[][] {
  const random = new RandomStream(seed, Purpose.sample, 0);
  return Array.from({ length: count }, () => {
    const row = Array.from({ length: target }, () => random.below(2));
    return [...row, random.below(10) === 0 ? 1 - (row[0]! & row[1]!) : row[0]! & row[1]!];
  });
}
const splits = { train: rowsOf(300, 1), valid: rowsOf(150, 2), test: rowsOf(90, 3) };
const arrange = () => arranged(splits);
type Tree = ReturnType<typeof ensembleAfter>;

/** Which leaf of a tree a row falls into, split after split. */
function leafOf({ splitLeaf, splitPredictor }: Tree, row: readonly number[]): number {
  let leaf = 0;
  splitLeaf.forEach((own, split) => {
    if (own === leaf && row[splitPredictor[split]!] === 1) leaf = split + 1;
  });
  return leaf;
}

/** Summed nats of rows, from counts of the training rows in each leaf: nothing but the definition. */
function natsOf(tree: Tree, training: readonly number[][], rows: readonly number[][]): number {
  return rows.reduce((sum, row) => {
    const same = training.filter((other) => leafOf(tree, other) === leafOf(tree, row));
    const agreeing = same.filter((other) => other[target] === row[target]).length;
    return sum + Math.log((agreeing + 0.3) / (same.length + 0.6));
  }, 0);
}

describe('a single tree', () => {
  it('has in each leaf the share of ones with pseudocounts, for every tree that it grew from', async () => {
    const trained = trainConditional(await loadKernel(), arrange(), target, options);
    expect(trained).toMatchObject({ finished: true, pseudoCount: 0.3, position: target });
    expect(roundsOf(trained)).toBe(11);
    for (const splitsKept of [0, 1, 4, 11]) {
      const tree = ensembleAfter(trained, splitsKept);
      expect(Array.from(tree.leafCounts)).toEqual([splitsKept + 1]);
      for (const name of ['train', 'valid', 'test'] as const) {
        const rows = splits[name];
        const nats = natsOf(tree, splits.train, rows);
        expect(trained.curves[name]![splitsKept]).toBeCloseTo(nats, 8);
        const told = rows.reduce((sum, row) => {
          const odds = tree.startOdds * tree.leafFactor[leafOf(tree, row)]!;
          return sum + Math.log((row[target] === 1 ? odds : 1) / (1 + odds));
        }, 0);
        expect(told).toBeCloseTo(nats, 8);
      }
    }
  });

  it('grows where the Brier score falls most', async () => {
    const trained = trainConditional(await loadKernel(), arrange(), target, options);
    const [first] = boostedTrees(trained, 1).splitPredictor;
    const brier = (rows: readonly number[][]): number => {
      const ones = rows.filter((row) => row[target] === 1).length;
      return (ones * (rows.length - ones)) / Math.max(1, rows.length);
    };
    const left = Array.from({ length: target }, (_, dim) =>
      [0, 1].reduce((sum, side) => sum + brier(splits.train.filter((row) => row[dim] === side)), 0),
    );
    expect(left[first!]).toBe(Math.min(...left));
  });

  it('is counted anew on pooled rows', async () => {
    const kernel = await loadKernel();
    const structures = boostedTrees(trainConditional(kernel, arrange(), target, options), 7);
    const refitted = refitConditional(kernel, arrange().pooled(), target, structures, options);
    expect(roundsOf(refitted)).toBe(7);
    const all = [...splits.train, ...splits.valid];
    expect(refitted.curves.test![3]).toBeCloseTo(natsOf(ensembleAfter(refitted, 3), all, splits.test), 8);
  });

  it('may have as many leaves as a file can hold', async () => {
    const count = 65_535;
    const structure = {
      ...{ startOdds: 1, leafCounts: Uint32Array.of(count + 1), leafFactor: new Float64Array(count + 1).fill(1) },
      // the third leaf is without rows from the beginning, and all others come of it
      splitLeaf: Uint32Array.from({ length: count }, (_, split) => (split < 2 ? 0 : 2)),
      splitPredictor: new Uint32Array(count),
      splitGain: new Float64Array(count),
    };
    const { ensemble } = refitConditional(await loadKernel(), arrange().pooled(), target, structure, options);
    expect([...ensemble.leafCounts]).toEqual([count + 1, count + 1]);
  });
});
