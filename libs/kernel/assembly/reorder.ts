import { countsOf, increment, isCounted, LENGTHS, startBuckets } from './patterns';
import { writePredictors } from './predictors';
import { Node, nodeAt } from './nodes';
import { CLASSES, classStart, REORDERING_FACTOR, SIGNATURES, sizeOfClass, State } from './state';

/**
 * Trees of neighbouring rounds are much alike. After a few of them the patterns are put into the order of the last tree's
 * leaves, so that those of a node lie together and are read one after another, not gathered from all over: classes and
 * equal counts stay together (see patterns.ts), within them leaf after leaf, within a leaf by the number of entries.
 *
 * The rounds at which it happens depend on nothing but the number of trees: a run that is resumed sums in the same order.
 */
export function reorderWhenDue(state: State): void {
  state.rounds++;
  if (state.rounds != state.reorderAt) return;
  state.reorderAt *= REORDERING_FACTOR;
  // one split has no smaller child to sum
  if (state.leafCount > 2) reorderByLeaf(state);
}

/** Regions that are free between trees: two orders and the values on their way, within the tallies' 24 bytes a row. */
function reorderByLeaf(state: State): void {
  const first = state.tallies;
  const second = first + (<usize>state.rowCount << 2);
  const values = second + (<usize>state.rowCount << 2);
  const ranks = state.scratch;
  rankLeaves(state, ranks);
  const count = listPatterns(state, first);
  sortByEntries(state, first, second, count);
  sortByRank(state, ranks, second, first, count);
  sortByKey(state, first, second, count);
  move<u32>(state, state.patternRow, second, values);
  move<f64>(state, state.odds, second, values);
  moveCounts(state, second, values);
  writePredictors(state);
}

/**
 * Writes the rank of each pattern's leaf, u32. Ranks follow the tree from left to right, so that not leaves alone but all
 * nodes are ranges of them.
 */
function rankLeaves(state: State, ranks: usize): void {
  // the factors have been applied: two u32 a leaf, its successor and its rank
  const leaves = state.leafFactors;
  const end = state.leafCount;
  store<u32>(leaves, end);
  for (let fresh: u32 = 1; fresh < end; fresh++) {
    const leaf = leaves + (<usize>load<u32>(state.splitLeaves + (<usize>(fresh - 1) << 2)) << 3);
    store<u32>(leaves + (<usize>fresh << 3), load<u32>(leaf));
    store<u32>(leaf, fresh);
  }
  for (let leaf: u32 = 0, rank: u32 = 0; leaf != end; leaf = load<u32>(leaves + (<usize>leaf << 3)), rank++)
    rankPatterns(nodeAt(state, leaf), state, ranks, rank);
}

function rankPatterns(node: Node, state: State, ranks: usize, rank: u32): void {
  if (node.mask) {
    for (let offset: u32 = 0; offset < state.maskBytes; offset += 8) {
      let word = load<u64>(node.mask + offset);
      while (word) {
        store<u32>(ranks + (<usize>((offset << 3) + <u32>ctz(word)) << 2), rank);
        word &= word - 1;
      }
    }
  } else {
    for (let at = node.list, end = node.list + (<usize>node.size << 2); at < end; at += 4)
      store<u32>(ranks + (<usize>load<u32>(at) << 2), rank);
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

/** Held-out patterns have none. */
@inline
function entriesOf(state: State, pattern: u32): u32 {
  if (pattern >= state.trainingEnd) return 0;
  const starts = state.entryStarts + (<usize>pattern << 2);
  return min(LENGTHS - 1, (load<u32>(starts, 4) - load<u32>(starts)) >>> (1 + state.wideEntries));
}

function sortByEntries(state: State, from: usize, to: usize, count: u32): void {
  const buckets = state.buckets;
  const end = from + (<usize>count << 2);
  memory.fill(buckets, 0, LENGTHS << 2);
  for (let at = from; at < end; at += 4) increment(buckets + (<usize>entriesOf(state, load<u32>(at)) << 2));
  startBuckets(buckets, LENGTHS);
  for (let at = from; at < end; at += 4) {
    const pattern = load<u32>(at);
    store<u32>(to + (<usize>increment(buckets + (<usize>entriesOf(state, pattern) << 2)) << 2), pattern);
  }
}

function sortByRank(state: State, ranks: usize, from: usize, to: usize, count: u32): void {
  const buckets = state.buckets;
  const end = from + (<usize>count << 2);
  memory.fill(buckets, 0, <usize>state.leafCount << 2);
  for (let at = from; at < end; at += 4)
    increment(buckets + (<usize>load<u32>(ranks + (<usize>load<u32>(at) << 2)) << 2));
  startBuckets(buckets, state.leafCount);
  for (let at = from; at < end; at += 4) {
    const pattern = load<u32>(at);
    const bucket = buckets + (<usize>load<u32>(ranks + (<usize>pattern << 2)) << 2);
    store<u32>(to + (<usize>increment(bucket) << 2), pattern);
  }
}

/** Keys stay where they are: each class and each kind of counts keeps its places. */
function sortByKey(state: State, from: usize, to: usize, count: u32): void {
  const buckets = state.buckets;
  const end = from + (<usize>count << 2);
  memory.fill(buckets, 0, (CLASSES * SIGNATURES) << 2);
  for (let at = from; at < end; at += 4) increment(buckets + (<usize>keyOf(state, load<u32>(at)) << 2));
  startBuckets(buckets, CLASSES * SIGNATURES);
  for (let at = from; at < end; at += 4) {
    const pattern = load<u32>(at);
    store<u32>(to + (<usize>increment(buckets + (<usize>keyOf(state, pattern) << 2)) << 2), pattern);
  }
}

@inline
function keyOf(state: State, pattern: u32): u32 {
  return load<u16>(state.patternKeys + (<usize>pattern << 1));
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
