import {
  BLOCK, CHILDREN, DEPTHS, FREE, KINDS, LEAVES_BELOW, ONES, OPERANDS, PARENTS, PLANES, RESULTS, RESULTS_SIZE, ROOMS, SCRATCH,
  SLOTS, STEPS, STEPS_SIZE, TABLES, TABLE_SIZE, ZEROS,
} from './layout';

/**
 * How to find the leaves of many rows at once. Every leaf has codes of a few bits; plane k is the vector of bit k of
 * the rows' codes, and a table holds the factor of each code's leaf. Planes are computed from the leaves up: at a split
 * on x, plane = x ? plane of the one side : plane of the zero side, a step that does 128 rows an instruction. A bit
 * that a leaf does not need is left open (it has one code for either value), and costs nothing on its side of a split.
 *
 * An operand is the address of a vector of one block, or of a whole column with the lowest bit set (addresses are
 * even).
 */

let predictors: i32 = 0;
let columns: i32 = 0;
let stride: i32 = 0;
let step: i32 = 0;
let vectors: i32 = 0;
let free: i32 = 0;
let codeMask: i32 = 0;
let factors: i32 = 0;
let table: i32 = 0;
let rank: i32 = 0;

// @ts-ignore: decorator
@inline function at(table: i32, index: i32): i32 {
  return load<i32>(table + (index << 2));
}

// @ts-ignore: decorator
@inline function put(table: i32, index: i32, value: i32): void {
  store<i32>(table + (index << 2), value);
}

// @ts-ignore: decorator
@inline function child(split: i32, side: i32): i32 {
  return load<i32>(CHILDREN + (split << 3) + (side << 2));
}

/**
 * Makes the program of one tree of 2 to 256 leaves as member `member` of the group, and gives its number of steps.
 * O(leaves x planes) at worst. `columnsAt` and `columnStride` (bytes) say where the column of a predictor is.
 */
export function compile(
  member: i32, leaves: i32, splitLeaves: i32, splitPredictors: i32, leafFactors: i32, columnsAt: i32, columnStride: i32,
): i32 {
  const planes = min(PLANES, link(splitLeaves, leaves));
  codeMask = (1 << planes) - 1;
  factors = leafFactors;
  table = TABLES + member * TABLE_SIZE;
  assignCodes(leaves - 1, planes);

  const first = STEPS + member * STEPS_SIZE;
  step = first;
  vectors = SCRATCH;
  free = FREE;
  predictors = splitPredictors;
  columns = columnsAt;
  stride = columnStride;
  const kinds = emit(0, OPERANDS);
  const result = RESULTS + member * RESULTS_SIZE;
  for (let plane = 0; plane < PLANES; plane++) {
    const bit = 1 << plane;
    const operand = (kinds >> 8) & bit ? ZEROS : (kinds >> 16) & bit ? ONES : at(OPERANDS, plane);
    put(result, plane, plane >= planes ? ZEROS : operand);
  }
  return (step - first) >> 4;
}

/** The program of a tree of one leaf: code 0 for every row, with no step. */
export function compileConstant(member: i32, factor: f64): void {
  for (let plane = 0; plane < PLANES; plane++) put(RESULTS + member * RESULTS_SIZE, plane, ZEROS);
  store<f64>(TABLES + member * TABLE_SIZE, factor);
}

/** Finds the children of each split, a split's number or `~leaf`, and the leaves below it; gives the tree's depth. */
function link(splitLeaves: i32, leaves: i32): i32 {
  let depth = 0;
  // the root has no parent: what stands here is written and not read
  put(SLOTS, 0, CHILDREN + ((leaves - 1) << 3));
  put(DEPTHS, 0, 0);
  for (let split = 0; split < leaves - 1; split++) {
    const leaf = at(splitLeaves, split), slot = at(SLOTS, leaf), here = CHILDREN + (split << 3);
    store<i32>(slot, split);
    store<i32>(here, ~leaf);
    store<i32>(here, ~(split + 1), 4);
    put(SLOTS, leaf, here);
    put(SLOTS, split + 1, here + 4);
    put(PARENTS, split, (slot - CHILDREN) >> 3);
    put(LEAVES_BELOW, split, 2);
    const below = at(DEPTHS, leaf) + 1;
    put(DEPTHS, leaf, below);
    put(DEPTHS, split + 1, below);
    depth = max(depth, below);
  }
  // later splits lie below earlier ones, and each adds a leaf
  for (let split = leaves - 2; split > 0; split--) {
    const parent = at(PARENTS, split);
    put(LEAVES_BELOW, parent, at(LEAVES_BELOW, parent) + at(LEAVES_BELOW, split) - 1);
  }
  return depth;
}

// @ts-ignore: decorator
@inline function leavesBelow(node: i32): i32 {
  return select(1, at(LEAVES_BELOW, node & 255), node < 0);
}

/**
 * Gives every leaf below a split codes from `base` to `base + room - 1`; `base` is a multiple of `2^bits >= room`.
 *
 * A split takes a bit of its own where its children fit the two halves. Where they do not, because one of them has most
 * of the leaves, the lesser child takes the end of the room and the greater the rest: a step more for every bit by
 * which the end is told from the rest, but nothing for the subtrees. Where alignment leaves no room for either, the
 * leaves are numbered from left to right.
 */
