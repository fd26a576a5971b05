import { Split, labelsOf, predictorsOf, UNREACHED, type Target, type TrainingData } from '@orchard/kernel';
import { log } from '@orchard/numerics';
import type { Tree } from './trees.js';

/** Gains up to this share of what they are differences of are rounding. */
const ROUNDING = 2 ** -40;

interface Leaf {
  /** Sorted training rows. */
  readonly rows: Uint32Array;
  readonly best: { readonly predictor: number; readonly gain: number } | null;
}

/**
 * A probability estimation tree (thesis 5.1): begins as one leaf, and divides the leaf that raises the likelihood of
 * the training rows most, until it has so many leaves or no split raises it. A leaf of n1 ones and n0 zeros has Σ n
 * log(n / (n1 + n0)) nats: no pseudocount. Of equal splits it takes the earlier predictor, of equal leaves the lower
 * number. The 0 side keeps its leaf's number, the 1 side takes the next.
 *
 * O(training rows x ones a row) for each level of the tree.
 */
export function growLikelyTree(data: TrainingData, target: Target, leaves: number): Omit<Tree, 'leafFactor'> {
  const labels = labelsOf(data, target);
  const search = splitSearch(data, labels, predictorsOf(target));
  const rows = Uint32Array.from(labels.keys()).filter(
    (row) => data.splitOf(row) === Split.train && labels[row] !== UNREACHED,
  );
  const grown: Leaf[] = [{ rows, best: search(rows) }];
  const splits: { leaf: number; predictor: number; gain: number }[] = [];
  while (grown.length < leaves) {
    const leaf = likeliestSplit(grown);
    if (leaf === null) break;
    const { rows: divided, best } = grown[leaf]!;
    const { predictor, gain } = best!;
    splits.push({ leaf, predictor, gain });
    const [zero, one] = [0, 1].map((side) => divided.filter((row) => data.bit(row, predictor) === side));
    grown[leaf] = { rows: zero!, best: search(zero!) };
    grown.push({ rows: one!, best: search(one!) });
  }
  return {
    splitLeaf: Uint32Array.from(splits, ({ leaf }) => leaf),
    splitPredictor: Uint32Array.from(splits, ({ predictor }) => predictor),
    splitGain: Float64Array.from(splits, ({ gain }) => gain),
  };
}

/** The leaf whose best split gains most; null where none gains. */
function likeliestSplit(leaves: readonly Leaf[]): number | null {
  let chosen: number | null = null;
  let most = 0;
  leaves.forEach(({ best }, leaf) => {
    if (best === null || best.gain <= most) return;
    chosen = leaf;
    most = best.gain;
  });
  return chosen;
}

/** Finds the best split of the rows of a leaf; null where none raises their likelihood. */
function splitSearch(data: TrainingData, labels: Uint8Array, predictors: number): (rows: Uint32Array) => Leaf['best'] {
  const terms = Float64Array.from({ length: data.trainingRows + 1 }, (_, n) => (n === 0 ? 0 : n * log(n)));
  const bytes = Math.ceil(predictors / 8);
  // how many rows have a 1 at a predictor, of those with label 0 and of those with label 1
  const ones = [new Uint32Array(8 * bytes), new Uint32Array(8 * bytes)] as const;
  const nats = (n0: number, n1: number): number => terms[n0]! + terms[n1]! - terms[n0 + n1]!;
  return (rows) => {
    const counts = [0, 0] as [number, number];
    for (const own of ones) own.fill(0);
    for (const row of rows) {
      const label = labels[row] as 0 | 1;
      counts[label]++;
      countOnes(ones[label], data.rows, row * data.handle.stride, bytes);
    }
    const [zeros, total] = [counts[0], rows.length];
    if (zeros === 0 || zeros === total) return null;
    const own = nats(counts[0], counts[1]);
    let predictor = -1;
    let gain = ROUNDING * terms[total]!;
    for (let candidate = 0; candidate < predictors; candidate++) {
      const [n0, n1] = [ones[0][candidate]!, ones[1][candidate]!];
      const candidateGain = nats(n0, n1) + nats(counts[0] - n0, counts[1] - n1) - own;
      if (candidateGain <= gain) continue;
      predictor = candidate;
      gain = candidateGain;
    }
    return predictor < 0 ? null : { predictor, gain };
  };
}

/** Adds a packed row of so many bytes to counts by position: O(ones). */
function countOnes(counts: Float64Array | Uint32Array, packed: Uint8Array, from: number, bytes: number): void {
  for (let byte = 0; byte < bytes; byte++)
    for (let bits = packed[from + byte]!; bits !== 0; bits &= bits - 1)
      // the first position of a byte is its highest bit: Math.clz32 of its lowest one is 31 - shift
      counts[8 * byte + Math.clz32(bits & -bits) - 24]!++;
}
