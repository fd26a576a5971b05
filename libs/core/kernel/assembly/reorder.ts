import { countsOf, increment, isCounted, LENGTHS, startBuckets } from './patterns';
import { writePredictors } from './predictors';
import { Node, nodeAt } from './nodes';
import { CLASSES, classStart, REORDERING_FACTOR, SIGNATURES, sizeOfClass, State } from './state';

/**
 * Trees of neighbouring rounds are much alike. After a few of them the patterns are put into the order of the last
 * tree's leaves, so that those of a node lie together and are read one after another, not gathered from all over:
 * classes and equal counts stay together (see patterns.ts), within them leaf after leaf, within a leaf by the number of
 * entries.
 *
 * The rounds at which it happens depend on nothing but the number of trees: a run that is resumed sums in the same
 * order.
 */
export function reorderWhenDue(state: State): void {
  state.rounds++;
  if (state.rounds != state.reorderAt) return;
  state.reorderAt *= REORDERING_FACTOR;
  // one split has no smaller child to sum
  if (state.leafCount > 2) reorderByLeaf(state);
}

/**
 * By the least important key first: each sort keeps the order of what is equal to it. Free between trees are the
 * scratch, for the keys, and the tallies' 24 bytes a row, for two orders and the values on their way.
 */
function reorderByLeaf(state: State): void {
  const first = state.tallies;
  const second = first + (<usize>state.rowCount << 2);
  const values = second + (<usize>state.rowCount << 2);
  const count = listPatterns(state, first);
  keyByEntries(state);
  sortByKeys(state, first, second, count, LENGTHS);
  keyByLeaf(state);
  sortByKeys(state, second, first, count, state.leafCount);
  // of class and counts, which thereby keep their places
  keyByKind(state);
  sortByKeys(state, first, second, count, CLASSES * SIGNATURES);
  move<u32>(state, state.patternRow, second, values);
  move<f64>(state, state.odds, second, values);
  moveCounts(state, second, values);
  writePredictors(state);
  state.areRowsMapped = 0;
}

@inline
function keyAt(state: State, pattern: u32): usize {
  return state.scratch + (<usize>pattern << 2);
}

/** Ranks of leaves follow the tree from left to right, so that not leaves alone but all nodes are ranges of them. */
function keyByLeaf(state: State): void {
  // the factors have been applied: two u32 a leaf, its successor and its rank
  const leaves = state.leafFactors;
  const end = state.leafCount;
  store<u32>(leaves, end);
  for (let fresh: u32 = 1; fresh < end; fresh++) {
    const leaf = leaves + (<usize>load<u32>(state.splitLeaves + (<usize>(fresh - 1) << 2)) << 3);
    store<u32>(leaves + (<usize>fresh << 3), load<u32>(leaf));
    store<u32>(leaf, fresh);
  }
  for (let leaf: u32 = 0, rank: u32 = 0; leaf != end; leaf = load<u32>(leaves + (<usize>leaf << 3)), rank++) {
    if (state.isSortedByBlocks) store<u32>(leaves + (<usize>leaf << 3), rank, 4);
    else keyPatternsOf(nodeAt(state, leaf), state, rank);
  }
  if (!state.isSortedByBlocks) return;
  for (let pattern: u32 = 0; pattern < state.patternEnd; pattern++) {
    const leaf = <usize>load<u8>(state.leafOfPattern + pattern);
    store<u32>(keyAt(state, pattern), load<u32>(leaves + (leaf << 3), 4));
  }
}

function keyPatternsOf(node: Node, state: State, rank: u32): void {
  if (node.mask) {
    for (let offset: u32 = 0; offset < state.maskBytes; offset += 8) {
      let word = load<u64>(node.mask + offset);
      while (word) {
        store<u32>(keyAt(state, (offset << 3) + <u32>ctz(word)), rank);
        word &= word - 1;
      }
    }
  } else {
    for (let at = node.list, end = node.list + (<usize>node.size << 2); at < end; at += 4)
      store<u32>(keyAt(state, load<u32>(at)), rank);
  }
}

/** The numbers of all patterns, without the padding. */
function listPatterns(state: State, list: usize): u32 {
  let at = list;
  for (let index: u32 = 0; index < CLASSES; index++) {
    const start = classStart(state, index);
    for (let pattern = start, end = start + sizeOfClass(state, index); pattern < end; pattern++, at += 4)
      store<u32>(at, pattern);
  }
  return <u32>((at - list) >>> 2);
}

/** Held-out patterns have no entries, and none has in a table. */
function keyByEntries(state: State): void {
  if (state.fieldTotal) {
    memory.fill(state.scratch, 0, <usize>state.patternEnd << 2);
    return;
  }
  for (let pattern: u32 = 0; pattern < state.patternEnd; pattern++) {
    const starts = state.entryStarts + (<usize>pattern << 2);
    const bytes = pattern < state.trainingEnd ? load<u32>(starts, 4) - load<u32>(starts) : 0;
    store<u32>(keyAt(state, pattern), min(LENGTHS - 1, bytes >>> (1 + state.wideEntries)));
  }
}

function keyByKind(state: State): void {
  for (let pattern: u32 = 0; pattern < state.patternEnd; pattern++)
    store<u32>(keyAt(state, pattern), load<u16>(state.patternKeys + (<usize>pattern << 1)));
}

/** Counting sort of pattern numbers by their keys, which are below `limit`. O(count + limit). */
function sortByKeys(state: State, from: usize, to: usize, count: u32, limit: u32): void {
  const buckets = state.buckets;
  const end = from + (<usize>count << 2);
  memory.fill(buckets, 0, <usize>limit << 2);
  for (let at = from; at < end; at += 4) increment(bucketOf(state, load<u32>(at)));
  startBuckets(buckets, limit);
  for (let at = from; at < end; at += 4) {
    const pattern = load<u32>(at);
    store<u32>(to + (<usize>increment(bucketOf(state, pattern)) << 2), pattern);
  }
}

@inline
function bucketOf(state: State, pattern: u32): usize {
  return state.buckets + (<usize>load<u32>(keyAt(state, pattern)) << 2);
}

/** Brings an array over the patterns into the new order; padding stays at the classes' ends. */
@inline
function move<T>(state: State, array: usize, order: usize, values: usize): void {
  for (let index: u32 = 0; index < CLASSES; index++) {
    const size = <usize>sizeOfClass(state, index);
    for (let rank: usize = 0; rank < size; rank++)
      store<T>(values + rank * sizeof<T>(), load<T>(array + <usize>load<u32>(order + (rank << 2)) * sizeof<T>()));
    memory.copy(array + <usize>classStart(state, index) * sizeof<T>(), values, size * sizeof<T>());
    order += size << 2;
  }
}

function moveCounts(state: State, order: usize, values: usize): void {
  for (let index: u32 = 0; index < CLASSES; index++) {
    const size = <usize>sizeOfClass(state, index);
    if (isCounted(index)) {
      for (let field: usize = 0; field < 6; field++) {
        const column = field * <usize>state.countStride;
        for (let rank: usize = 0; rank < size; rank++)
          store<f64>(values + (rank << 3), load<f64>(countsOf(state, load<u32>(order + (rank << 2))) + column));
        memory.copy(countsOf(state, classStart(state, index)) + column, values, size << 3);
      }
    }
    order += size << 2;
  }
}
