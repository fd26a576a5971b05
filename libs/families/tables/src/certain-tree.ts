import { trainConditional, type BoostingOptions } from '@orchard/logitboost';
import { Split, trainingCounts, type Decision, type Kernel, type TrainingData } from '@orchard/kernel';
import { createTreeShape, linkTree, type TreeArrays } from '@orchard/model';
import { log } from '@orchard/numerics';

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
 * stays possible.
 */
export function certainTree(
  kernel: Kernel,
  data: TrainingData,
  decision: Decision,
  options: BoostingOptions,
): TreeArrays | null {
  if (decision.predictors === 0) return null;
  const doubt = LEAST_EVIDENCE + log(decision.predictors);
  if (mostEvidence(trainingCounts(data, decision)) < doubt) return null;
  // a rule is one of the rows, wherever boosting starts
  const { predictors, rows, labels } = decision;
  const { ensemble } = trainConditional(
    kernel,
    data,
    { predictors, rows, labels },
    {
      ...options,
      leaves: RULE_LEAVES,
      rounds: 1,
      start: 'base-rate',
      shrinkage: 1,
      patience: 0,
      featureFraction: 1,
      minLeafWeight: 0,
      l2: 0,
      maxLeafValue: Infinity,
      rowsPerTree: undefined,
    },
  );
  const leaves = ensemble.leafFactor.length;
  if (leaves < 2) return null;
  const shape = createTreeShape(leaves);
  linkTree(shape, ensemble, 0, leaves, new Int32Array(leaves));
  const grown = { ...shape, predictors: ensemble.splitPredictor };
  const counts = countRows(grown, data, decision);
  const leafOf = (parent: Counts, node: number): number => ruleFactor(parent, counts.ofNode(node), doubt);
  const below = (node: number): Node => {
    const side = (child: number): Node => (child < 0 ? leafOf(counts.ofNode(node), child) : below(child));
    return nodeOf(grown.predictors[node]!, side(shape.zero[node]!), side(shape.one[node]!));
  };
  // what one bit decides for all rows comes first: further down it may have been split off piece by piece
  let tree = below(0);
  for (const predictor of new Set(grown.predictors)) {
    const [zero, one] = ([0, 1] as const).map((bit) =>
      ruleFactor(counts.ofNode(0), counts.ofBit(predictor, bit), doubt),
    );
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

/** Rows in training, and in training and validation; of both those that end in 1. */
interface Counts {
  readonly train: number;
  readonly trainOnes: number;
  readonly rows: number;
  readonly ones: number;
}

/** What the odds are multiplied by where rows follow a rule; 1 where they follow none. */
function ruleFactor(among: Counts, own: Counts, doubt: number): number {
  const isOne = own.trainOnes > 0;
  if (own.ones !== (isOne ? own.rows : 0)) return 1;
  const others = isOne ? among.train - among.trainOnes : among.trainOnes;
  if (others === 0 || own.train * -log(1 - others / among.train) < doubt) return 1;
  return isOne ? own.rows + 1 : 1 / (own.rows + 1);
}

interface GrownTree {
  readonly splits: number;
  /** Of each split: the next one, or `~leaf`. */
  readonly zero: Int32Array;
  readonly one: Int32Array;
  readonly predictors: Uint32Array;
}

/** Counts the rows that reach the decision by the nodes they pass, and by the bits that the tree looks at. */
function countRows(
  { splits, zero, one, predictors }: GrownTree,
  data: TrainingData,
  { rows, labels }: Decision,
): { ofNode(node: number): Counts; ofBit(predictor: number, bit: 0 | 1): Counts } {
  const classes = classesOf(data, rows, labels);
  const tallies = new Array<Uint32Array>(2 * splits + 1);
  const placeOfNode = (node: number): number => (node >= 0 ? node : splits + ~node);
  const countBelow = (node: number, own: ClassedRows): void => {
    tallies[placeOfNode(node)] = tallyOf(own.classes);
    if (node < 0) return;
    const [without, having] = divide(own, data.bits(own.rows, predictors[node]!));
    countBelow(zero[node]!, without);
    countBelow(one[node]!, having);
  };
  countBelow(0, { rows, classes });
  const used = [...new Set(predictors)];
  const ones = data.onesByClass(rows, classes, CLASSES, used);
  const all = tallies[0]!;
  return {
    ofNode: (node) => countsOf(tallies[placeOfNode(node)]!),
    ofBit: (predictor, bit) => {
      const first = CLASSES * used.indexOf(predictor);
      const having = ones.subarray(first, first + CLASSES);
      return countsOf(bit === 1 ? having : all.map((count, own) => count - having[own]!));
    },
  };
}

interface ClassedRows {
  readonly rows: Uint32Array;
  /** Of each of them. */
  readonly classes: Uint8Array;
}

/** Rows with a bit of 0 and those with 1. Loops, since rows are many and divided at every split. */
function divide({ rows, classes }: ClassedRows, bits: Uint8Array): readonly [ClassedRows, ClassedRows] {
  let ones = 0;
  for (let place = 0; place < bits.length; place++) ones += bits[place]!;
  const sides = [rows.length - ones, ones].map((count) => ({
    rows: new Uint32Array(count),
    classes: new Uint8Array(count),
  }));
  const [without, having] = sides as [ClassedRows, ClassedRows];
  let placeOfOne = 0;
  for (let place = 0; place < bits.length; place++) {
    const isOne = bits[place] === 1;
    const side = isOne ? having : without;
    const at = isOne ? placeOfOne++ : place - placeOfOne;
    side.rows[at] = rows[place]!;
    side.classes[at] = classes[place]!;
  }
  return [without, having];
}

/** Of a row: whether it trains (else it validates), and its label. Test rows are of none of these. */
const CLASSES = 5;
const OF_TEST = 4;

function classesOf(data: TrainingData, rows: Uint32Array, labels: Uint8Array): Uint8Array {
  const classes = new Uint8Array(rows.length);
  for (let place = 0; place < rows.length; place++) {
    const split = data.splitOf(rows[place]!);
    classes[place] = split === Split.test ? OF_TEST : 2 * (split === Split.train ? 1 : 0) + labels[place]!;
  }
  return classes;
}

function tallyOf(classes: Uint8Array): Uint32Array {
  const tally = new Uint32Array(CLASSES);
  for (let at = 0; at < classes.length; at++) tally[classes[at]!]!++;
  return tally;
}

function countsOf([validZeros, validOnes, trainZeros, trainOnes]: Uint32Array): Counts {
  const train = trainZeros! + trainOnes!;
  const valid = validZeros! + validOnes!;
  return { train, trainOnes: trainOnes!, rows: train + valid, ones: trainOnes! + validOnes! };
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
