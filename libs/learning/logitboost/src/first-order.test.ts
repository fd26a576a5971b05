import { BitMatrix } from '@orchard/dataset';
import { loadKernel, TrainingData } from '@orchard/kernel';
import { equalEnsembles } from '@orchard/model/conformance/networks';
import { RandomStream } from '@orchard/numerics';
import { describe, expect, it } from 'vitest';
import { refitConditional, trainConditional, type BoostingOptions } from './index.js';
import { treesOf } from './trees.js';

const options: BoostingOptions = {
  ...{ leaves: 5, rounds: 12, shrinkage: 0.3, start: 'base-rate', seed: 3, gradients: 'first' },
  ...{ minLeafWeight: 0, maxLeafValue: 2, l2: 0.3, featureFraction: 1, patience: 0 },
};

const target = 9;
const stream = new RandomStream(11, 60);
/** Columns that depend on those before them, ones being rare in some. */
const rows = Array.from({ length: 260 }, () => {
  const row: number[] = [];
  for (let dim = 0; dim <= target; dim++)
    row.push(dim > 1 && stream.uniform() < 0.6 ? row[dim - 1]! & (1 - row[dim - 2]!) : stream.below(3) === 0 ? 1 : 0);
  return row;
});
const matrix = BitMatrix.fromRows(rows);
const data = () => TrainingData.arrange({ train: matrix, valid: null, test: null }, { threads: 1, leaves: 8 });

const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, one) => sum + one, 0);

/**
 * Algorithm 5 of Friedman (2001) as it stands: regression trees by least squares on the residuals, a Newton step in
 * each leaf.
 */
function expectFriedman(
  trees: Iterable<{ splitLeaf: Uint32Array; splitPredictor: Uint32Array; leafFactor: Float64Array }>,
) {
  const ones = sumOf(rows.map((row) => row[target]!));
  const logOdds = rows.map(() => Math.log((ones + 0.5) / (rows.length - ones + 0.5)));
  for (const { splitLeaf, splitPredictor, leafFactor } of trees) {
    const residuals = rows.map((row, at) => row[target]! - 1 / (1 + Math.exp(-logOdds[at]!)));
    /** By how much a split lowers the squared error, with λ as the options have it. */
    const gainOf = (node: readonly number[], predictor: number): number => {
      const sides = [0, 1].map((side) => node.filter((row) => rows[row]![predictor] === side));
      if (sides.some((side) => side.length === 0)) return 0;
      const fit = (some: readonly number[]): number =>
        sumOf(some.map((row) => residuals[row]!)) ** 2 / (some.length + options.l2);
      return fit(sides[0]!) + fit(sides[1]!) - fit(node);
    };
    const leaves = [rows.map((_, row) => row)];
    splitLeaf.forEach((leaf, split) => {
      const gains = leaves.map((node) => Math.max(...Array.from({ length: target }, (_, own) => gainOf(node, own))));
      expect(gainOf(leaves[leaf]!, splitPredictor[split]!)).toBeCloseTo(Math.max(...gains), 9);
      const node = leaves[leaf]!;
      leaves[leaf] = node.filter((row) => rows[row]![splitPredictor[split]!] === 0);
      leaves.push(node.filter((row) => rows[row]![splitPredictor[split]!] === 1));
    });
    leaves.forEach((node, leaf) => {
      const p = node.map((row) => rows[row]![target]! - residuals[row]!);
      const newton = sumOf(node.map((row) => residuals[row]!)) / (sumOf(p.map((one) => one * (1 - one))) + options.l2);
      const value = Math.min(Math.max(newton, -options.maxLeafValue), options.maxLeafValue);
      expect(Math.log(leafFactor[leaf]!)).toBeCloseTo(options.shrinkage * value, 9);
      for (const row of node) logOdds[row]! += options.shrinkage * value;
    });
  }
}

describe('gradients of first order', () => {
  it('grow the trees of gradient boosting for the log-loss, which are others than those of LogitBoost', async () => {
    const kernel = await loadKernel('wasm');
    const { ensemble, curves } = trainConditional(kernel, data(), target, options);
    // on the same rows a refit has nothing to change
    const refitted = refitConditional(kernel, data(), target, ensemble, options);
    expect(refitted.ensemble.leafFactor).toEqual(ensemble.leafFactor);
    expectFriedman(treesOf(ensemble));
    for (let round = 1; round <= options.rounds; round++)
      expect(curves.train[round]).toBeGreaterThan(curves.train[round - 1]!);
    const newton = trainConditional(kernel, data(), target, { ...options, gradients: 'newton' });
    expect(newton.ensemble.splitPredictor).not.toEqual(ensemble.splitPredictor);
    const unsaid = { ...options, gradients: undefined };
    expect(equalEnsembles(trainConditional(kernel, data(), target, unsaid).ensemble, newton.ensemble)).toBe(true);
  });
});
