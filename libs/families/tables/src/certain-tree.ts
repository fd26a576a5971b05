import { growGreedily } from '@orchard/logitboost';
import { Split, trainingCounts, type Decision, type Kernel, type TrainingData } from '@orchard/kernel';
import type { TreeArrays } from '@orchard/model';
import { log } from '@orchard/numerics';
import { CountedTree, type RowCounts } from './counted-tree.js';

/** Leaves of the tree that is grown to find rules: a price that is hours times a rate takes some. */
export const RULE_LEAVES = 32;

/**
 * How much better than by chance a rule must be supported by training rows, nats beyond the choice among the
 * predictors.
 */
const LEAST_EVIDENCE = 7;

/**
 * The tree that makes a decision certain where its rows leave no doubt, to go behind its ensemble; null where they do
 * everywhere.
 *
 * A leaf of an ensemble that all rows agree in stops near odds of 1 : n, since n rows alone show no more. But tables
 * have rules (a season follows from the date, who is below 16 rides no cargo bike), and 1 : n, over many decisions, is
 * a row in a hundred that breaks one. So one tree is grown greedily from the base rate. Rows that one of its bits
 * decides, or that end in one of its leaves, are taken to follow a rule where all n of them, in training and
 * validation, agree and where that is by chance, at the base rate of the rows they were split from, less likely than
 * e^-7 for each of the predictors that could have split them. That the rule holds for ever is then as likely as that it
 * does not: the odds against are multiplied by n + 1, and come to about 1 : n². A row that breaks the rule all the same
 * stays possible. Repeats of a row, as its weight has it stand, agree in whatever they say: all of them count once.
 */
export function certainTree(kernel: Kernel, data: TrainingData, decision: Decision): TreeArrays | null {
  if (decision.predictors === 0) return null;
  const doubt = data.repeats * (LEAST_EVIDENCE + log(decision.predictors));
  const all = trainingCounts(data, decision);
  if (mostEvidence(all) < doubt) return null;
  const grown = growGreedily(kernel, data, decision, RULE_LEAVES);
  if (grown.splitLeaf.length === 0) return null;
  const counted = new CountedTree(grown, all);
  const factors = factorsOfLeaves(counted, data, decision, doubt);
  const below = (node: number): Node => {
    if (node < 0) return factors[~node]!;
    return nodeOf(counted.predictors[node]!, below(counted.zero[node]!), below(counted.one[node]!));
  };
  // what one bit decides for all rows comes first: further down it may have been split off piece by piece
  let tree = below(0);
  for (const [predictor, labels] of labelsOfBits(counted)) {
    const [zero, one] = ([0, 1] as const).map((bit) => {
      const label = labels[bit];
      return label === null ? 1 : factorOfBit(data, decision, { predictor, bit, label }, all, doubt);
    });
    if (zero === 1 && one === 1) continue;
    const other = (factor: number | undefined, bit: 0 | 1): Node =>
      factor === 1 ? given(tree, predictor, bit) : factor!;
    tree = nodeOf(predictor, other(zero, 0), other(one, 1));
  }
  return tree === 1 ? null : arraysOf(tree);
}

/** For the rounding of logarithms. */
const SLACK = 1e-9;

/**
 * No rule has more evidence, whichever rows follow it and whichever these were split from: it rises with either's
 * number, so that all rows of a label that were split from all rows have the most. Most decisions are reached by too
 * few rows for any rule.
 */
function mostEvidence({ rows, ones }: { readonly rows: number; readonly ones: number }): number {
  const zeros = rows - ones;
  if (zeros === 0 || ones === 0) return 0;
  return Math.max(zeros * log(rows / zeros), ones * log(rows / ones)) + SLACK;
}

/** A leaf's factor, or a split. */
type Node = number | { readonly predictor: number; readonly zero: Node; readonly one: Node };

function nodeOf(predictor: number, zero: Node, one: Node): Node {
  return zero === one && typeof zero === 'number' ? zero : { predictor, zero, one };
}

/** What is left of a tree for rows of which a bit is known. */
function given(tree: Node, predictor: number, bit: 0 | 1): Node {
  if (typeof tree === 'number') return tree;
  const side = (node: Node): Node => given(node, predictor, bit);
  if (tree.predictor === predictor) return side(bit === 1 ? tree.one : tree.zero);
  return nodeOf(tree.predictor, side(tree.zero), side(tree.one));
}

