import { BitMatrix } from '@orchard/dataset';
import { growGreedily } from '@orchard/logitboost';
import { decisionOf, loadKernel, Split, TrainingData, trainingCounts } from '@orchard/kernel';
import { RandomStream } from '@orchard/numerics';
import { expect, test } from 'vitest';
import { CountedTree } from './counted-tree.js';

const PREDICTORS = 12;

test('training rows of nodes, by the sums of their gradients, are those that come there', async () => {
  const kernel = await loadKernel();
  for (let seed = 1; seed < 9; seed++) {
    const stream = new RandomStream(seed, 1008);
    const rowsOf = (count: number): BitMatrix =>
      BitMatrix.fromRows(
        Array.from({ length: count }, () => {
          const bits = Array.from({ length: PREDICTORS }, () => stream.below(2));
          return [...bits, stream.below(seed + 1) === 0 ? bits[3]! : 0].join('');
        }),
      );
    const splits = { train: rowsOf(200 * seed), valid: rowsOf(60), test: null };
    const data = TrainingData.arrange(splits, { threads: 1, leaves: 32 });
    const labels = Uint8Array.from({ length: data.rowCount }, (_, row) =>
      row % 5 === 0 ? 2 : data.bit(row, PREDICTORS),
    );
    const decision = decisionOf(PREDICTORS, labels);
    const tree = new CountedTree(growGreedily(kernel, data, decision, 32), trainingCounts(data, decision));
    const counts = Array.from({ length: tree.leaves }, () => ({ rows: 0, ones: 0 }));
    decision.rows.forEach((row, place) => {
      if (data.splitOf(row) !== Split.train) return;
      const leaf = counts[tree.leafOf((predictor) => data.bit(row, predictor))]!;
      leaf.rows++;
      leaf.ones += decision.labels[place]!;
    });
    expect(tree.leaves).toBeGreaterThan(2);
    expect(counts.map((_, leaf) => tree.counts(~leaf))).toEqual(counts);
    expect(tree.counts(0)).toEqual(trainingCounts(data, decision));
  }
});
