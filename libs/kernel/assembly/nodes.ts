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

export const NODE_BYTES: usize = 48;

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
  state.usedMasks = 0;
  state.listEnd = <u32>state.lists;
  const root = nodeAt(state, 0);
  root.mask = takeMask(state);
  root.list = 0;
  root.slot = 0;
  root.size = 0;
  root.trainingSize = 0;
  memory.fill(root.mask, 0, state.maskBytes);
  for (let index: u32 = 0; index < CLASSES; index++) {
    const start = classStart(state, index);
    const size = sizeOfClass(state, index);
    root.size += size;
    if (start < state.trainingEnd) root.trainingSize += size;
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

function splitMask(state: State, zero: Node, one: Node, predictor: u32): void {
  const column = state.columns + <usize>predictor * state.maskBytes;
  const source = zero.mask;
  const target = takeMask(state);
  const trainingBytes = state.trainingEnd >>> 3;
  let size: u32 = 0;
  let trainingSize: u32 = 0;
  for (let offset: u32 = 0; offset < state.maskBytes; offset += 8) {
    const word = load<u64>(source + offset);
    const bits = load<u64>(column + offset);
    const ones = word & bits;
    store<u64>(target + offset, ones);
    store<u64>(source + offset, word & ~bits);
    size += <u32>popcnt(ones);
    if (offset < trainingBytes) trainingSize = size;
  }
  one.mask = target;
  one.list = 0;
  one.size = size;
  one.trainingSize = trainingSize;
  zero.size -= size;
  zero.trainingSize -= trainingSize;
  if (!isLarge(state, one.size)) toList(state, one);
  if (!isLarge(state, zero.size)) toList(state, zero);
}

function splitList(state: State, zero: Node, one: Node, predictor: u32): void {
  const column = state.columns + <usize>predictor * state.maskBytes;
  const end = zero.list + (<usize>zero.size << 2);
  const trainingEnd = zero.list + (<usize>zero.trainingSize << 2);
  let zeros = zero.list;
  let ones = state.scratch;
  let zeroTraining = zeros;
  let oneTraining = ones;
  for (let at = zero.list; at < end; at += 4) {
    if (at == trainingEnd) {
      zeroTraining = zeros;
      oneTraining = ones;
    }
    const pattern = load<u32>(at);
    const bit = <usize>((load<u8>(column + (pattern >>> 3)) >>> (pattern & 7)) & 1);
    // both sides are written, one advances: no branch to mispredict
    store<u32>(zeros, pattern);
    store<u32>(ones, pattern);
    zeros += (1 - bit) << 2;
    ones += bit << 2;
  }
  if (trainingEnd == end) {
    zeroTraining = zeros;
    oneTraining = ones;
  }
  memory.copy(zeros, state.scratch, ones - state.scratch);
  one.mask = 0;
  one.list = zeros;
  one.size = <u32>((ones - state.scratch) >>> 2);
  one.trainingSize = <u32>((oneTraining - state.scratch) >>> 2);
  zero.size = <u32>((zeros - zero.list) >>> 2);
  zero.trainingSize = <u32>((zeroTraining - zero.list) >>> 2);
}

/** Moves the patterns with predictor = 1 from leaf `leaf` to the new leaf `fresh`. */
export function splitPatterns(state: State, leaf: u32, fresh: u32, predictor: u32): void {
  const zero = nodeAt(state, leaf);
  const one = nodeAt(state, fresh);
  if (zero.mask) splitMask(state, zero, one, predictor);
  else splitList(state, zero, one, predictor);
}
