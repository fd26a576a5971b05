import type { Ensemble } from './ensemble.js';
import { linkTree, createTreeShape } from './tree-shape.js';

/** Trees of more leaves have no program: their leaf code would not fit a byte. */
export const PROGRAM_LEAVES = 256;

/** Planes of a leaf code: bits a byte. */
const PLANES = 8;

/** Operands of a step beside columns (from 0) and scratch vectors (from {@link FIRST_SCRATCH} down). */
export const ALL_ZERO = -1;
export const ALL_ONE = -2;
export const FIRST_SCRATCH = -3;

/** What a plane is for all rows of a subtree, while a program is made: any bit will do. */
const ANY = -1_000_000;

/**
 * How to find the leaves of many rows at once. Every leaf has codes of `planes` bits; plane k is the vector of bit k of
 * the rows' codes, and `table[code]` is the factor of the leaf. Planes are computed from the leaves up: at a split on x,
 * plane = x ? plane of the one side : plane of the zero side, which a step does for 32 rows a word with
 * `zero ^ (x & (zero ^ one))`. A bit that a leaf does not need is left open (it has one code for either value), and
 * costs nothing on its side of a split.
 */
export class TreeProgram {
  /** Of each step: target, x, zero, one. */
  readonly steps: Int32Array;
  stepCount = 0;
  scratchVectors = 0;
  planes = 0;
  /** The operand that holds each plane at the end. */
  readonly result = new Int32Array(PLANES);
  readonly table = new Float64Array(1 << PLANES);

  private readonly shape;
  private readonly slots: Int32Array;
  private readonly leavesBelow: Int32Array;
  private readonly height: Int32Array;
  /** Of each node (splits first, then leaves): bits of its code, and which of them it needs. */
  private readonly value: Int32Array;
  private readonly care: Int32Array;
  private readonly operands: Int32Array;
  private readonly freeScratch = new Int32Array(PLANES * PROGRAM_LEAVES);
  private freeCount = 0;
  private predictors: Uint32Array = new Uint32Array(0);
  private firstSplit = 0;
  private rank = 0;

  constructor() {
    this.steps = new Int32Array(4 * PLANES * PROGRAM_LEAVES);
    this.shape = createTreeShape(PROGRAM_LEAVES);
    this.slots = new Int32Array(PROGRAM_LEAVES);
    this.leavesBelow = new Int32Array(PROGRAM_LEAVES);
    this.height = new Int32Array(PROGRAM_LEAVES);
    this.value = new Int32Array(PROGRAM_LEAVES);
    this.care = new Int32Array(PROGRAM_LEAVES);
    this.operands = new Int32Array(2 * PROGRAM_LEAVES * PLANES);
  }

  /** Makes the program of one tree of 2 to {@link PROGRAM_LEAVES} leaves. O(leaves x planes), allocates nothing. */
  compile(ensemble: Ensemble, firstSplit: number, firstLeaf: number, leaves: number): void {
    const { shape, leavesBelow, height, value, care, table, result } = this;
    linkTree(shape, ensemble, firstSplit, leaves, this.slots);
    this.predictors = ensemble.splitPredictor;
    this.firstSplit = firstSplit;
    // later splits lie below earlier ones
    for (let split = leaves - 2; split >= 0; split--) {
      const zero = shape.zero[split]!;
      const one = shape.one[split]!;
      leavesBelow[split] = (zero < 0 ? 1 : leavesBelow[zero]!) + (one < 0 ? 1 : leavesBelow[one]!);
      height[split] = 1 + Math.max(zero < 0 ? 0 : height[zero]!, one < 0 ? 0 : height[one]!);
    }
    const planes = Math.min(PLANES, height[0]!);
    this.planes = planes;
    this.assignCodes(0, planes, 1 << planes, 0);
    const codes = 1 << planes;
    for (let leaf = 0; leaf < leaves; leaf++) {
      const factor = ensemble.leafFactor[firstLeaf + leaf]!;
      const open = (codes - 1) & ~care[leaf]!;
      // all subsets of the open bits
      let subset = 0;
      do {
        table[value[leaf]! | subset] = factor;
        subset = (subset - open) & open;
      } while (subset !== 0);
    }
    this.stepCount = 0;
    this.scratchVectors = 0;
    this.freeCount = 0;
    this.emit(0, 0);
    for (let plane = 0; plane < PLANES; plane++) result[plane] = plane < planes ? this.operands[plane]! : ALL_ZERO;
  }