/** Whether rows that all end alike in training do so by a rule, if those of validation do too. */
function isRule(among: RowCounts, own: RowCounts, doubt: number): boolean {
  const others = own.ones > 0 ? among.rows - among.ones : among.ones;
  return others > 0 && own.rows * -log(1 - others / among.rows) >= doubt;
}

/** What the odds are multiplied by where so many rows follow a rule, of which each stands so often. */
function ruleFactor(label: 0 | 1, rows: number, repeats: number): number {
  const once = rows / repeats;
  return label === 1 ? once + 1 : 1 / (once + 1);
}

/** The label that all of these rows end in; null where they differ. */
function labelOf({ rows, ones }: RowCounts): 0 | 1 | null {
  if (ones === 0) return 0;
  return ones === rows ? 1 : null;
}

/** What the odds are multiplied by in each leaf; 1 where its rows follow no rule. */
function factorsOfLeaves(
  tree: CountedTree,
  data: TrainingData,
  { rows, labels }: Decision,
  doubt: number,
): Float64Array {
  const label = new Array<0 | 1 | null>(tree.leaves).fill(null);
  for (let split = 0; split + 1 < tree.leaves; split++)
    for (const child of [tree.zero[split]!, tree.one[split]!])
      if (child < 0 && isRule(tree.counts(split), tree.counts(child), doubt))
        label[~child] = labelOf(tree.counts(child));
  const factors = new Float64Array(tree.leaves).fill(1);
  if (label.every((own) => own === null)) return factors;
  // validation rows are few, and asked where a rule is possible alone
  const valid = new Uint32Array(tree.leaves);
  for (let place = 0; place < rows.length; place++) {
    const row = rows[place]!;
    if (data.splitOf(row) !== Split.valid) continue;
    const leaf = tree.leafOf((predictor) => data.bit(row, predictor));
    valid[leaf]!++;
    if (labels[place] !== label[leaf]) label[leaf] = null;
  }
  for (let leaf = 0; leaf < tree.leaves; leaf++) {
    const own = label[leaf]!;
    if (own !== null) factors[leaf] = ruleFactor(own, tree.counts(~leaf).rows + valid[leaf]!, data.repeats);
  }
  return factors;
}

/**
 * Of each predictor that the tree looks at the labels that all rows with its bits of 0 and of 1 may end in: the one of
 * all training rows that its splits send there, null where these differ.
 */
function labelsOfBits(tree: CountedTree): ReadonlyMap<number, readonly [0 | 1 | null, 0 | 1 | null]> {
  const found = new Map<number, readonly [0 | 1 | null, 0 | 1 | null]>();
  for (let split = 0; split + 1 < tree.leaves; split++) {
    const predictor = tree.predictors[split]!;
    const own = [labelOf(tree.counts(tree.zero[split]!)), labelOf(tree.counts(tree.one[split]!))] as const;
    const before = found.get(predictor) ?? own;
    found.set(predictor, [before[0] === own[0] ? own[0] : null, before[1] === own[1] ? own[1] : null]);
  }
  return found;
}

/** Which rows may end in which label. */
interface BitRule {
  readonly predictor: number;
  readonly bit: 0 | 1;
  readonly label: 0 | 1;
}

/** What the odds are multiplied by where rows have that bit; 1 where they follow no rule, as the first few show. */
function factorOfBit(
  data: TrainingData,
  { rows, labels }: Decision,
  { predictor, bit, label }: BitRule,
  all: RowCounts,
  doubt: number,
): number {
  let [train, valid] = [0, 0];
  for (let place = 0; place < rows.length; place++) {
    const row = rows[place]!;
    const split = data.splitOf(row);
    if (split === Split.test || data.bit(row, predictor) !== bit) continue;
    if (labels[place] !== label) return 1;
    if (split === Split.train) train++;
    else valid++;
  }
  const own = { rows: train, ones: label === 1 ? train : 0 };
  return isRule(all, own, doubt) ? ruleFactor(label, train + valid, data.repeats) : 1;
}

/** Gains are 0: the tree is not part of what boosting found. */
function arraysOf(tree: Node): TreeArrays {
  const splitLeaf: number[] = [];
  const splitPredictor: number[] = [];
  const leafFactor: number[] = [];
  const place = (node: Node, leaf: number): void => {
    if (typeof node === 'number') {
      leafFactor[leaf] = node;
      return;
    }
    splitLeaf.push(leaf);
    splitPredictor.push(node.predictor);
    const added = splitLeaf.length;
    place(node.zero, leaf);
    place(node.one, added);
  };
  place(tree, 0);
  return { splitLeaf, splitPredictor, splitGain: new Float64Array(splitLeaf.length), leafFactor };
}
