import { loadKernel, TrainingData } from '@orchard/kernel';

/** Most leaves of a tree, of which validation rows keep some. */
const LEAVES = 1024;
/** What is added to both counts of a leaf; validation rows choose one for all trees of a data set. */
const PSEUDOCOUNTS = [0.001, 0.01, 0.03, 0.1, 0.3, 1, 3];

/**
 * The paper's baseline (section 5.1): one probability estimation tree a dimension, grown best-first, as many of its leaves kept as serve
 * the validation rows best, with pseudocounts. At odds of 1 the gain of a split (eq. 3) is that of the Brier score.
 *
 * @param {{ train: BitMatrix, valid: BitMatrix, test: BitMatrix }} splits
 * @returns mean test nats a row, the pseudocount, and the mean number of leaves
 */
export async function singleTrees(splits) {
  const data = TrainingData.arrange({ train: splits.train, valid: null, test: null }, { threads: 1, leaves: LEAVES });
  const kernel = await loadKernel();
  const growth = { leaves: LEAVES, minLeafWeight: 0, l2: 0, startOdds: 1 };
  const sums = PSEUDOCOUNTS.map((pseudocount) => ({ pseudocount, valid: 0, test: 0, leaves: 0 }));
  for (let column = 0; column < splits.train.dimensions; column++) {
    const tree = kernel.conditional(data, column, growth, true).grow();
    for (const sum of sums) {
      const best = bestPrefix(tree, splits, column, sum.pseudocount);
      sum.valid += best.valid;
      sum.test += best.test;
      sum.leaves += best.leaves;
    }
  }
  const { pseudocount, test, leaves } = sums.reduce((best, sum) => (sum.valid > best.valid ? sum : best));
  return { nats: test / splits.test.rows, pseudocount, leaves: leaves / splits.train.dimensions };
}

/** Of the trees of 1, 2, … leaves that come one after another while a tree grows: the best on validation rows. */
function bestPrefix({ splitLeaf, splitPredictor }, splits, column, pseudocount) {
  const names = ['train', 'valid', 'test'];
  const leaves = [names.map((name) => Uint32Array.from({ length: splits[name].rows }, (_, row) => row))];
  const natsOf = (rows) => {
    const [train, ...heldOut] = rows.map((some, at) => tally(splits[names[at]], some, column));
    const share = (ones) => (train[ones] + pseudocount) / (train[0] + train[1] + 2 * pseudocount);
    const [zero, one] = [Math.log(share(0)), Math.log(share(1))];
    return heldOut.map((counts) => counts[0] * zero + counts[1] * one);
  };
  let [valid, test] = natsOf(leaves[0]);
  let best = { valid, test, leaves: 1 };
  splitLeaf.forEach((leaf, split) => {
    const parent = leaves[leaf];
    const sides = [0, 1].map((side) =>
      parent.map((rows, at) => rows.filter((row) => splits[names[at]].get(row, splitPredictor[split]) === side)),
    );
    const [before, zero, one] = [parent, ...sides].map(natsOf);
    valid += zero[0] + one[0] - before[0];
    test += zero[1] + one[1] - before[1];
    leaves[leaf] = sides[0];
    leaves.push(sides[1]);
    if (valid > best.valid) best = { valid, test, leaves: leaves.length };
  });
  return best;
}

/** How many of these rows have a 0 in the column, and how many a 1. */
function tally(matrix, rows, column) {
  let ones = 0;
  for (const row of rows) ones += matrix.get(row, column);
  return [rows.length - ones, ones];
}
