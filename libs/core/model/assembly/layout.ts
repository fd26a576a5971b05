/**
 * The evaluator's memory: fixed tables of one block of rows and one group of trees, then the trees that are being
 * applied; from `HEAP` on the caller puts odds, rows and columns. The exported constants are the module's globals.
 */

/** Trees of more leaves have no program: their leaf code would not fit a byte. */
export const MOST_LEAVES: i32 = 256;

/** Planes of a leaf code: bits a byte. */
export const PLANES: i32 = 8;

/** Bytes of a bit column that are evaluated together, so that the working set stays in the first-level cache. */
export const BLOCK: i32 = 256;

/** Trees whose factors are multiplied in one pass over the odds. */
export const GROUP: i32 = 4;

// vectors of a block: all zeros, all ones, and what a tree's program needs at most
export const ZEROS: i32 = 1024;
export const ONES: i32 = ZEROS + BLOCK;
export const SCRATCH: i32 = ONES + BLOCK;

// of each tree of a group: steps (x, zero, one, target), the operand of each plane, the factor of each code
export const STEPS: i32 = SCRATCH + PLANES * MOST_LEAVES * BLOCK;
export const STEPS_SIZE: i32 = PLANES * MOST_LEAVES * 16;
export const RESULTS: i32 = STEPS + GROUP * STEPS_SIZE;
export const RESULTS_SIZE: i32 = PLANES * 4;
export const TABLES: i32 = RESULTS + GROUP * RESULTS_SIZE;
export const TABLE_SIZE: i32 = 8 << PLANES;
export const CODES: i32 = TABLES + GROUP * TABLE_SIZE;
export const CODES_SIZE: i32 = BLOCK * 8;

// while a tree's program is made; of each split: its children, its parent, the leaves below it, the codes it may use
export const CHILDREN: i32 = CODES + GROUP * CODES_SIZE;
export const PARENTS: i32 = CHILDREN + MOST_LEAVES * 8;
export const LEAVES_BELOW: i32 = PARENTS + MOST_LEAVES * 4;
export const ROOMS: i32 = LEAVES_BELOW + MOST_LEAVES * 4;
/**
 * Of each leaf: where the number of the node that now stands for it is kept, the splits above it, the kinds of its
 * planes.
 */
export const SLOTS: i32 = ROOMS + MOST_LEAVES * 16;
export const DEPTHS: i32 = SLOTS + MOST_LEAVES * 4;
export const KINDS: i32 = DEPTHS + MOST_LEAVES * 4;
/** Of each level of the recursion: an operand for each plane. */
export const OPERANDS: i32 = KINDS + MOST_LEAVES * 4;
export const FREE: i32 = OPERANDS + (MOST_LEAVES + 1) * PLANES * 4;

/** Addresses of sixteen rows. */
export const ROW_ADDRESSES: i32 = FREE + PLANES * MOST_LEAVES * 4;

/** Leaves of the trees that are handed over at a time. */
export const LEAF_ROOM: i32 = 16384;

// the trees handed over: factors of their leaves, splits, leaves of each tree
export const LEAF_FACTORS: i32 = ROW_ADDRESSES + 64;
export const SPLIT_LEAVES: i32 = LEAF_FACTORS + LEAF_ROOM * 8;
export const SPLIT_PREDICTORS: i32 = SPLIT_LEAVES + LEAF_ROOM * 4;
export const LEAF_COUNTS: i32 = SPLIT_PREDICTORS + LEAF_ROOM * 4;

/** A multiple of 64. */
export const HEAP: i32 = (LEAF_COUNTS + LEAF_ROOM * 4 + 63) & ~63;
