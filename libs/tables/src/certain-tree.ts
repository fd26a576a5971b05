import { trainConditional, type BoostingOptions } from '@orchard/boosting';
import { Split, type Decision, type Kernel, type TrainingData } from '@orchard/kernel';
import { createTreeShape, linkTree, type Ensemble, type TreeArrays, type TreeShape } from '@orchard/model';
import { log } from '@orchard/numerics';

/** Leaves of the tree that is grown to find rules: a price that is hours times a rate takes some. */
export const RULE_LEAVES = 32;

/** How much better than by chance a rule must be told by training rows, nats beyond the choice among the predictors. */
const LEAST_EVIDENCE = 7;

/**
 * The tree that makes a decision certain where its rows leave no doubt, to go behind its ensemble; null where they do everywhere.
 *
 * A leaf of an ensemble that all rows agree in stops near odds of 1 : n, since more is not told by n rows alone. But tables have
 * rules (a season follows from the date, who is below 16 rides no cargo bike), and 1 : n, over many decisions, is a row in a
 * hundred that breaks one. So one tree is grown greedily from the base rate, and its leaf is taken for a rule where all n rows of
 * training and validation agree and, at its parent's base rate, that they do by chance is less likely than e^-7 for each of the
 * predictors it could have been split by. That it holds for ever is then as likely as that it does not: the odds against are
 * multiplied by n + 1, and come to about 1 : n². A row that breaks the rule all the same stays possible.
 */
export function certainTree(
  kernel: Kernel,
  data: TrainingData,
  decision: Decision,
  options: BoostingOptions,
): TreeArrays | null {
  if (decision.predictors === 0) return null;
  const { ensemble } = trainConditional(kernel, data, decision, {
    ...options,
    ...{ leaves: RULE_LEAVES, rounds: 1, start: 'base-rate', shrinkage: 1, patience: 0, featureFraction: 1 },
    ...{ minLeafWeight: 0, l2: 0, maxLeafValue: Infinity },
  });
  if (ensemble.leafFactor.length < 2) return null;
  const leaves = ensemble.leafFactor.length;
  const shape = createTreeShape(leaves);
  linkTree(shape, ensemble, 0, leaves, new Int32Array(leaves));
  const counts = countRows(shape, ensemble, data, decision);
  const factors = new Float64Array(leaves).fill(1);
  const doubt = LEAST_EVIDENCE + log(decision.predictors);
  let rules = 0;
  for (let split = 0; split < shape.splits; split++) {
    const parent = counts.at(split);
    for (const child of [shape.zero[split]!, shape.one[split]!]) {
      if (child >= 0) continue;
      const own = counts.at(child);
      const outcome = own.trainOnes > 0 ? 1 : 0;
      if (own.ones !== (outcome === 1 ? own.rows : 0)) continue;
      const others = outcome === 1 ? parent.train - parent.trainOnes : parent.trainOnes;
      if (own.train * -log(1 - others / parent.train) < doubt) continue;
      factors[~child] = outcome === 1 ? own.rows + 1 : 1 / (own.rows + 1);
      rules++;
    }
  }
  return rules === 0 ? null : withoutEqualLeaves(shape, ensemble, factors);
}

/** Rows of a node that reach the decision, in training and in both splits that are learned from, and those that end in 1. */
interface NodeCounts {
  readonly train: number;
  readonly trainOnes: number;
  readonly rows: number;
  readonly ones: number;
}

/** @returns by node: splits from 0 on, and `~leaf` */
function countRows(
  { splits, zero, one }: TreeShape,
  { splitPredictor }: Ensemble,
  data: TrainingData,
  { labels }: Decision,
): { at(node: number): NodeCounts } {
  // splits first, then leaves
  const table = new Float64Array(4 * (2 * splits + 1));
  const placeOf = (node: number): number => 4 * (node >= 0 ? node : splits + ~node);
  for (let row = 0; row < labels.length; row++) {
    const label = labels[row]!;
    const split = data.splitOf(row);
    if (label > 1 || split === Split.test) continue;
    const isTraining = split === Split.train ? 1 : 0;
    let node = 0;
    for (;;) {
      const place = placeOf(node);
      table[place]! += isTraining;
      table[place + 1]! += isTraining * label;
      table[place + 2]! += 1;
      table[place + 3]! += label;
      if (node < 0) break;
      node = (data.bit(row, splitPredictor[node]!) === 1 ? one : zero)[node]!;
    }
  }
  return {
    at: (node) => {
      const [train, trainOnes, rows, ones] = table.subarray(placeOf(node), placeOf(node) + 4);
      return { train: train!, trainOnes: trainOnes!, rows: rows!, ones: ones! };
    },
  };
}

/** The tree without the splits whose leaves all have one factor. Its gains are 0: they are no part of what boosting found. */
function withoutEqualLeaves(
  { splits, zero, one }: TreeShape,
  { splitPredictor }: Ensemble,
  factors: Float64Array,
): TreeArrays {
  // of each node the one factor of all leaves below it, or NaN
  const same = new Float64Array(splits);
  const factorOf = (node: number): number => (node < 0 ? factors[~node]! : same[node]!);
  for (let split = splits - 1; split >= 0; split--)
    same[split] = factorOf(zero[split]!) === factorOf(one[split]!) ? factorOf(zero[split]!) : NaN;
  const splitLeaf: number[] = [];
  const predictors: number[] = [];
  const leafFactor: number[] = [1];
  const place = (node: number, leaf: number): void => {
    if (!Number.isNaN(factorOf(node))) {
      leafFactor[leaf] = factorOf(node);
      return;
    }
    splitLeaf.push(leaf);
    predictors.push(splitPredictor[node]!);
    const added = splitLeaf.length;
    place(zero[node]!, leaf);
    place(one[node]!, added);
  };
  place(0, 0);
  return {
    splitLeaf,
    splitPredictor: predictors,
    splitGain: new Float64Array(splitLeaf.length),
    leafFactor,
  };
}
