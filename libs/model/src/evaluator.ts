import { BLOCK_ROWS, BLOCK_WORDS, type BitColumns } from './bit-columns.js';
import { ODDS_LIMIT, type Ensemble } from './ensemble.js';
import { ALL_ONE, ALL_ZERO, PROGRAM_LEAVES, TreeProgram } from './tree-program.js';
import { clampOdds, walkTrees } from './tree-walk.js';

/** Fewer rows are walked: making a tree's program costs as much as walking about so many. */
const FEWEST_ROWS = 192;

/** Trees whose factors are multiplied in one pass over the odds. */
const GROUP = 4;

/**
 * Odds of a 1 under an ensemble, for many rows at once. Per row the factors are multiplied in the order of the trees, so
 * the bits of a result depend neither on the other rows nor on how they were batched. Not reentrant: keep one a thread.
 */
export class Evaluator {
  private readonly programs = Array.from({ length: GROUP }, () => new TreeProgram());
  private readonly codes = new Int32Array(GROUP * 8 * BLOCK_WORDS);
  private readonly tables = new Float64Array(GROUP * 256);
  private shuffled = new Float64Array(BLOCK_ROWS);

  /**
   * Writes the odds of the first `rows` rows of `columns` to `odds`.
   * Costs about 1.5 operations a split, 32 rows at a time, and 15 a row and tree.
   */
  odds(ensemble: Ensemble, columns: BitColumns, rows: number, odds: Float64Array): void {
    const { leafCounts, leafFactor, startOdds } = ensemble;
    // trees before the first split are the same for all rows
    let tree = 0;
    let common = startOdds;
    while (tree < leafCounts.length && leafCounts[tree] === 1) common = clampOdds(common * leafFactor[tree++]!);
    odds.fill(common, 0, rows);
    if (tree === leafCounts.length) return;
    if (rows < FEWEST_ROWS || leafCounts.some((leaves) => leaves > PROGRAM_LEAVES)) {
      odds.fill(startOdds, 0, rows);
      walkTrees(ensemble, columns, rows, odds);
      return;
    }
    this.bitParallel(ensemble, columns, rows, odds, tree, common);
  }

  private bitParallel(
    ensemble: Ensemble,
    columns: BitColumns,
    rows: number,
    odds: Float64Array,
    firstTree: number,
    startOdds: number,
  ): void {
    const { leafCounts, leafFactor } = ensemble;
    const { words, stride, positions } = columns;
    const padded = Math.ceil(rows / 32) * 32;
    if (this.shuffled.length < padded) this.shuffled = new Float64Array(padded);
    const { shuffled, programs, codes, tables } = this;
    shuffled.fill(startOdds, 0, padded);
    const scratch = positions * stride;
    words.fill(0, scratch, scratch + BLOCK_WORDS);
    words.fill(-1, scratch + BLOCK_WORDS, scratch + 2 * BLOCK_WORDS);

    // the odds lie between these, whatever the leaves: where they stay within the limits, no clamp is needed
    let highest = startOdds;
    let lowest = startOdds;
    let firstLeaf = firstTree;
    let firstSplit = 0;
    for (let tree = firstTree; tree < leafCounts.length;) {
      const group = Math.min(GROUP, leafCounts.length - tree);
      let clamps = false;
      for (let member = 0; member < group; member++, tree++) {
        const leaves = leafCounts[tree]!;
        let most = 0;
        let least = Infinity;
        for (let leaf = firstLeaf; leaf < firstLeaf + leaves; leaf++) {
          most = Math.max(most, leafFactor[leaf]!);
          least = Math.min(least, leafFactor[leaf]!);
        }
        highest *= most;
        lowest *= least;
        if (highest > ODDS_LIMIT || lowest < 1 / ODDS_LIMIT) clamps = true;
        highest = clampOdds(highest);
        lowest = clampOdds(lowest);
        const program = programs[member]!;
        if (leaves > 1) program.compile(ensemble, firstSplit, firstLeaf, leaves);
        else program.constant(leafFactor[firstLeaf]!);
        tables.set(program.table, member * 256);
        firstSplit += leaves - 1;
        firstLeaf += leaves;
      }
      for (let start = 0; start < padded / 32; start += BLOCK_WORDS) {
        const count = Math.min(BLOCK_WORDS, padded / 32 - start);
        for (let member = 0; member < group; member++) {
          runSteps(programs[member]!, words, stride, start, scratch);
          gatherCodes(programs[member]!, words, stride, start, scratch, count, codes, member * 8 * BLOCK_WORDS);
        }
        if (group === GROUP && !clamps) multiplyFour(codes, tables, shuffled, start * 32, count * 8);
        else multiplyEach(codes, tables, shuffled, start * 32, count * 8, group);
      }
    }
    // from the order of the codes back to the order of the rows
    for (let row = 0; row < rows; row++) {
      odds[row] = shuffled[(row & ~31) | ((row & 7) << 2) | ((row >> 3) & 3)]!;
    }
  }
}

