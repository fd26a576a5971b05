import { BitMatrix } from '@orchard/dataset';
import { decisionOf, loadKernel, TrainingData } from '@orchard/kernel';
import { Purpose, RandomStream } from '@orchard/numerics';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { growLikelyTree } from './grow-likely-tree.js';
import { trainConditional, type BoostingOptions } from './index.js';

type Rows = readonly (readonly number[])[];
type Tree = ReturnType<typeof growLikelyTree>;

const arrange = (rows: Rows): TrainingData =>
  TrainingData.arrange(
    {
      train: BitMatrix.fromRows(rows.map((row) => row.join(''))),
      valid: BitMatrix.fromRows(rows.slice(0, 2).map((row) => row.join(''))),
      test: null,
    },
    { threads: 1, leaves: 2 },
  );

/** Nats of 0/1 labels by their own share of ones. */
function natsOf(labels: readonly number[]): number {
  const ones = labels.filter((label) => label === 1).length;
  return labels.reduce((sum, label) => sum + Math.log((label === 1 ? ones : labels.length - ones) / labels.length), 0);
}

/**
 * Checks a tree against the definition, from the rows of every leaf anew: no other split gains more, of those that
 * divide a leaf alike the first was taken, and growth ended where there were enough leaves or nothing gained.
 */
function expectLikeliestSplits(tree: Tree, rows: Rows, labels: readonly number[], predictors: number, most: number) {
  const leaves: number[][] = [rows.map((_, row) => row)];
  const labelsOf = (own: readonly number[]): number[] => own.map((row) => labels[row]!);
  const divide = (own: readonly number[], predictor: number): [number[], number[]] => [
    own.filter((row) => rows[row]![predictor] === 0),
    own.filter((row) => rows[row]![predictor] === 1),
  ];
  const gainOf = (leaf: number, predictor: number): number => {
    const [zero, one] = divide(leaves[leaf]!, predictor);
    return natsOf(labelsOf(zero)) + natsOf(labelsOf(one)) - natsOf(labelsOf(leaves[leaf]!));
  };
  const mostGain = (): number => {
    const places = Array.from({ length: predictors }, (_, predictor) => predictor);
    return Math.max(0, ...leaves.flatMap((_, leaf) => places.map((predictor) => gainOf(leaf, predictor))));
  };
  const isDividedAlike = (own: readonly number[], a: number, b: number): boolean => {
    const sameValue = own.filter((row) => rows[row]![a] === rows[row]![b]).length;
    return sameValue === own.length || sameValue === 0;
  };
  tree.splitLeaf.forEach((leaf, split) => {
    const predictor = tree.splitPredictor[split]!;
    const own = leaves[leaf]!;
    expect(gainOf(leaf, predictor)).toBeGreaterThan(mostGain() - 1e-9);
    expect(tree.splitGain[split]).toBeCloseTo(gainOf(leaf, predictor), 8);
    for (let earlier = 0; earlier < predictor; earlier++) expect(isDividedAlike(own, earlier, predictor)).toBe(false);
    const [zero, one] = divide(own, predictor);
    leaves[leaf] = zero;
    leaves.push(one);
  });
  if (leaves.length < most) expect(mostGain()).toBeLessThan(1e-9);
  else expect(leaves).toHaveLength(most);
}

describe('a tree grown by likelihood', () => {
  it('takes the splits that the definition takes, of training rows alone', () => {
    const row = fc.array(fc.nat(1), { minLength: 10, maxLength: 10 });
    fc.assert(
      fc.property(fc.array(row, { minLength: 3, maxLength: 40 }), fc.integer({ min: 2, max: 12 }), (rows, leaves) => {
        const labels = rows.map((own) => own[9]!);
        expectLikeliestSplits(growLikelyTree(arrange(rows), 9, leaves), rows, labels, 9, leaves);
      }),
    );
  });

  it('counts only the rows that reach a decision', () => {
    const random = new RandomStream(4, Purpose.sample, 0);
    const data = arrange(Array.from({ length: 60 }, () => Array.from({ length: 7 }, () => random.below(2))));
    const sorted = Array.from({ length: data.rowCount }, (_, row) =>
      Array.from({ length: 7 }, (_, position) => data.bit(row, position)),
    );
    const labels = Uint8Array.from(sorted, ([first, second, third]) => (first === 1 ? 2 : second! & third!));
    const target = decisionOf(7, labels);
    const tree = growLikelyTree(data, target, 8);
    expect(tree.splitLeaf.length).toBeGreaterThan(1);
    const reached = [...sorted.keys()].filter((row) => labels[row]! < 2 && data.splitOf(row) === 0);
    const rows = reached.map((row) => sorted[row]!);
    expectLikeliestSplits(
      tree,
      rows,
      reached.map((row) => labels[row]!),
      7,
      8,
    );
  });

  it('prefers a rare pure leaf, where the Brier score prefers a common one', async () => {
    const kernel = await loadKernel();
    // of 100 rows column 0 finds 8 certain ones; column 1 has 17 ones in one half and 33 in the other
    const rows = Array.from({ length: 100 }, (_, row) => {
      const side = row % 2;
      if (row < 8) return [1, side, 1];
      return [0, side, (row - 8) >> 1 < (side === 0 ? 13 : 29) ? 1 : 0];
    });
    const options: BoostingOptions = {
      ...{ leaves: 2, rounds: 1, shrinkage: 1, start: 'half', seed: 0, pseudoCount: 0.1 },
      ...{ minLeafWeight: 0, maxLeafValue: Infinity, l2: 0, featureFraction: 1, patience: 0 },
    };
    const split = (criterion: BoostingOptions['criterion']): number =>
      trainConditional(kernel, arrange(rows), 2, { ...options, criterion }).ensemble.splitPredictor[0]!;
    expect([split('likelihood'), split('brier'), split(undefined)]).toEqual([0, 1, 1]);
  });
});
