/**
 * Where everything of one thread's current conditional lies in the shared memory. layout.ts places the regions; the
 * host makes the memory and learns where to find the few fields that it reads or writes (exported.ts); nothing is ever
 * allocated.
 *
 * A *pattern* is a set of rows that agree in all predictors: they fall into the same leaf of every tree, so they share
 * their odds and are handled once, with counts. Patterns are ordered by class (below), each class padded to whole
 * masks.
 */
@unmanaged
export class State {
  // the arranged rows, shared by all threads: sorted lexicographically, packed, most significant bit first
  rows: usize;
  rowStride: u32;
  rowCount: u32;
  /** u32 per row: how many leading bits it shares with the row before it. */
  sharedBits: usize;
  /** u8 per row: 0 training, 1 validation, 2 test. */
  splits: usize;
  /** How many fields the rows of a table have (fields.ts); 0 where rows are bits. */
  fieldTotal: u32;
  /** A `Field` each. */
  fields: usize;
  /** u16, u16 per predictor, and 32 bytes per predictor in a field of sets: the codes with which it is 1. */
  codeRanges: usize;
  codeSets: usize;
  /** u32: how many groups of dimensions there are, then at 16 a `Group` each (groups.ts). */
  groups: usize;
  /** u64 per group and code: the bits that it stands for. */
  groupBits: usize;
  /** u32 per dimension and one more: where its list begins, in bytes; u8: the codes that have its bit. */
  codeStarts: usize;
  codeLists: usize;
  /** u8 per row and group: its code; `groupStride` bytes a row. */
  groupCodes: usize;
  groupStride: u32;

  // regions of this thread
  /** 6 u32 per pattern, while preparing: rows and ones of each split. */
  tallies: usize;
  /** u8 per row: the 0 or 1 that is to be predicted, of those that reach the conditional. */
  labels: usize;
  /** u32: the rows that reach the conditional, ascending, where not all do (labels.ts). */
  reachedRows: usize;
  /** u32 per bucket, while preparing: where its next pattern goes. */
  buckets: usize;
  /** u32 per pattern: its first row. */
  patternRow: usize;
  /** u16 per pattern: class and counts, by which patterns are ordered first. */
  patternKeys: usize;
  /** f64 per pattern. */
  odds: usize;
  /** (residual, weight) of each training pattern, summed over its training rows. */
  gradients: usize;
  /** f64 per pattern of a counted class: six columns `countStride` apart, rows and ones of each split. */
  counts: usize;
  /** u32 per training pattern and one more: where its entries start. */
  entryStarts: usize;
  /** u16 or u32 codes of the non-zero bytes of each training pattern's predictors. */
  entries: usize;
  /** u8 per pattern and bundle: its code there; `bundleCount` bytes a pattern (codes.ts). */
  codes: usize;
  /** u8 per field and code: which own code it is; u32 per field: its number among the own ones, or its one code. */
  codeMaps: usize;
  places: usize;
  /** `OwnField` and `Candidate` each; the candidates that the next tree may use; u8: the lists of those of sets. */
  ownFields: usize;
  candidates: usize;
  active: usize;
  setLists: usize;
  /** `Bundle` each; u32 per own field: the members of each bundle, and own fields by their number of codes. */
  bundles: usize;
  members: usize;
  sortedFields: usize;
  /** (S, W) of each code of one own field, taken out of its bundle's table; kept zero between uses. */
  marginal: usize;
  /** Running sums of a field's table, one more than it has codes. */
  running: usize;
  /**
   * For nodes of few patterns (few-patterns.ts): which codes occur, a bit each, of every bundle and of one own field,
   * kept zero between uses; by own field and code the candidates that the present tree may use; the listed splits.
   */
  marks: usize;
  nextCuts: usize;
  singles: usize;
  listedPlaces: usize;
  /**
   * u8 per field and code: whether it differs from the one before it; per code of one field: the codes that occur; and
   * per code of one bundle: the value of the predictor that is asked for.
   */
  bounds: usize;
  occurring: usize;
  answers: usize;
  /**
   * Of trees on some of the rows (sample.ts): u32 per row, its pattern; u32 per sampled row; and of those what patterns
   * have.
   */
  patternOfRow: usize;
  sampledRows: usize;
  sampledGradients: usize;
  sampledCodes: usize;
  sampledColumns: usize;
  sampledEntryStarts: usize;
  sampledEntries: usize;
  sampledClassStarts: usize;
  sampledClassSizes: usize;
  /** A table through a finished tree (leaves-by-block.ts): u8 per pattern, its leaf; the splits. */
  leafOfPattern: usize;
  steps: usize;
  /** Bit columns over the patterns, one per predictor, `maskBytes` apart. */
  columns: usize;
  /** Membership masks of large nodes. */
  masks: usize;
  /** u32 pattern numbers of small nodes, and scratch of the same size for partitioning them. */
  lists: usize;
  scratch: usize;
  /** Byte tables, or the cells of the values that occur; kept zero between uses. */
  tables: usize;
  /** The table of one byte, kept zero between uses (cells.ts). */
  byteTable: usize;
  /** u32 per byte and value: its cell; and u32 per cell: its code in tables of all values, ascending. */
  cells: usize;
  cellCodes: usize;
  /** (S, W) of the predictor's 1 side, per leaf slot and predictor. */
  histograms: usize;
  /** 16 bytes per two predictors: those whose split comes close to the best so far, while it is sought (split.ts). */
  scores: usize;
  /** u8 per code of the last group: the code that stands for it where a part of the group is looked at. */
  lastCodes: usize;
  /** i64 per predictor: -1 where the tree may use it, 0 where not. */
  allowed: usize;
  nodes: usize;
  /** The tree: u32 leaf, u32 predictor, f64 gain per split; then (S, W) per leaf. */
  splitLeaves: usize;
  splitPredictors: usize;
  splitGains: usize;
  leafSums: usize;
  leafFactors: usize;

