import { askedBundle, askedCodes, askPredictor, divideListByCodes, divideMaskByCodes, writeHalves } from './answers';
import { CLASSES, classStart, sizeOfClass, State } from './state';

/**
 * A leaf of the growing tree and the patterns in it. A large node is a bit mask over all patterns, which one AND with a
 * bit column splits; a small one (below 1/16 of them) is a list of pattern numbers, training patterns first.
 */
@unmanaged
export class Node {
  residual: f64;
  weight: f64;
  gain: f64;
  /** (S, W) of the 1 side of the best split. */
  oneResidual: f64;
  oneWeight: f64;
  /** The best split's place in the histogram; -1 where none gains. */
  predictor: i32;
  /** The histogram's slot; slots change hands between parent and children. */
  slot: u32;
  /** Patterns in all, and those with training rows. */
  size: u32;
  trainingSize: u32;
  /** Where the mask or the list lies; 0 in the other one. */
  mask: usize;
  list: usize;
}

export const NODE_BYTES: usize = 64;

/** At most 16 large nodes exist at once, and a split takes one more. */
export const MOST_MASKS: u64 = 18;

@inline
export function nodeAt(state: State, leaf: u32): Node {
  return changetype<Node>(state.nodes + <usize>leaf * NODE_BYTES);
}

/** A node of at least this many patterns keeps a mask: at most 16 such nodes exist at once. */
@inline
function isLarge(state: State, size: u32): bool {
  return size << 4 >= state.patternEnd;
}

function takeMask(state: State): usize {
  // masks are handed out by a bit set, of which there are fewer than its 32 bits
  const slot = ctz(~state.usedMasks);
  state.usedMasks |= 1 << slot;
  return state.masks + <usize>slot * state.maskBytes;
}

function releaseMask(state: State, mask: usize): void {
  state.usedMasks &= ~(1 << <u32>((mask - state.masks) / state.maskBytes));
}

/** Makes leaf 0 hold every pattern. */
export function plantRoot(state: State): void {
  state.isSortedByBlocks = 0;
  state.isFollowing = 0;
  state.usedMasks = 0;
  state.listEnd = <u32>state.lists;
  const root = nodeAt(state, 0);
  root.mask = takeMask(state);
  root.list = 0;
  root.slot = 0;
  root.size = 0;
  root.trainingSize = state.trainingPatterns;
  memory.fill(root.mask, 0, state.maskBytes);
  for (let index: u32 = 0; index < CLASSES; index++) {
    const start = classStart(state, index);
    const size = sizeOfClass(state, index);
    if (!size) continue;
    root.size += size;
    // classes start at whole masks, so full bytes are filled first and the last bits apart
    memory.fill(root.mask + (start >>> 3), 0xff, size >>> 3);
    if (size & 7) store<u8>(root.mask + ((start + size) >>> 3), <u8>((<u32>1 << (size & 7)) - <u32>1));
  }
}

/** Writes the patterns of a mask as a list behind the others, and gives the mask back. */
function toList(state: State, node: Node): void {
  const list = <usize>state.listEnd;
  let at = list;
  for (let offset: u32 = 0; offset < state.maskBytes; offset += 8) {
    let word = load<u64>(node.mask + offset);
    while (word) {
      store<u32>(at, (offset << 3) + <u32>ctz(word));
      at += 4;
      word &= word - 1;
    }
  }
  releaseMask(state, node.mask);
  node.mask = 0;
  node.list = list;
  state.listEnd = <u32>at;
}

/**
 * Moves the patterns of a mask that have a bit of the column to another, all in one loop that keeps everything in
 * registers.
 *
 * @param end of the source, a whole number of 128 bits
 * @returns how many were moved
 */
function divideMask(source: usize, end: usize, target: usize, column: usize): u32 {
  let moved: u64 = 0;
  for (; source < end; source += 16, target += 16, column += 16) {
    const first = load<u64>(source);
    const second = load<u64>(source, 8);
    const firstOnes = first & load<u64>(column);
    const secondOnes = second & load<u64>(column, 8);
    store<u64>(target, firstOnes);
    store<u64>(target, secondOnes, 8);
    store<u64>(source, first ^ firstOnes);
    store<u64>(source, second ^ secondOnes, 8);
    moved += popcnt(firstOnes) + popcnt(secondOnes);
  }
  return <u32>moved;
}

