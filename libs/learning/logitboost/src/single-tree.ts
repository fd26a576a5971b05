import {
  labelsOf,
  Split,
  predictorsOf,
  UNREACHED,
  type Kernel,
  type Target,
  type TrainingData,
  type TreeStructure,
} from '@orchard/kernel';
import type { Ensemble } from '@orchard/model';
import { log } from '@orchard/numerics';
import { CurveRecorder } from './curves.js';
import { growLikelyTree } from './grow-likely-tree.js';
import type { BoostingOptions } from './options.js';
import type { TrainedConditional } from './trained-conditional.js';

/**
 * One probability estimation tree for a column instead of boosting (Provost and Domingos 2003), the paper's baseline
 * (section 5.1): grown best-first up to `leaves` leaves, by the gain in likelihood or in Brier score: at odds of 1 the
 * gain of eq. 3. A leaf's probability of a 1 is (n1 + c) / (n1 + n0 + 2c), n1 and n0 its training rows, c the
 * pseudocount.
 *
 * A round is a split: the curves are of the trees of 1, 2, … leaves that come one after another while the tree grows,
 * so that a selection chooses its leaves.
 */
export function trainSingleTree(
  kernel: Kernel,
  data: TrainingData,
  target: Target,
  { leaves, criterion }: Pick<BoostingOptions, 'leaves' | 'criterion'>,
  pseudoCount: number,
): TrainedConditional {
  const growth = { leaves, minLeafWeight: 0, l2: 0, startOdds: 1 };
  const tree =
    criterion === 'likelihood'
      ? growLikelyTree(data, target, leaves)
      : kernel.conditional(data, target, growth, true).grow();
  return countTree(data, target, tree, pseudoCount);
}

/**
 * Counts anew in the leaves of a tree, and in those of all trees that it grew from.
 *
 * The ensemble that is given is not a model: it holds the counts, as two trees of the same splits whose leaves have one
 * more than the ones and one more than the zeros of the training rows. {@link singleTreeAfter} makes the model of it.
 */
export function countTree(
  data: TrainingData,
  target: Target,
  { splitLeaf, splitPredictor, splitGain }: TreeStructure & Pick<Ensemble, 'splitGain'>,
  pseudoCount: number,
): TrainedConditional {
  const splits = splitLeaf.length;
  const recorder = new CurveRecorder(splits, { valid: data.validationRows > 0, test: data.testRows > 0 });
  const labels = labelsOf(data, target);
  const reaching = Uint32Array.from(labels.keys()).filter((row) => labels[row] !== UNREACHED);
  const leaves = [tallied(data, labels, reaching)];
  const nats = likelihoods(leaves[0]!, pseudoCount);
  const record = (): void =>
    recorder.push({ train: nats[Split.train]!, valid: nats[Split.valid]!, test: nats[Split.test]! });
  record();
  for (let split = 0; split < splits; split++) {
    const leaf = leaves[splitLeaf[split]!]!;
    const [zero, one] = [0, 1].map((side) =>
      tallied(
        data,
        labels,
        leaf.rows.filter((row) => data.bit(row, splitPredictor[split]!) === side),
      ),
    ) as [Leaf, Leaf];
    const [before, ofZero, ofOne] = [leaf, zero, one].map((own) => likelihoods(own, pseudoCount)) as [
      Float64Array,
      Float64Array,
      Float64Array,
    ];
    nats.forEach((sum, of) => {
      nats[of] = sum + (ofZero[of]! + ofOne[of]! - before[of]!);
    });
    leaves[splitLeaf[split]!] = zero;
    leaves.push(one);
    record();
  }
  const counts = [1, 0].map((label) => leaves.map(({ counts: own }) => own[2 * Split.train + label]! + 1));
  return {
    position: predictorsOf(target),
    curves: recorder.curves(),
    ensemble: {
      startOdds: 1,
      leafCounts: Uint32Array.of(splits + 1, splits + 1),
      splitLeaf: Uint32Array.from([...splitLeaf, ...splitLeaf]),
      splitPredictor: Uint32Array.from([...splitPredictor, ...splitPredictor]),
      splitGain: Float64Array.from([...splitGain, ...splitGain]),
      leafFactor: Float64Array.from(counts.flat()),
    },
    finished: true,
    pseudoCount,
  };
}

/**
 * The tree of the first `splits` splits, as an ensemble of one tree: leaves that were split later are put together
 * again.
 */
export function singleTreeAfter(counted: Ensemble, splits: number, pseudoCount: number): Ensemble {
  const all = counted.leafCounts[0]!;
  const [ones, zeros] = [0, 1].map((tree) =>
    Array.from(counted.leafFactor.subarray(tree * all, (tree + 1) * all), (count) => count - 1),
  ) as [number[], number[]];
  for (let split = all - 2; split >= splits; split--) {
    for (const counts of [ones, zeros]) counts[counted.splitLeaf[split]!]! += counts[split + 1]!;
  }
  return {
    startOdds: 1,
    leafCounts: Uint32Array.of(splits + 1),
    splitLeaf: counted.splitLeaf.subarray(0, splits),
    splitPredictor: counted.splitPredictor.subarray(0, splits),
    splitGain: counted.splitGain.subarray(0, splits),
    leafFactor: Float64Array.from(
      { length: splits + 1 },
      (_, leaf) => (ones[leaf]! + pseudoCount) / (zeros[leaf]! + pseudoCount),
    ),
  };
}

interface Leaf {
  /** Sorted rows of all splits. */
  readonly rows: Uint32Array;
  /** Rows with a 0 and with a 1 of each split: element `2 * split + label`. */
  readonly counts: Uint32Array;
}

function tallied(data: TrainingData, labels: Uint8Array, rows: Uint32Array): Leaf {
  const counts = new Uint32Array(6);
  for (const row of rows) counts[2 * data.splitOf(row) + labels[row]!]!++;
  return { rows, counts };
}

/** Summed nats of each split in a leaf. */
function likelihoods({ counts }: Leaf, pseudoCount: number): Float64Array {
  const zeros = counts[2 * Split.train]!;
  const ones = counts[2 * Split.train + 1]!;
  const total = zeros + ones + 2 * pseudoCount;
  const [zero, one] = [log((zeros + pseudoCount) / total), log((ones + pseudoCount) / total)];
  return Float64Array.from({ length: 3 }, (_, split) => counts[2 * split]! * zero + counts[2 * split + 1]! * one);
}
