import { predictorAt } from './allowed';
import { FIELD_TABLE_BYTES } from './bundles';
import { foldCells } from './cells';
import { areFew, findSplitOfFew } from './few-patterns';
import { foldFields } from './fold-fields';
import { foldGroups } from './fold-groups';
import { addListByBits, addMaskByBits } from './groups';
import { addFrom, addList, addMask, foldTables } from './histogram';
import { addListByNibbles, addMaskByNibbles, foldNibbles } from './nibbles';
import { Node, nodeAt, plantRoot, splitPatterns } from './nodes';
import { bestGain, bestPredictor, bestSums, findSplit, findSplitOfRest } from './split';
import { ENTRY_SHIFT, GRADIENT_SUM, MIN_LEAF_WEIGHT, State, TABLE_BYTES } from './state';

function histogramAt(state: State, slot: u32): usize {
  return state.histograms + <usize>slot * state.histogramStride;
}

/** The (S, W) of every predictor's or candidate's 1 side over the node's training patterns. */
function sumHistogram(state: State, node: Node): void {
  const histogram = histogramAt(state, node.slot);
  if (state.fieldTotal) {
    sumEntries<u8>(state, node);
    foldFields(state, histogram);
  } else if (state.groupCount) sumGroups(state, node, histogram);
  else if (state.wideEntries) sumBytes<u32>(state, node, histogram);
  else sumBytes<u16>(state, node, histogram);
}

@inline
function sumBytes<T>(state: State, node: Node, histogram: usize): void {
  if (node.trainingSize < state.smallSize) {
    const isCell = state.cellCount != 0;
    if (node.mask) addMaskByNibbles<T>(state, node.mask, isCell);
    else addListByNibbles<T>(state, node.list, node.trainingSize, isCell);
    foldNibbles(state, histogram);
  } else {
    sumEntries<T>(state, node);
    if (state.cellCount) foldCells(state, histogram);
    else foldTables(state, histogram);
  }
}

/**
 * Whether the next tree's root will be summed by the tables of entries, so that the pass over the rows may do that on
 * its way. If no tree is grown after all, `clearTables` takes the sums back.
 */
export function willSumRoot(state: State): bool {
  const canSplit = state.predictors > 0 && state.leafLimit > 1;
  return state.isGrown != 0 && canSplit && state.trainingPatterns >= state.smallSize;
}

/** Makes tables zero that were summed for a tree that is not grown. */
export function clearTables(state: State): void {
  if (state.isSummed) memory.fill(state.tables, 0, summedBytes(state));
  state.isSummed = 0;
}

function summedBytes(state: State): usize {
  if (state.fieldTotal) return <usize>state.bundleCount * FIELD_TABLE_BYTES;
  if (state.cellCount) return <usize>state.cellCount << ENTRY_SHIFT;
  return <usize>(state.groupCount ? state.groupCount : (state.predictors + 7) >>> 3) * TABLE_BYTES;
}

/**
 * Makes all tables zero where they lie anew, in memory that was in use for other things; later they are kept zero.
 * Where predictors are many and rows are few, to do so for every conditional takes longer than its trees.
 */
export function ownTables(state: State): void {
  if (state.ownedTables == state.tables && state.ownedEnd == state.histograms) {
    clearTables(state);
    return;
  }
  memory.fill(state.tables, 0, state.histograms - state.tables);
  state.isSummed = 0;
  state.ownedTables = state.tables;
  state.ownedEnd = state.histograms;
}

/** There are too few groups for wide entries. */
@inline
function sumGroups(state: State, node: Node, histogram: usize): void {
  if (node.trainingSize < state.smallSize) {
    if (node.mask) addMaskByBits(state, node.mask, histogram);
    else addListByBits(state, node.list, node.trainingSize, histogram);
  } else {
    sumEntries<u16>(state, node);
    foldGroups(state, histogram, f64x2.replace_lane(f64x2.splat(node.residual), 1, node.weight));
  }
}

@inline
function sumEntries<T>(state: State, node: Node): void {
  if (state.leafCount == 1) {
    // the pass over the rows may have been there before
    if (!state.isSummed) addFrom<T>(state, 0);
    state.isSummed = 0;
  } else if (node.mask) addMask<T>(state, node.mask);
  else addList<T>(state, node.list, node.trainingSize);
}

function keepSplit(node: Node): void {
  node.gain = bestGain;
  node.predictor = bestPredictor;
  if (bestPredictor < 0) return;
  node.oneResidual = load<f64>(bestSums);
  node.oneWeight = load<f64>(bestSums, 8);
}

/** The leaf of the largest gain, the lower number among equals; -1 where none can be split. */
function bestLeaf(state: State): i32 {
  let best: i32 = -1;
  let gain: f64 = 0.0;
  for (let leaf: u32 = 0; leaf < state.leafCount; leaf++) {
    const node = nodeAt(state, leaf);
    if (node.predictor >= 0 && (best < 0 || node.gain > gain)) {
      best = leaf;
      gain = node.gain;
    }
  }
  return best;
}