  // the current conditional
  predictors: u32;
  histogramStride: u32;
  /** Whether entries take four bytes. */
  wideEntries: u32;
  /** The predictors that `bounds` are of. */
  boundedPredictors: u32;
  /** Own fields of the current conditional, their bundles, candidates, and those of them that the next tree may use. */
  ownCount: u32;
  bundleCount: u32;
  candidateCount: u32;
  activeCount: u32;
  /** Whether `nextCuts` and `singles` are those of the present tree. */
  areCutsWritten: u32;
  /** Cells of the current conditional; 0 where its entries are codes. */
  cellCount: u32;
  /** Groups of the current conditional; 0 where its entries are bytes. */
  groupCount: u32;
  /** The code without entries of the last group. */
  lastCommon: u32;
  leafLimit: u32;
  leafCount: u32;
  /** Whether the last tree was grown here, not given: another will be. */
  isGrown: u32;
  /** Whether the tables hold the sums of all training patterns (rows.ts); else they are zero between trees. */
  isSummed: u32;
  /** Between which addresses the tables are known to be zero or summed; 0 until the first conditional. */
  ownedTables: usize;
  ownedEnd: usize;
  /** Training patterns without the padding. */
  trainingPatterns: u32;
  trainingEnd: u32;
  patternEnd: u32;
  maskBytes: u32;
  listEnd: u32;
  usedMasks: u32;
  /** Nodes of fewer training patterns are summed by nibble tables, or bit by bit where there are groups. */
  smallSize: u32;
  countStride: u32;
  /** Whether `leafOfPattern` has the leaves of the last tree, and nodes do not. */
  isSortedByBlocks: u32;
  /** Whether what follows a given tree may be deferred, what is deferred, and whether the last tree was (deferred.ts). */
  mayDefer: u32;
  deferred: u32;
  isFollowing: u32;
  /** Whether `patternOfRow` is that of the present order of patterns. */
  areRowsMapped: u32;
  /** How many rows `reachedRows` has; 0xffffffff where all rows reach the conditional. */
  reachedCount: u32;
  /** Trees applied so far, and how many of them before the patterns are put into a new order (reorder.ts). */
  rounds: u32;
  reorderAt: u32;
  /** u32: where each class of patterns starts, and `patternEnd`. */
  classStarts: usize;
  /** u32: how many patterns of each class there are without the padding. */
  classSizes: usize;
  /**
   * f64: G of the grid, l2, minLeafWeight, then the log-likelihoods of the three splits, and S and W of all training
   * rows.
   */
  numbers: usize;
}

/** Classes of patterns: what a loop over them need not ask again. Training patterns come first. */
export const TRAIN_ZERO: u32 = 0; // one training row, y = 0, nothing else
export const TRAIN_ONE: u32 = 1; // one training row, y = 1
export const TRAIN_PURE_ZERO: u32 = 2; // several rows, all with y = 0
export const TRAIN_PURE_ONE: u32 = 3;
export const TRAIN_MIXED: u32 = 4;
export const VALID_ZERO: u32 = 5;
export const VALID_ONE: u32 = 6;
export const TEST_ZERO: u32 = 7;
export const TEST_ONE: u32 = 8;
export const HELD_OUT_COUNTED: u32 = 9; // several held-out rows, no training row
export const CLASSES: u32 = 10;
/** Those with training rows. */
export const TRAINING_CLASSES: u32 = VALID_ZERO;
/** Those with counts: pure ones, pure zeros and mixed, and held-out. */
export const COUNTED_CLASSES: u32 = TRAIN_MIXED - TRAIN_PURE_ZERO + 2;

/** Counts of a pattern that its key distinguishes: training rows up to 15, validation and test rows up to 3. */
export const SIGNATURES: u32 = 256;

/** Instead of a pattern's first row: padding. */
export const NO_ROW: u32 = 0xffffffff;

/** Masks are read 128 bits at a time; classes start at whole masks. */
export const MASK_BITS: u32 = 128;

/**
 * A byte table has 256 entries of (S, W); 16 more keep neighbouring tables out of the same cache sets. An entry's code
 * is `byte * TABLE_ENTRIES + value`; since that is a multiple of 16 and the value, its last four bits are the value's.
 */
export const TABLE_ENTRIES: u32 = 272;
export const ENTRY_SHIFT: u32 = 4;
export const TABLE_BYTES: usize = <usize>TABLE_ENTRIES << ENTRY_SHIFT;

/** There are no more groups than if each covered so many dimensions: as many as there are bytes. */
export const FEWEST_DIMENSIONS: u32 = 8;
/** Most codes of a group. */
export const GROUP_CODES: u32 = 256;

/**
 * Patterns are put into the order of the leaves after this many trees, then whenever there are so many times as many.
 */
export const FIRST_REORDERING: u32 = 2;
export const REORDERING_FACTOR: u32 = 8;

export const GRID: usize = 0;
export const L2: usize = 8;
export const MIN_LEAF_WEIGHT: usize = 16;
export const LOG_LIKELIHOODS: usize = 24;
export const GRADIENT_SUM: usize = 48;
export const NUMBERS_BYTES: u64 = 64;

export function classStart(state: State, index: u32): u32 {
  return load<u32>(state.classStarts + ((<usize>index) << 2));
}

/** How many patterns a class has without its padding. */
export function sizeOfClass(state: State, index: u32): u32 {
  return load<u32>(state.classSizes + (<usize>index << 2));
}