function assignCodes(splits: i32, planes: i32): void {
  assign(0, planes, 1 << planes, 0);
  for (let split = 0; split < splits; split++) {
    const place = ROOMS + (split << 4);
    const room = load<i32>(place, 4), base = load<i32>(place, 8);
    if (room == 0) continue;
    let bits = load<i32>(place);
    while (room <= 1 << (bits - 1)) bits--;
    const zero = child(split, 0), one = child(split, 1);
    const zeroLeaves = leavesBelow(zero), oneLeaves = leavesBelow(one);
    const half = 1 << (bits - 1);
    if (zeroLeaves <= half && oneLeaves <= room - half) {
      assign(zero, bits - 1, half, base);
      assign(one, bits - 1, room - half, base + half);
      continue;
    }
    if (oneLeaves <= half && zeroLeaves <= room - half) {
      assign(one, bits - 1, half, base);
      assign(zero, bits - 1, room - half, base + half);
      continue;
    }
    const zeroIsLess = zeroLeaves < oneLeaves;
    const endBits = 32 - clz((zeroIsLess ? zeroLeaves : oneLeaves) - 1);
    const rest = ((room >> endBits) - 1) << endBits;
    if ((zeroIsLess ? oneLeaves : zeroLeaves) <= rest) {
      assign(zeroIsLess ? zero : one, endBits, 1 << endBits, base + rest);
      assign(zeroIsLess ? one : zero, bits, rest, base);
      continue;
    }
    rank = base;
    assignRanks(zero);
    assignRanks(one);
  }
}

/** Notes the codes that a split may use, or gives a leaf all of them whose highest bits are the same. */
function assign(node: i32, bits: i32, room: i32, base: i32): void {
  if (node >= 0) {
    const place = ROOMS + (node << 4);
    store<i32>(place, bits);
    store<i32>(place, room, 4);
    store<i32>(place, base, 8);
    return;
  }
  const codes = 1 << (31 - clz(room)), open = codes - 1;
  const factor = load<f64>(factors + (~node << 3));
  for (let entry = table + (base << 3), end = entry + (codes << 3); entry < end; entry += 8) store<f64>(entry, factor);
  put(KINDS, ~node, (codeMask & open) | ((codeMask & ~open & ~base) << 8) | ((codeMask & ~open & base) << 16));
}

function assignRanks(node: i32): void {
  if (node < 0) {
    assign(node, 0, 1, rank++);
    return;
  }
  store<i32>(ROOMS + (node << 4), 0, 4); // its leaves have codes
  assignRanks(child(node, 0));
  assignRanks(child(node, 1));
}

/**
 * Writes the steps for the planes of a split. Gives the planes' kinds: any bit will do (bits 0 to 7), all zeros (8 to
 * 15), all ones (16 to 23); the others' operands are at `operands`.
 */
function emit(node: i32, operands: i32): i32 {
  const oneOperands = operands + PLANES * 4;
  const zeroNode = child(node, 0), oneNode = child(node, 1);
  const zeroKinds = zeroNode < 0 ? at(KINDS, ~zeroNode) : emit(zeroNode, operands);
  const oneKinds = oneNode < 0 ? at(KINDS, ~oneNode) : emit(oneNode, oneOperands);
  const x = columnOf(at(predictors, node));
  const zeroAny = zeroKinds & 255, zeroZeros = (zeroKinds >> 8) & 255, zeroOnes = zeroKinds >> 16;
  const oneAny = oneKinds & 255, oneZeros = (oneKinds >> 8) & 255, oneOnes = oneKinds >> 16;
  const zeros = (zeroZeros & (oneZeros | oneAny)) | (zeroAny & oneZeros);
  const ones = (zeroOnes & (oneOnes | oneAny)) | (zeroAny & oneOnes);
  // the one side's own vectors where the zero side does not care
  for (let left = zeroAny & ~(oneAny | oneZeros | oneOnes); left != 0; left &= left - 1) {
    put(operands, ctz(left), at(oneOperands, ctz(left)));
  }
  // x itself
  for (let left = zeroZeros & oneOnes; left != 0; left &= left - 1) put(operands, ctz(left), x);
  // a step where both sides care and differ
  for (let left = codeMask & ~(zeroAny | oneAny | zeros | ones | (zeroZeros & oneOnes)); left != 0; left &= left - 1) {
    const plane = ctz(left), bit = 1 << plane;
    const zero = zeroZeros & bit ? ZEROS : zeroOnes & bit ? ONES : at(operands, plane);
    const one = oneZeros & bit ? ZEROS : oneOnes & bit ? ONES : at(oneOperands, plane);
    if (zero == one) continue;
    const target = targetOf(zero, one);
    store<i32>(step, x - 1);
    store<i32>(step, zero, 4);
    store<i32>(step, one, 8);
    store<i32>(step, target, 12);
    step += 16;
    put(operands, plane, target);
  }
  return (zeroAny & oneAny) | (zeros << 8) | (ones << 16);
}

// @ts-ignore: decorator
@inline function columnOf(position: i32): i32 {
  return (columns + position * stride) | 1;
}

// @ts-ignore: decorator
@inline function isScratch(operand: i32): bool {
  return <u32>(operand - SCRATCH) < <u32>(STEPS - SCRATCH) && (operand & 1) == 0;
}

/** A scratch vector that holds nothing needed later: an operand's own, since every plane is used once. */
function targetOf(zero: i32, one: i32): i32 {
  if (isScratch(zero)) {
    if (isScratch(one)) {
      store<i32>(free, one);
      free += 4;
    }
    return zero;
  }
  if (isScratch(one)) return one;
  if (free > FREE) {
    free -= 4;
    return load<i32>(free);
  }
  vectors += BLOCK;
  return vectors - BLOCK;
}