  /** The program of a tree of one leaf: code 0 for every row. */
  constant(factor: number): void {
    this.stepCount = 0;
    this.result.fill(ALL_ZERO);
    this.table[0] = factor;
  }

  /**
   * Gives every leaf below `node` codes from `base` to `base + room - 1`; `base` is a multiple of `2^bits >= room`.
   *
   * A split takes a bit of its own where its children fit the two halves. Where they do not, because one of them has most
   * of the leaves, the lesser child takes the end of the room and the greater the rest: a step more for every bit by
   * which the end is told from the rest, but nothing for the subtrees. Where alignment leaves no room for either, the
   * leaves are numbered from left to right.
   */
  private assignCodes(node: number, bits: number, room: number, base: number): void {
    const { shape, value, care, leavesBelow } = this;
    while (room <= 1 << (bits - 1)) bits--;
    if (node < 0) {
      value[~node] = base;
      care[~node] = room === 1 << bits ? -1 << bits : -1 << (bits - 1);
      return;
    }
    const zero = shape.zero[node]!;
    const one = shape.one[node]!;
    const zeroLeaves = zero < 0 ? 1 : leavesBelow[zero]!;
    const oneLeaves = one < 0 ? 1 : leavesBelow[one]!;
    const half = 1 << (bits - 1);
    if (zeroLeaves <= half && oneLeaves <= room - half) {
      this.assignCodes(zero, bits - 1, half, base);
      this.assignCodes(one, bits - 1, room - half, base + half);
      return;
    }
    if (oneLeaves <= half && zeroLeaves <= room - half) {
      this.assignCodes(one, bits - 1, half, base);
      this.assignCodes(zero, bits - 1, room - half, base + half);
      return;
    }
    const zeroIsLess = zeroLeaves < oneLeaves;
    const endBits = 32 - Math.clz32((zeroIsLess ? zeroLeaves : oneLeaves) - 1);
    const rest = ((room >> endBits) - 1) << endBits;
    if ((zeroIsLess ? oneLeaves : zeroLeaves) <= rest) {
      this.assignCodes(zeroIsLess ? zero : one, endBits, 1 << endBits, base + rest);
      this.assignCodes(zeroIsLess ? one : zero, bits, rest, base);
      return;
    }
    this.rank = base;
    this.assignRanks(node);
  }

  private assignRanks(node: number): void {
    if (node < 0) {
      this.value[~node] = this.rank++;
      this.care[~node] = -1;
      return;
    }
    this.assignRanks(this.shape.zero[node]!);
    this.assignRanks(this.shape.one[node]!);
  }

  /** Writes the steps for the planes of `node`, and their operands to `operands[8 * level ...]`. */
  private emit(node: number, level: number): void {
    const { operands, planes } = this;
    const at = level * PLANES;
    if (node < 0) {
      for (let plane = 0; plane < planes; plane++) {
        const bit = 1 << plane;
        operands[at + plane] = !(this.care[~node]! & bit) ? ANY : this.value[~node]! & bit ? ALL_ONE : ALL_ZERO;
      }
      return;
    }
    const x = this.predictors[this.firstSplit + node]!;
    this.emit(this.shape.zero[node]!, level);
    this.emit(this.shape.one[node]!, level + 1);
    for (let plane = 0; plane < planes; plane++) {
      const zero = operands[at + plane]!;
      const one = operands[at + PLANES + plane]!;
      if (one === ANY || one === zero) continue;
      if (zero === ANY) operands[at + plane] = one;
      else if (zero === ALL_ZERO && one === ALL_ONE) operands[at + plane] = x;
      else operands[at + plane] = this.step(x, zero, one);
    }
  }

  private step(x: number, zero: number, one: number): number {
    const target = this.targetOf(zero, one);
    const at = 4 * this.stepCount++;
    this.steps[at] = target;
    this.steps[at + 1] = x;
    this.steps[at + 2] = zero;
    this.steps[at + 3] = one;
    return target;
  }

  /** A scratch vector that holds nothing needed later: an operand's own, since every plane is used once. */
  private targetOf(zero: number, one: number): number {
    if (zero <= FIRST_SCRATCH) {
      if (one <= FIRST_SCRATCH) this.freeScratch[this.freeCount++] = one;
      return zero;
    }
    if (one <= FIRST_SCRATCH) return one;
    if (this.freeCount > 0) return this.freeScratch[--this.freeCount]!;
    return FIRST_SCRATCH - this.scratchVectors++;
  }
}