/** Computes the planes of one block: each step is `zero ^ (x & (zero ^ one))` on {@link BLOCK_WORDS} words. */
function runSteps(program: TreeProgram, words: Int32Array, stride: number, start: number, scratch: number): void {
  const { steps } = program;
  const last = 4 * program.stepCount;
  for (let step = 0; step < last; step += 4) {
    const zeroOperand = steps[step + 2]!;
    const oneOperand = steps[step + 3]!;
    let x = addressOf(steps[step + 1]!, stride, start, scratch);
    let zero = addressOf(zeroOperand, stride, start, scratch);
    let one = addressOf(oneOperand, stride, start, scratch);
    let target = addressOf(steps[step]!, stride, start, scratch);
    const end = target + BLOCK_WORDS;
    // two steps in three have a side without a choice, and need one operand fewer
    if (zeroOperand === ALL_ZERO) {
      for (; target < end; target += 4, x += 4, one += 4) {
        words[target] = words[x]! & words[one]!;
        words[target + 1] = words[x + 1]! & words[one + 1]!;
        words[target + 2] = words[x + 2]! & words[one + 2]!;
        words[target + 3] = words[x + 3]! & words[one + 3]!;
      }
    } else if (oneOperand === ALL_ONE) {
      for (; target < end; target += 4, x += 4, zero += 4) {
        words[target] = words[x]! | words[zero]!;
        words[target + 1] = words[x + 1]! | words[zero + 1]!;
        words[target + 2] = words[x + 2]! | words[zero + 2]!;
        words[target + 3] = words[x + 3]! | words[zero + 3]!;
      }
    } else {
      for (; target < end; target += 4, x += 4, zero += 4, one += 4) {
        const a = words[zero]!;
        const b = words[zero + 1]!;
        const c = words[zero + 2]!;
        const d = words[zero + 3]!;
        words[target] = a ^ (words[x]! & (a ^ words[one]!));
        words[target + 1] = b ^ (words[x + 1]! & (b ^ words[one + 1]!));
        words[target + 2] = c ^ (words[x + 2]! & (c ^ words[one + 2]!));
        words[target + 3] = d ^ (words[x + 3]! & (d ^ words[one + 3]!));
      }
    }
  }
}

/** Where an operand's words of the block at `start` begin: a column, or a vector of the scratch. */
function addressOf(operand: number, stride: number, start: number, scratch: number): number {
  return operand >= 0 ? operand * stride + start : scratch + ~operand * BLOCK_WORDS;
}

/**
 * Turns planes into codes, a byte a row: an 8 x 8 bit transpose of each byte lane of eight words, in three rounds of
 * swaps. Byte b of code word 8w + j belongs to row 32w + 8b + j.
 */