function recordLeaves(state: State): void {
  for (let leaf: u32 = 0; leaf < state.leafCount; leaf++) {
    const node = nodeAt(state, leaf);
    const sums = state.leafSums + (<usize>leaf << 4);
    store<f64>(sums, node.residual);
    store<f64>(sums, node.weight, 8);
  }
}

/** Whether a node has enough to be split: both sides of a split need the least weight, and a pattern at least. */
@inline
function maySplit(state: State, node: Node): bool {
  return node.trainingSize > 1 && node.weight >= 2.0 * load<f64>(state.numbers, MIN_LEAF_WEIGHT);
}

/** The best split of a node of few patterns; the slot of the newest leaf is free for its sums. */
function searchFew(state: State, node: Node): void {
  const sums = histogramAt(state, state.leafCount - 1);
  findSplitOfFew(state, node, sums);
  keepSplit(node);
}

/** Histograms of both children from the smaller one's rows, and their best splits. */
function openChildren(state: State, zero: Node, one: Node): void {
  const small = one.trainingSize <= zero.trainingSize ? one : zero;
  const large = one.trainingSize <= zero.trainingSize ? zero : one;
  large.slot = zero.slot;
  small.slot = state.leafCount - 1;
  const splitsSmall = maySplit(state, small);
  const splitsLarge = maySplit(state, large);
  small.predictor = -1;
  large.predictor = -1;
  if (!splitsSmall && !splitsLarge) return;
  if (areFew(state, zero.trainingSize + one.trainingSize)) {
    // their own children will be fewer yet, and need no histogram either
    if (splitsSmall) searchFew(state, small);
    if (splitsLarge) searchFew(state, large);
    return;
  }
  sumHistogram(state, small);
  const sibling = histogramAt(state, small.slot);
  if (splitsSmall) {
    findSplit(state, sibling, small.residual, small.weight);
    keepSplit(small);
  }
  if (splitsLarge) {
    findSplitOfRest(state, histogramAt(state, large.slot), sibling, large.residual, large.weight);
    keepSplit(large);
  }
}

/** Grows one tree, best-first, from the present gradients (how-it-works.md, step 2). Leaves its sums in `leafSums`. */
export function grow(state: State): void {
  state.isGrown = 1;
  plantRoot(state);
  const root = nodeAt(state, 0);
  root.residual = load<f64>(state.numbers, GRADIENT_SUM);
  root.weight = load<f64>(state.numbers, GRADIENT_SUM + 8);
  root.predictor = -1;
  state.leafCount = 1;
  if (state.predictors > 0 && state.leafLimit > 1) {
    sumHistogram(state, root);
    findSplit(state, histogramAt(state, 0), root.residual, root.weight);
    keepSplit(root);
  }
  while (state.leafCount < state.leafLimit) {
    const leaf = bestLeaf(state);
    if (leaf < 0) break;
    const fresh = state.leafCount;
    const zero = nodeAt(state, leaf);
    const one = nodeAt(state, fresh);
    const place = zero.predictor;
    const predictor = predictorAt(state, place);
    const split = <usize>(fresh - 1);
    store<u32>(state.splitLeaves + (split << 2), leaf);
    store<u32>(state.splitPredictors + (split << 2), predictor);
    store<f64>(state.splitGains + (split << 3), zero.gain);
    one.residual = zero.oneResidual;
    one.weight = zero.oneWeight;
    zero.residual -= one.residual;
    zero.weight -= one.weight;
    splitPatterns(state, leaf, fresh, predictor);
    state.leafCount = fresh + 1;
    if (state.leafCount < state.leafLimit) openChildren(state, zero, one);
  }
  recordLeaves(state);
}

function sumGradients(state: State, node: Node): void {
  let total = f64x2.splat(0.0);
  if (node.mask) {
    for (let first: u32 = 0, end = state.trainingEnd; first < end; first += 64) {
      let word = load<u64>(node.mask + (first >>> 3));
      while (word) {
        total = f64x2.add(total, v128.load(state.gradients + (<usize>(first + <u32>ctz(word)) << 4)));
        word &= word - 1;
      }
    }
  } else {
    for (let at = node.list, end = node.list + (<usize>node.trainingSize << 2); at < end; at += 4)
      total = f64x2.add(total, v128.load(state.gradients + (<usize>load<u32>(at) << 4)));
  }
  node.residual = f64x2.extract_lane(total, 0);
  node.weight = f64x2.extract_lane(total, 1);
}

/** Sorts the patterns into the leaves of a given tree of `leaves` leaves. */
export function sortInto(state: State, leaves: u32): void {
  state.isGrown = 0;
  plantRoot(state);
  state.leafCount = 1;
  for (let split: u32 = 0; split + 1 < leaves; split++) {
    splitPatterns(
      state,
      load<u32>(state.splitLeaves + (<usize>split << 2)),
      split + 1,
      load<u32>(state.splitPredictors + (<usize>split << 2)),
    );
    state.leafCount++;
  }
}

/** Sorts the patterns into the leaves of a given tree, and sums their gradients (refit, replay). */
export function follow(state: State, leaves: u32): void {
  sortInto(state, leaves);
  for (let leaf: u32 = 0; leaf < state.leafCount; leaf++) sumGradients(state, nodeAt(state, leaf));
  recordLeaves(state);
}