/** @param column of the predictor; 0 where codes and `answers` say it */
function splitMask(state: State, zero: Node, one: Node, column: usize): void {
  const source = zero.mask;
  const target = takeMask(state);
  const training = <usize>state.trainingEnd >>> 3;
  const end = source + state.maskBytes;
  let heldOut: u32;
  if (column) {
    one.trainingSize = divideMask(source, source + training, target, column);
    heldOut = divideMask(source + training, end, target + training, column + training);
  } else {
    writeHalves(state);
    const codes = askedCodes(state);
    const rest = codes + <usize>state.trainingEnd * state.bundleCount;
    one.trainingSize = divideMaskByCodes(state, source, source + training, target, codes);
    heldOut = divideMaskByCodes(state, source + training, end, target + training, rest);
  }
  one.mask = target;
  one.list = 0;
  one.size = one.trainingSize + heldOut;
  zero.size -= one.size;
  zero.trainingSize -= one.trainingSize;
  if (!isLarge(state, one.size)) toList(state, one);
  if (!isLarge(state, zero.size)) toList(state, zero);
}

/**
 * Copies the patterns of a list with a bit of 0 in the column to `zeros`, where the list itself may begin, the others
 * to `ones`.
 *
 * @returns how many bytes went to `ones`
 */
function divideList(list: usize, end: usize, zeros: usize, ones: usize, column: usize): usize {
  const start = ones;
  for (; list < end; list += 4) {
    const pattern = load<u32>(list);
    const one = <usize>(((<u32>load<u8>(column + (pattern >>> 3)) >>> (pattern & 7)) & 1) << 2);
    // both sides are written, one advances: no branch to mispredict
    store<u32>(zeros, pattern);
    store<u32>(ones, pattern);
    zeros += 4 - one;
    ones += one;
  }
  return ones - start;
}

/** @param column as `splitMask` has it */
function splitList(state: State, zero: Node, one: Node, column: usize): void {
  const list = zero.list;
  const training = <usize>zero.trainingSize << 2;
  const all = <usize>zero.size << 2;
  const scratch = state.scratch;
  let ones: usize;
  let heldOut: usize;
  if (column) {
    ones = divideList(list, list + training, list, scratch, column);
    heldOut = divideList(list + training, list + all, list + training - ones, scratch + ones, column);
  } else {
    const codes = askedCodes(state);
    ones = divideListByCodes(state, list, list + training, list, scratch, codes);
    heldOut = divideListByCodes(state, list + training, list + all, list + training - ones, scratch + ones, codes);
  }
  one.mask = 0;
  one.list = list + all - ones - heldOut;
  one.size = <u32>((ones + heldOut) >>> 2);
  one.trainingSize = <u32>(ones >>> 2);
  zero.size -= one.size;
  zero.trainingSize -= one.trainingSize;
  memory.copy(one.list, scratch, ones + heldOut);
}

/** Where all patterns of a leaf have the same value they move together: the other leaf is a list of none. */
function moveTogether(zero: Node, one: Node, value: bool): void {
  one.mask = value ? zero.mask : 0;
  one.list = zero.list;
  one.size = value ? zero.size : 0;
  one.trainingSize = value ? zero.trainingSize : 0;
  if (!value) return;
  zero.mask = 0;
  zero.size = 0;
  zero.trainingSize = 0;
}

/** Moves the patterns with predictor = 1 from leaf `leaf` to the new leaf `fresh`. */
export function splitPatterns(state: State, leaf: u32, fresh: u32, predictor: u32): void {
  const zero = nodeAt(state, leaf);
  const one = nodeAt(state, fresh);
  let column: usize = 0;
  if (state.fieldTotal) {
    askPredictor(state, predictor);
    if (askedBundle < 0) {
      moveTogether(zero, one, load<u8>(state.answers) != 0);
      return;
    }
  } else column = state.columns + <usize>predictor * state.maskBytes;
  if (zero.mask) splitMask(state, zero, one, column);
  else splitList(state, zero, one, column);
}