function gatherCodes(
  program: TreeProgram,
  words: Int32Array,
  stride: number,
  start: number,
  scratch: number,
  count: number,
  codes: Int32Array,
  base: number,
): void {
  const { result } = program;
  const p0 = addressOf(result[0]!, stride, start, scratch);
  const p1 = addressOf(result[1]!, stride, start, scratch);
  const p2 = addressOf(result[2]!, stride, start, scratch);
  const p3 = addressOf(result[3]!, stride, start, scratch);
  const p4 = addressOf(result[4]!, stride, start, scratch);
  const p5 = addressOf(result[5]!, stride, start, scratch);
  const p6 = addressOf(result[6]!, stride, start, scratch);
  const p7 = addressOf(result[7]!, stride, start, scratch);
  for (let word = 0; word < count; word++) {
    let a = words[p0 + word]!;
    let b = words[p1 + word]!;
    let c = words[p2 + word]!;
    let d = words[p3 + word]!;
    let e = words[p4 + word]!;
    let f = words[p5 + word]!;
    let g = words[p6 + word]!;
    let h = words[p7 + word]!;
    let swap = ((a >>> 4) ^ e) & 0x0f0f0f0f;
    e ^= swap;
    a ^= swap << 4;
    swap = ((b >>> 4) ^ f) & 0x0f0f0f0f;
    f ^= swap;
    b ^= swap << 4;
    swap = ((c >>> 4) ^ g) & 0x0f0f0f0f;
    g ^= swap;
    c ^= swap << 4;
    swap = ((d >>> 4) ^ h) & 0x0f0f0f0f;
    h ^= swap;
    d ^= swap << 4;
    swap = ((a >>> 2) ^ c) & 0x33333333;
    c ^= swap;
    a ^= swap << 2;
    swap = ((b >>> 2) ^ d) & 0x33333333;
    d ^= swap;
    b ^= swap << 2;
    swap = ((e >>> 2) ^ g) & 0x33333333;
    g ^= swap;
    e ^= swap << 2;
    swap = ((f >>> 2) ^ h) & 0x33333333;
    h ^= swap;
    f ^= swap << 2;
    swap = ((a >>> 1) ^ b) & 0x55555555;
    b ^= swap;
    a ^= swap << 1;
    swap = ((c >>> 1) ^ d) & 0x55555555;
    d ^= swap;
    c ^= swap << 1;
    swap = ((e >>> 1) ^ f) & 0x55555555;
    f ^= swap;
    e ^= swap << 1;
    swap = ((g >>> 1) ^ h) & 0x55555555;
    h ^= swap;
    g ^= swap << 1;
    const at = base + 8 * word;
    codes[at] = a;
    codes[at + 1] = b;
    codes[at + 2] = c;
    codes[at + 3] = d;
    codes[at + 4] = e;
    codes[at + 5] = f;
    codes[at + 6] = g;
    codes[at + 7] = h;
  }
}

/** odds *= factor, tree after tree, for four trees that cannot reach the limits. `count` code words from `from` on. */
function multiplyFour(codes: Int32Array, tables: Float64Array, odds: Float64Array, from: number, count: number): void {
  const size = 8 * BLOCK_WORDS;
  for (let word = 0; word < count; word++) {
    const a = codes[word]!;
    const b = codes[size + word]!;
    const c = codes[2 * size + word]!;
    const d = codes[3 * size + word]!;
    const at = from + 4 * word;
    odds[at] =
      odds[at]! * tables[a & 255]! * tables[256 | (b & 255)]! * tables[512 | (c & 255)]! * tables[768 | (d & 255)]!;
    odds[at + 1] =
      odds[at + 1]! *
      tables[(a >>> 8) & 255]! *
      tables[256 | ((b >>> 8) & 255)]! *
      tables[512 | ((c >>> 8) & 255)]! *
      tables[768 | ((d >>> 8) & 255)]!;
    odds[at + 2] =
      odds[at + 2]! *
      tables[(a >>> 16) & 255]! *
      tables[256 | ((b >>> 16) & 255)]! *
      tables[512 | ((c >>> 16) & 255)]! *
      tables[768 | ((d >>> 16) & 255)]!;
    odds[at + 3] =
      odds[at + 3]! *
      tables[a >>> 24]! *
      tables[256 | (b >>> 24)]! *
      tables[512 | (c >>> 24)]! *
      tables[768 | (d >>> 24)]!;
  }
}

/** The same, clamping after each tree, for any number of trees. */
function multiplyEach(
  codes: Int32Array,
  tables: Float64Array,
  odds: Float64Array,
  from: number,
  count: number,
  group: number,
): void {
  for (let member = 0; member < group; member++) {
    const codeBase = member * 8 * BLOCK_WORDS;
    const tableBase = member * 256;
    for (let word = 0; word < count; word++) {
      const code = codes[codeBase + word]!;
      for (let lane = 0; lane < 4; lane++) {
        const at = from + 4 * word + lane;
        odds[at] = clampOdds(odds[at]! * tables[tableBase + ((code >>> (8 * lane)) & 255)]!);
      }
    }
  }
}
